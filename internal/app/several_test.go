package app_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"guiche/internal/app"
	"guiche/internal/apptest"
	"guiche/internal/blob/s3test"
	"guiche/internal/client/faultservice"
	"guiche/internal/password"
	"guiche/internal/postgres/postgrestest"
)

// startTwo starts two processes on one database and one bucket, nil where there is no bucket.
func startTwo(t *testing.T) (first, second *apptest.Server) {
	t.Helper()
	bucket := s3test.Start(t)
	if bucket == nil {
		return nil, nil
	}
	first = apptest.Start(t, apptest.Options{Database: postgrestest.Database(t), Configure: inBucket(bucket)})
	return first, apptest.Start(t, apptest.Options{Beside: first})
}

// at is a client's browser at another process.
func at(p *apptest.Server, c *apptest.Client) *apptest.Client {
	other := p.Client(c.T)
	other.HTTP.Jar = c.HTTP.Jar // both are at the same host
	return other
}

// TestSeveral_MainJob: what one process does another shows: the session, the case, its guide and its place in
// the lists, and that somebody has left.
func TestSeveral_MainJob(t *testing.T) {
	t.Parallel()
	first, second := startTwo(t)
	if first == nil {
		return
	}
	ana := first.LogIn(t, apptest.Reception)
	there := at(second, ana)
	if !there.LoggedIn() {
		t.Fatal("the other process does not know the session")
	}
	sent := submitWithFile(t, ana, apptest.PDF(300_000))
	guide := guideOf(t, there, sent.Path)
	if guide.Status != http.StatusOK || !strings.HasPrefix(string(guide.Body), "%PDF") {
		t.Errorf("the guide at the other process: %d", guide.Status)
	}
	for _, path := range []string{"/fila", "/historico", sent.Path} {
		if page := there.Get(path); page.Status != http.StatusOK || !strings.Contains(string(page.Body), "Beneficiária de Teste") {
			t.Errorf("%s: %d", path, page.Status)
		}
	}
	twin := ana.Twin()
	there.Post("/sair", nil)
	if twin.LoggedIn() {
		t.Error("logged out at one process, still in at the other")
	}
}

// TestSeveral_Follow: a page that is open at one process shows what another one was told meanwhile.
func TestSeveral_Follow(t *testing.T) {
	t.Parallel()
	bucket := s3test.Start(t)
	if bucket == nil {
		return
	}
	answer := make(chan struct{})
	first := apptest.Start(t, apptest.Options{Database: postgrestest.Database(t), Configure: inBucket(bucket), Faults: &faultservice.Config{
		Answer: func(e faultservice.Entry) (int, []byte) {
			<-answer
			return faultservice.Authorize(e)
		}}})
	second := apptest.Start(t, apptest.Options{Beside: first})
	ana := first.LogIn(t, apptest.Reception)
	sent := ana.SubmitWith(nil)
	there := at(second, ana)
	page := there.Get(sent.Path)
	if page.Status != http.StatusOK || !strings.Contains(page.Text("main"), "Enviando…") {
		t.Errorf("before the answer: %d %s", page.Status, page.Text("main"))
	}
	moved := func() bool { return there.GetHTMX(page.Attr("#caso", "hx-get")).Header.Get("Hx-Refresh") != "" } // as the page asks
	if moved() {
		t.Error("before the answer: the page is told to show something else")
	}
	close(answer)
	apptest.Eventually(t, "the page is told to show the answer", moved)
	if page := there.Get(sent.Path); strings.Contains(page.Text("main"), "Enviando…") || page.Count(".tone-success") == 0 {
		t.Errorf("after the answer: %s", page.Text("main"))
	}
}

