package api_test

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
	"guiche/internal/service/simulated"

	"github.com/google/uuid"
)

// The environment variables by which a test starts its own binary again, to be
// killed at a moment.
const (
	killedAt   = "GUICHE_TEST_KILLED_AT"
	killedDir  = "GUICHE_TEST_KILLED_DIR"
	killedKey  = "GUICHE_TEST_KILLED_KEY"
	killedPath = "GUICHE_TEST_KILLED_PATH"
	killedBody = "GUICHE_TEST_KILLED_BODY"
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
	c := newClock()
	e := &env{tb: t, dir: os.Getenv(killedDir), clock: c, log: &lockedBuffer{}, key: os.Getenv(killedKey),
		operator: &asked{Operator: simulated.New(simulated.Config{Clock: c.now})},
		keep:     func(s service.Store) service.Store { return mortal{s, at} }}
	e.operator.before = func(context.Context, service.OperatorRequest) error {
		note, err := os.OpenFile(filepath.Join(e.dir, "asked"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		e.must(err)
		_, err = note.WriteString(".")
		e.must(err)
		die(at, "while the operator is asked")
		return nil
	}
	e.open()
	e.send(http.MethodPost, os.Getenv(killedPath), strings.NewReader(os.Getenv(killedBody)), key("k"))
	e.runDue()
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
	e.close()
	cmd := exec.CommandContext(e.tb.Context(), os.Args[0], "-test.run=^TestKilledProcess$")
	cmd.Env = append(os.Environ(), killedAt+"="+at, killedDir+"="+e.dir, killedKey+"="+e.key, killedPath+"="+path, killedBody+"="+body)
	out, err := cmd.CombinedOutput()
	if err == nil || !wasKilled(cmd.ProcessState, out) {
		e.tb.Fatalf("the other process: %v, want killed: %s", err, out)
	}
	e.open()
	notes, err := os.ReadFile(filepath.Join(e.dir, "asked"))
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
			text := body(map[string]any{"guiaPrestador": "g", "anexos": []any{"QUJD"}})
			if got := e.kill(at, authorizePath, text); got != c.asked {
				t.Errorf("the killed process asked %d times, want %d", got, c.asked)
			}
			first := e.post(text, key("k"))
			if first.status != http.StatusOK || first.entry()["situacaoAutorizacao"] != "A" || first.entry()["pdfGuiaAutorizacao"] == "" {
				t.Fatalf("after the kill: got %d %s", first.status, first.text)
			}
			if replayed := first.header.Get("Idempotency-Replayed") == "true"; replayed != (at != "before receipt") {
				t.Errorf("Idempotency-Replayed: got %v", replayed)
			}
			for name, again := range map[string]reply{"key": e.post(text, key("k")), "guide": e.post(text, nil)} {
				if again.text != first.text {
					t.Errorf("by %s: another answer", name)
				}
			}
			wantAsked := int64(0)
			if at == "before receipt" {
				wantAsked = 1
			}
			if a, l := e.operator.authorize.Load(), e.operator.lookUp.Load(); a != wantAsked || l != int64(c.lookUps) {
				t.Errorf("then asked %d and looked up %d times, want %d and %d", a, l, wantAsked, c.lookUps)
			}
			if got := len(e.get("/api/v2/autorizacoes?guiaPrestador=g").entries("items")); got != 1 {
				t.Errorf("got %d authorizations, want 1", got)
			}
		})
	}
}

// TestService_KilledAfterwards: the same for a request that is decided afterwards.
func TestService_KilledAfterwards(t *testing.T) {
	for _, at := range []string{"before receipt", "after receipt", "before asking", "after asking", "while the operator is asked", "before answer", "after answer"} {
		t.Run(at, func(t *testing.T) {
			e := MustEnv(t, limits{})
			text := body(map[string]any{"guiaPrestador": "g"})
			asked := e.kill(at, "/api/v1/solicitacao", `{"solicitacao":`+text+`}`)
			accepted := e.submit(text, key("k"))
			if accepted.status != http.StatusAccepted {
				t.Fatalf("after the kill: got %d %s", accepted.status, accepted.text)
			}
			e.clock.move(time.Hour) // the dead process's claims are over
			e.runDue()
			e.standsAt(accepted.data()["guiaId"].(string), "A")
			if total := asked + int(e.operator.authorize.Load()); total > 1 || total == 0 && e.operator.lookUp.Load() == 0 {
				t.Errorf("the operator decided %d times, want once", total)
			}
			if again := e.submit(text, key("k")); again.text != accepted.text {
				t.Errorf("again: got %s, want %s", again.text, accepted.text)
			}
		})
	}
}

// TestService_KilledWhileActing: the same for an act. Where nobody knows whether
// the operator took it, it is not told again.
func TestService_KilledWhileActing(t *testing.T) {
	for at, want := range map[string]struct {
		status authorization.Status // after the act is repeated
		asked  int                  // by the killed process
	}{"before act": {"X", 0}, "after act": {"A", 0}, "while the operator is asked": {"A", 1}, "before update": {"A", 1}, "after update": {"X", 1}} {
		t.Run(at, func(t *testing.T) {
			e := MustEnv(t, limits{})
			id, _ := e.MustAuthorize("0310004512063345")
			if got := e.kill(at, guidePath(id)+"/cancelamento", someReason); got != want.asked {
				t.Errorf("the killed process asked %d times, want %d", got, want.asked)
			}
			before := e.operator.acts.Load()
			r := e.act(id, "cancelamento", someReason, key("k"))
			if e.standsAt(id, want.status); want.status == "X" && r.status != http.StatusOK || want.status == "A" && r.status != http.StatusConflict {
				t.Errorf("again: got %d %s", r.status, r.text)
			}
			if told := e.operator.acts.Load() - before; told != 0 && at != "before act" {
				t.Errorf("told again %d times", told)
			}
			if again := e.act(id, "cancelamento", someReason, key("k")); want.status == "X" && again.text != r.text {
				t.Error("another answer")
			}
			e.clock.move(time.Hour) // longer than anybody can still be telling
			if late := e.act(id, "cancelamento", someReason, key("k")).status; want.status == "A" && late != http.StatusGatewayTimeout {
				t.Errorf("after the operator's time: got %d, want 504", late)
			}
		})
	}
}
