package service_test

import (
	"bytes"
	"context"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/service"
	"guiche/internal/service/servicetest"

	"github.com/google/uuid"
)

// The environment variables by which a test starts its own binary again, to be
// killed at a moment.
const (
	killedAt    = "GUICHE_TEST_KILLED_AT"
	killedDir   = "GUICHE_TEST_KILLED_DIR"
	killedPlace = "GUICHE_TEST_KILLED_PLACE"
	killedKey   = "GUICHE_TEST_KILLED_KEY"
	killedPath  = "GUICHE_TEST_KILLED_PATH"
	killedBody  = "GUICHE_TEST_KILLED_BODY"
)

// mortal is a store whose process ends, as by kill -9, before or after a commit.
type mortal struct {
	service.Store
	at string
}

// die ends this process if the moment has come.
func die(at, moment string) {
	if at == moment {
		self, err := os.FindProcess(os.Getpid())
		if err == nil {
			err = self.Kill()
		}
		if err == nil {
			select {}
		}
		panic(err)
	}
}

// around commits between the two moments of a name.
func around(at, name string, commit func()) {
	die(at, "before "+name)
	commit()
	die(at, "after "+name)
}

func (m mortal) Receive(ctx context.Context, r service.RequestEntry) (record service.LedgerRequest, fresh bool, err error) {
	around(m.at, "receipt", func() { record, fresh, err = m.Store.Receive(ctx, r) })
	return record, fresh, err
}

func (m mortal) AddAnswer(ctx context.Context, a service.AnswerEntry) (err error) {
	around(m.at, "answer", func() { err = m.Store.AddAnswer(ctx, a) })
	return err
}

func (m mortal) BeginAsking(ctx context.Context, request uuid.UUID, at time.Time) (first bool, err error) {
	around(m.at, "asking", func() { first, err = m.Store.BeginAsking(ctx, request, at) })
	return first, err
}

func (m mortal) AddAction(ctx context.Context, a service.Action) (act service.Action, fresh bool, err error) {
	around(m.at, "act", func() { act, fresh, err = m.Store.AddAction(ctx, a) })
	return act, fresh, err
}

func (m mortal) AddUpdate(ctx context.Context, u service.UpdateEntry) (err error) {
	around(m.at, "update", func() { err = m.Store.AddUpdate(ctx, u) })
	return err
}

