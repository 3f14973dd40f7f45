package app_test

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"guiche/internal/app"
	"guiche/internal/apptest"
	"guiche/internal/password"
)

func withPast(c *app.Config) { c.Past = true }

// columns reads rows of texts from the desk's database.
func columns(t *testing.T, p *apptest.Server, query string) (rows [][]string) {
	t.Helper()
	found, err := p.Database(t).QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer found.Close()
	names, err := found.Columns()
	if err != nil {
		t.Fatal(err)
	}
	for found.Next() {
		row, into := make([]string, len(names)), make([]any, len(names))
		for i := range row {
			into[i] = &row[i]
		}
		if err := found.Scan(into...); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	return rows
}

// saoPaulo is where the demo's clinic is.
var saoPaulo = time.FixedZone("America/Sao_Paulo", -3*60*60)

func TestDemo_Past(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 18, 14, 30, 0, 0, saoPaulo) // a Wednesday
	p := apptest.Start(t, apptest.Options{Configure: withPast, Now: now})
	celia, ana := p.LogIn(t, apptest.Supervision), p.LogIn(t, apptest.Reception)

	t.Run("Counters", func(t *testing.T) {
		for _, group := range []string{"vez", "cor", "neg", "ok", "esp", "fim"} {
			page := celia.Get("/fila?grupo=" + group) // cases move on between two pages
			got, err := strconv.Atoi(page.Text("#grupo-" + group + " b"))
			if err != nil || got < 1 || got > 16 {
				t.Errorf("%s: got %d, %v, want some and no flood", group, got, err)
			}
			if rows := page.Count("#fila tbody tr"); rows < got {
				t.Errorf("%s: got %d rows, want %d at least", group, rows, got)
			}
		}
		if got := celia.Get("/fila?grupo=sem-resposta").Count("#fila tbody tr"); got != 1 {
			t.Errorf("got %d cases of unknown outcome, want 1", got)
		}
	})
	t.Run("Statuses", func(t *testing.T) {
		if got := columns(t, p, `SELECT DISTINCT status FROM submission_state WHERE status <> ''`); len(got) < 13 {
			t.Errorf("got the statuses %v, want nearly all but those that last seconds", got)
		}
		for state, want := range map[string]int{"refused": 2, "withdrawn": 1, "unknown": 1, "queued": 0, "sending": 0} {
			if got := columns(t, p, `SELECT uid FROM submission_state s JOIN submission ON id = submission_id
				WHERE state = '`+state+`'`); len(got) != want {
				t.Errorf("%s: got %d, want %d", state, len(got), want)
			}
		}
		if got := columns(t, p, `SELECT authorizations FROM submission_state WHERE authorizations > 1`); len(got) == 0 {
			t.Error("no case has two authorizations")
		}
	})
	t.Run("Simulated", func(t *testing.T) {
		if got := columns(t, p, `SELECT submission_id FROM submission_state WHERE NOT simulated`); len(got) > 0 {
			t.Errorf("%d cases are not marked as simulated", len(got))
		}
	})
	t.Run("Times", func(t *testing.T) { checkTimes(t, p, now) })
	t.Run("People", func(t *testing.T) {
		if got := columns(t, p, `SELECT DISTINCT sender, unit_uid FROM submission`); len(got) != 3 {
			t.Errorf("got %d people at their units, want 3", len(got))
		}
		rows := p.LogIn(t, apptest.Administration).Get("/pessoas").Rows("table")
		if len(rows) != 5 || strings.Contains(strings.Join(rows, "\n"), "onvi") {
			t.Errorf("got %q, want five people who need no link any more", rows)
		}
	})
	t.Run("Drafts", func(t *testing.T) {
		drafts := ana.Get("/fila").Find("li.own-draft a.item-name")
		if drafts.Length() != 2 {
			t.Fatalf("got %d drafts, want 2", drafts.Length())
		}
		path, _ := drafts.Last().Attr("href")
		ana.Get(path).Check(t, apptest.Want{Status: http.StatusOK, Value: map[string]string{"#nomeBeneficiario": "Rafael Gomes da Silva"}})
		if review := ana.Post(path+"/revisar", ana.Get(path).Form("#pedido")); review.Count("#revisao") != 1 {
			t.Errorf("the draft cannot be sent: %d %s", review.Status, review.Text("#erros"))
		}
	})
	t.Run("Again", func(t *testing.T) {
		before := columns(t, p, `SELECT id FROM submission`)
		p.Restart(nil)
		celia.LogInAgain()
		if after := columns(t, p, `SELECT id FROM submission`); len(before) < 60 || len(after) != len(before) {
			t.Errorf("got %d cases and after another start %d, want about 60, once", len(before), len(after))
		}
	})
}