// startAtOnce starts processes at the same time on an empty database and a bucket, none where there is no bucket.
func startAtOnce(t *testing.T, n int, change func(*app.Config)) (all []*app.App) {
	t.Helper()
	bucket := s3test.Start(t)
	if bucket == nil {
		return nil
	}
	database, keys := postgrestest.Database(t), filepath.Join(t.TempDir(), "keys")
	all = make([]*app.App, n)
	var starting sync.WaitGroup
	for i := range all {
		c := app.Config{Addr: "127.0.0.1:0", DataDir: t.TempDir(), Keys: keys, Simulated: true, Database: app.Database{URL: database},
			Hasher: password.NewArgon2id(password.Argon2idConfig{MemoryKiB: 8, Passes: 1}), Logger: slog.New(slog.DiscardHandler)}
		inBucket(bucket)(&c)
		change(&c)
		starting.Go(func() {
			var err error
			if all[i], err = app.New(t.Context(), c); err != nil {
				t.Error(err)
			}
		})
	}
	starting.Wait()
	for _, a := range all {
		if a == nil {
			t.FailNow()
		}
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- a.Run(ctx) }()
		t.Cleanup(func() {
			stop()
			if err := <-ended; err != nil {
				t.Error(err)
			}
			a.Close()
		})
	}
	return all
}

// TestSeveral_Start: of processes that start at once on an empty database one makes the schema, and each works. The
// link that each shows works at all of them until the first person is made.
func TestSeveral_Start(t *testing.T) {
	t.Parallel()
	all := startAtOnce(t, 3, func(*app.Config) {})
	if all == nil {
		return
	}
	const words = "uma senha bem comprida"
	open := func(a *app.App, link string) (status int) {
		res, err := http.Get(a.URL() + link[strings.Index(link, "/ativar/"):])
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		return res.StatusCode
	}
	for i, a := range all {
		if status := open(all[(i+1)%3], a.SetupLink()); status != http.StatusOK {
			t.Errorf("link %d at another process: %d", i, status)
		}
	}
	res, err := http.PostForm(all[2].SetupLink(), url.Values{"nome": {"Rui"}, "usuario": {"rui"}, "senha": {words}, "senha2": {words}})
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	for i, a := range all {
		if status := open(a, a.SetupLink()); status == http.StatusOK {
			t.Errorf("link %d once there is somebody: %d", i, status)
		}
	}
}

// TestSeveral_OtherFolder: a process that would look for files in another folder than they are in is refused, also
// where they are to move to a bucket: their own folder moves them.
func TestSeveral_OtherFolder(t *testing.T) {
	t.Parallel()
	bucket := s3test.Start(t)
	if bucket == nil {
		return
	}
	p := apptest.Start(t, apptest.Options{Database: postgrestest.Database(t)})
	sent := submitWithFile(t, p.LogIn(t, apptest.Reception), apptest.PDF(300_000))
	other := p.Config
	other.Keys, other.DataDir = filepath.Join(p.DataDir, "keys"), t.TempDir()
	refused := func(when string) {
		t.Helper()
		if err := startError(t, other); err == nil || !strings.Contains(err.Error(), "--blobs") {
			t.Errorf("%s: got %v", when, err)
		}
	}
	refused("in a folder")
	p.Restart(nil)
	inBucket(bucket)(&other)
	refused("in a bucket, before the files are there")
	p.Restart(inBucket(bucket))
	second := apptest.Start(t, apptest.Options{Beside: p})
	apptest.Eventually(t, "the other process has the file", func() bool {
		there := second.LogIn(t, apptest.Reception)
		return guideOf(t, there, sent.Path).Status == http.StatusOK
	})
}