// TestKilledProcess is what the started binary does; by itself it does nothing.
func TestKilledProcess(t *testing.T) {
	at := os.Getenv(killedAt)
	if at == "" {
		return
	}
	e := &env{servicetest.NewEnv(t, os.Getenv(killedDir), limits{}), t}
	e.Key, e.Place = os.Getenv(killedKey), os.Getenv(killedPlace)
	e.WrapStore = func(s service.Store) service.Store { return mortal{s, at} }
	e.Operator.Before(func(context.Context, service.OperatorRequest) error {
		note, err := os.OpenFile(filepath.Join(e.Dir, "asked"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		e.Must(err)
		_, err = note.WriteString(".")
		e.Must(err)
		die(at, "while the operator is asked")
		return nil
	})
	e.Open()
	e.Send(http.MethodPost, os.Getenv(killedPath), strings.NewReader(os.Getenv(killedBody)), key("k"))
	e.RunDue()
	t.Errorf("%s: still alive", at)
}

// wasKilled reports whether a test binary ended as by kill -9. Windows has no
// signals: there it is one that failed without a word on how its tests went.
func wasKilled(state *os.ProcessState, out []byte) bool {
	if runtime.GOOS == "windows" {
		return !state.Success() && !bytes.Contains(out, []byte("FAIL"))
	}
	return state.String() == "signal: killed"
}

// kill has another process on the same files take a request, with the key "k",
// and end at the moment. It returns how often that one asked its operator.
func (e *env) kill(at, path, body string) (asked int) {
	e.tb.Helper()
	e.Close()
	cmd := exec.CommandContext(e.tb.Context(), os.Args[0], "-test.run=^TestKilledProcess$")
	cmd.Env = append(os.Environ(), killedAt+"="+at, killedDir+"="+e.Dir, killedPlace+"="+e.Place, killedKey+"="+e.Key,
		killedPath+"="+path, killedBody+"="+body)
	out, err := cmd.CombinedOutput()
	if err == nil || !wasKilled(cmd.ProcessState, out) {
		e.tb.Fatalf("the other process: %v, want killed: %s", err, out)
	}
	e.Open()
	notes, err := os.ReadFile(filepath.Join(e.Dir, "asked"))
	if err != nil && !os.IsNotExist(err) {
		e.tb.Fatal(err)
	}
	return len(notes)
}

// TestService_Killed: kill -9 at each moment of a request that is answered at
// once. The repetition gets the one answer, and the operator decided once.
func TestService_Killed(t *testing.T) {
	for at, c := range map[string]struct{ asked, lookUps int }{ // by the killed process; by the next one
		"before receipt":              {0, 0},
		"after receipt":               {0, 1},
		"while the operator is asked": {1, 1},
		"before answer":               {1, 1},
		"after answer":                {1, 0},
	} {
		t.Run(at, func(t *testing.T) {
			e := MustEnv(t, limits{})
			text := body(map[string]any{"guiaPrestador": "g", "anexos": []any{"JVBERi0xLjQK"}})
			if got := e.kill(at, authorizePath, text); got != c.asked {
				t.Errorf("the killed process asked %d times, want %d", got, c.asked)
			}
			first := e.Post(text, key("k"))
			if first.Status != http.StatusOK || first.Entry()["situacaoAutorizacao"] != "A" || first.Entry()["pdfGuiaAutorizacao"] == "" {
				t.Fatalf("after the kill: got %d %s", first.Status, first.Text)
			}
			if replayed := first.Header.Get("Idempotency-Replayed") == "true"; replayed != (at != "before receipt") {
				t.Errorf("Idempotency-Replayed: got %v", replayed)
			}
			for name, again := range map[string]reply{"key": e.Post(text, key("k")), "guide": e.Post(text, nil)} {
				if again.Text != first.Text {
					t.Errorf("by %s: another answer", name)
				}
			}
			wantAsked := int64(0)
			if at == "before receipt" {
				wantAsked = 1
			}
			if a, l := e.Operator.Authorized.Load(), e.Operator.LookedUp.Load(); a != wantAsked || l != int64(c.lookUps) {
				t.Errorf("then asked %d and looked up %d times, want %d and %d", a, l, wantAsked, c.lookUps)
			}
			if got := len(e.Get("/api/v2/autorizacoes?guiaPrestador=g").Entries("items")); got != 1 {
				t.Errorf("got %d authorizations, want 1", got)
			}
		})
	}
}

// TestService_KilledAfterwards: the same for a request that is decided afterwards.
func TestService_KilledAfterwards(t *testing.T) {
	for _, at := range []string{"before receipt", "after receipt", "before asking", "after asking", "while the operator is asked",
		"before answer", "after answer"} {
		t.Run(at, func(t *testing.T) {
			e := MustEnv(t, limits{})
			text := body(map[string]any{"guiaPrestador": "g"})
			asked := e.kill(at, "/api/v1/solicitacao", `{"solicitacao":`+text+`}`)
			accepted := e.Submit(text, key("k"))
			if accepted.Status != http.StatusAccepted {
				t.Fatalf("after the kill: got %d %s", accepted.Status, accepted.Text)
			}
			e.Clock.Move(time.Hour) // the dead process's claims are over
			e.RunDue()
			e.StandsAt(accepted.Data()["guiaId"].(string), "A")
			if total := asked + int(e.Operator.Authorized.Load()); total > 1 || total == 0 && e.Operator.LookedUp.Load() == 0 {
				t.Errorf("the operator decided %d times, want once", total)
			}
			if again := e.Submit(text, key("k")); again.Text != accepted.Text {
				t.Errorf("again: got %s, want %s", again.Text, accepted.Text)
			}
		})
	}
}

// TestService_KilledDuringAction: the same for an act. Where nobody knows whether
// the operator took it, it is not told again.
func TestService_KilledDuringAction(t *testing.T) {
	for at, want := range map[string]struct {
		status authorization.Status // after the act is repeated
		asked  int                  // by the killed process
	}{"before act": {"X", 0}, "after act": {"A", 0}, "while the operator is asked": {"A", 1}, "before update": {"A", 1},
		"after update": {"X", 1}} {
		t.Run(at, func(t *testing.T) {
			e := MustEnv(t, limits{})
			id, _ := e.MustAuthorize("0310004512063345")
			if got := e.kill(at, guidePath(id)+"/cancelamento", someReason); got != want.asked {
				t.Errorf("the killed process asked %d times, want %d", got, want.asked)
			}
			before := e.Operator.Acted.Load()
			r := e.Act(id, "cancelamento", someReason, key("k"))
			if e.StandsAt(id, want.status); want.status == "X" && r.Status != http.StatusOK || want.status == "A" &&
				r.Status != http.StatusConflict {
				t.Errorf("again: got %d %s", r.Status, r.Text)
			}
			if told := e.Operator.Acted.Load() - before; told != 0 && at != "before act" {
				t.Errorf("told again %d times", told)
			}
			if again := e.Act(id, "cancelamento", someReason, key("k")); want.status == "X" && again.Text != r.Text {
				t.Error("another answer")
			}
			e.Clock.Move(time.Hour) // longer than anybody can still be telling
			if late := e.Act(id, "cancelamento", someReason, key("k")).Status; want.status == "A" && late != http.StatusGatewayTimeout {
				t.Errorf("after the operator's time: got %d, want 504", late)
			}
		})
	}
}