// checkTimes holds that everything of a case lies at one time in the past, and each case
// after those before it.
func checkTimes(t *testing.T, p *apptest.Server, now time.Time) {
	t.Helper()
	const day = `date(created_at / 1000000 - 3 * 3600, 'unixepoch')`
	const granted = ` FROM authorization z JOIN answer a ON a.id = answer_id JOIN submission s ON s.id = submission_id `
	if days := columns(t, p, `SELECT DISTINCT `+day+` FROM submission`); len(days) < 16 {
		t.Errorf("got %d days, want 16 days of work: %v", len(days), days)
	}
	micros := strconv.FormatInt(now.UnixMicro(), 10)
	for what, query := range map[string]string{
		"in the future":       `SELECT id FROM submission_event WHERE at > ` + micros,
		"sent in the present": `SELECT id FROM submission_event WHERE kind IN ('enviado', 'em_duvida', 'sem_resposta') AND at >= ` + micros,
		"before an older one": `SELECT a.id FROM submission a JOIN submission b ON b.id = a.id + 1 WHERE b.created_at <= a.created_at`,
		"settled another day": `SELECT id FROM submission JOIN submission_state ON id = submission_id
			WHERE changed_at - created_at > 3600000000 AND status NOT IN ('W', 'P', 'E')`, // executed later
		"numbered another day":       `SELECT id FROM submission WHERE substr(provider_guide, 1, 6) <> strftime('%y%m%d', ` + day + `)`,
		"authorized another day":     `SELECT s.id` + granted + `WHERE substr(authorized_at, 1, 10) <> ` + day,
		"authorized without a guide": `SELECT s.id` + granted + `WHERE z.password <> '' AND z.guide_pdf = '' AND z.status <> 'C'`,
		"told to the trail late": `SELECT a.id FROM audit_entry a JOIN audit_entry b ON b.id = a.id + 1
			WHERE b.at < a.at AND a.object = 'caso' AND a.object = b.object`,
	} {
		if rows := columns(t, p, query); len(rows) > 0 {
			t.Errorf("%s: %v", what, rows)
		}
	}
}

// TestDemo_PastOfNewFolder makes one at night on a Monday, when nearly all of today lies
// on Sunday. People and lists are older than it, and the log tells of none of it.
func TestDemo_PastOfNewFolder(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 16, 0, 20, 0, 0, saoPaulo)
	p := apptest.Start(t, apptest.Options{Fresh: true, Now: now, Configure: func(c *app.Config) {
		c.Demo, c.Simulated, c.Past = true, true, true
		c.DataDir = t.TempDir() // the other one has been started once
	}})
	p.DataDir = p.Config.DataDir
	if got := p.Client(t).LogIn("celia", "painel-demo"); got.Path != "/fila" {
		t.Fatalf("log in: %d at %s", got.Status, got.Path)
	}
	if got := columns(t, p, `SELECT id FROM submission`); len(got) < 60 {
		t.Errorf("got %d cases", len(got))
	}
	checkTimes(t, p, now)
	if got := columns(t, p, `SELECT a.id, a.event FROM audit_entry a JOIN audit_entry b ON b.id = a.id + 1 WHERE b.at < a.at`); len(got) > 0 {
		t.Errorf("the trail goes back in time: %v", got)
	}
	for line := range strings.Lines(p.Log.String()) {
		asked := strings.Contains(line, `"route":"/api/v2/autorizacoes"`) // about what stands without an answer, now
		if strings.Contains(line, "sp-sadt") || strings.Contains(line, `"ERROR"`) && !asked {
			t.Errorf("the log tells of the past: %s", line)
		}
	}
}

// heldHasher hashes nothing before it is let go.
type heldHasher struct {
	password.Hasher
	begun chan struct{} // something is to be hashed
	free  chan struct{}
}

// Hash implements password.Hasher.
func (h heldHasher) Hash(ctx context.Context, text string) (string, error) {
	select {
	case h.begun <- struct{}{}:
	default:
	}
	select {
	case <-h.free:
		return h.Hasher.Hash(ctx, text)
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// TestDemo_PastIsSeenWhole holds the past up where its first receptionist is added: the
// entry page is there, and whoever logs in waits until all of it is.
func TestDemo_PastIsSeenWhole(t *testing.T) {
	t.Parallel()
	held := heldHasher{begun: make(chan struct{}, 1), free: make(chan struct{})}
	p := apptest.Start(t, apptest.Options{Configure: func(c *app.Config) {
		withPast(c)
		held.Hasher = c.Hasher
		c.Hasher = held
	}})
	<-held.begun
	for _, path := range []string{"/", "/entrar", "/healthz"} {
		p.Client(t).Get(path).Check(t, apptest.Want{Status: http.StatusOK})
	}
	if got := p.Client(t).Get("/entrar").Attr("link[rel=stylesheet]", "href"); p.Client(t).Get(got).Status != http.StatusOK {
		t.Errorf("the entry page has no style: %q", got)
	}
	ana := p.Client(t)
	user, secret := p.Login(apptest.Reception)
	arrived := make(chan *apptest.Page, 1)
	go func() { arrived <- ana.Post("/entrar", url.Values{"usuario": {user}, "senha": {secret}}) }()
	p.Client(t).Get("/entrar").Check(t, apptest.Want{Status: http.StatusOK})
	select {
	case page := <-arrived:
		t.Errorf("%s came before the past: %d rows", page.Path, page.Count("#fila tbody tr"))
	default:
	}
	close(held.free)
	if page := <-arrived; page.Path != "/fila" || page.Count("li.own-draft") != 2 {
		t.Errorf("got %s with %d drafts, want the queue with all of the past", page.Path, page.Count("li.own-draft"))
	}
}

// TestDemo_PastStopped: a program that is told to stop does not wait for its past.
func TestDemo_PastStopped(t *testing.T) {
	t.Parallel()
	held := heldHasher{begun: make(chan struct{}, 1), free: make(chan struct{})}
	p := apptest.Start(t, apptest.Options{Configure: func(c *app.Config) {
		withPast(c)
		held.Hasher = c.Hasher
		c.Hasher = held
	}})
	<-held.begun
	p.Stop()
	if log := p.Log.String(); strings.Contains(log, "not whole") {
		t.Errorf("stopping is logged as a failure: %s", log)
	}
}