// TestSeveral_OtherKeys: a process without the keys of the others, or with one of its own, is refused: it would break
// what they wrote.
func TestSeveral_OtherKeys(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{Empty: true, Database: postgrestest.Database(t)})
	c := p.Config
	c.DataDir, c.Keys = t.TempDir(), t.TempDir()
	refused := func(says string) {
		t.Helper()
		if err := startError(t, c); err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), "another machine") {
			t.Errorf("got %v, want %q", err, says)
		}
	}
	refused("audit.key is missing")
	for _, name := range keyNames {
		mustWrite(t, filepath.Join(c.Keys, name+".key"), mustRead(t, filepath.Join(p.DataDir, "keys", name+".key")))
	}
	for _, name := range keyNames {
		path := filepath.Join(c.Keys, name+".key")
		key := mustRead(t, path)
		mustWrite(t, path, strings.Repeat("k", 32))
		refused(name + ".key is another key")
		mustWrite(t, path, key)
	}
}

// TestSeveral_StartOtherKeys: of two processes that start at once on an empty database, each with a folder of keys of
// its own, one makes the installation's keys and goes on, also after its next start; the other is refused.
func TestSeveral_StartOtherKeys(t *testing.T) {
	t.Parallel()
	database := app.Database{URL: postgrestest.Database(t)}
	configs, errs := make([]app.Config, 2), make([]error, 2)
	var starting sync.WaitGroup
	for i := range configs {
		configs[i] = quiet(t.TempDir())
		configs[i].Database = database
		starting.Go(func() { errs[i] = startError(t, configs[i]) })
	}
	starting.Wait()
	winner, loser := 0, 1
	if errs[0] != nil {
		winner, loser = 1, 0
	}
	again := startError(t, configs[winner])
	if errs[winner] != nil || again != nil {
		t.Errorf("the one: %v, and again: %v", errs[winner], again)
	}
	for _, err := range []error{errs[loser], startError(t, configs[loser])} {
		for _, says := range append([]string{"put this installation's keys back"}, keyNames...) {
			if err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("the other: got %v, want %q", err, says)
			}
		}
	}
}

// TestSeveral_Searches: a person's budget of searches is one, whichever process answers.
func TestSeveral_Searches(t *testing.T) {
	t.Parallel()
	first, second := startTwo(t)
	if first == nil {
		return
	}
	ana := first.LogIn(t, apptest.Reception)
	there := at(second, ana)
	search := func(c *apptest.Client) int {
		return c.PostHTMX("/busca/procedimentos", url.Values{"Busca": {"zzz"}}).Status
	}
	apptest.Eventually(t, "the budget is used up at the first", func() bool { return search(ana) == http.StatusTooManyRequests })
	tried := 0
	apptest.Eventually(t, "the second knows", func() bool {
		tried++
		return search(there) == http.StatusTooManyRequests
	})
	if tried > 250 {
		t.Errorf("the second let %d searches through: its own budget was used up", tried-1)
	}
	if status := search(second.LogIn(t, apptest.Supervision)); status != http.StatusOK {
		t.Errorf("somebody else's search: %d", status)
	}
}

// TestSeveral_Traffic: the page of the traffic shows what all processes were asked, also once one of them has ended.
func TestSeveral_Traffic(t *testing.T) {
	t.Parallel()
	first, second := startTwo(t)
	if first == nil {
		return
	}
	admin := first.LogIn(t, apptest.Administration)
	key := admin.Mint(t, admin.AddPartner("Contador")+"/chaves", nil, 1)[0]
	credentials := func(c *apptest.Client) string {
		for _, row := range c.Get("/servico/trafego").Rows("#trafego table") {
			if route, counts, _ := strings.Cut(row, " | "); route == "/api/v2/credenciais" {
				return counts
			}
		}
		return ""
	}
	first.Partner(t, key).Credentials()
	for range 2 {
		second.Partner(t, key).Credentials()
	}
	for name, c := range map[string]*apptest.Client{"first": admin, "second": at(second, admin)} {
		apptest.Eventually(t, name+" shows the sum", func() bool { return credentials(c) == "3 | 200 3 vezes" })
	}
	second.Partner(t, key).Credentials()
	second.Stop()
	if got := credentials(admin); got != "4 | 200 4 vezes" {
		t.Errorf("after one has ended: %q", got)
	}
}
