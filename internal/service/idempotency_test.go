package service_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/service"
	"guiche/internal/service/access"
	"guiche/internal/service/servicetest"

	"github.com/google/uuid"
)

// TestService_Idempotency is row 11.
func TestService_Idempotency(t *testing.T) {
	e := MustEnv(t, limits{})
	first := e.Post(body(map[string]any{"numeroCarteira": "999919"}), key("k1"))
	t.Run("SameKey", func(t *testing.T) {
		e.Clock.Move(time.Hour)
		checkReplay(t, first, e.Post(body(map[string]any{"numeroCarteira": "999919"}), key("k1")))
	})
	t.Run("SpaceAndOrderDoNotMatter", func(t *testing.T) {
		text := strings.ReplaceAll(body(map[string]any{"numeroCarteira": "999919", "anexos": []any{}}), `,"`, ",\n \"")
		tail := strings.Replace(text, `{"anexos":[],`, "{", 1)
		tail = strings.TrimSuffix(tail, "}") + `, "anexos" : [ ] }`
		checkReplay(t, first, e.Post(tail, key("k1")))
	})
	t.Run("DefaultsWrittenOutAreTheSame", func(t *testing.T) {
		checkReplay(t, first, e.Post(body(map[string]any{"numeroCarteira": "999919", "tipoAcidente": "9", "retorno": "N"}), key("k1")))
	})
	t.Run("OtherBody", func(t *testing.T) {
		res := e.Post(body(map[string]any{"numeroCarteira": "999901"}), key("k1"))
		checkRefusal(t, res, http.StatusConflict)
		if res.Fields()[0] != " corpo_diferente" {
			t.Errorf("got %q", res.Fields())
		}
	})
	t.Run("SameGuide", func(t *testing.T) {
		guide := map[string]any{"guiaPrestador": "g-1"}
		first := e.Post(body(guide), nil)
		checkReplay(t, first, e.Post(body(guide), nil))
		checkReplay(t, first, e.Post(body(guide), key("another key")))
		guide["nomeBeneficiario"] = "OUTRA"
		checkRefusal(t, e.Post(body(guide), nil), http.StatusConflict)
	})
	t.Run("OtherAttachment", func(t *testing.T) {
		one := map[string]any{"guiaPrestador": "g-2", "anexos": []any{"JVBERi0xLjQK"}}
		first := e.Post(body(one), nil)
		one["anexos"] = []any{"JVBERi0xLjUK"}
		checkRefusal(t, e.Post(body(one), nil), http.StatusConflict)
		one["anexos"] = []any{"data:application/pdf;base64,JVBERi0xLjQK"}
		checkReplay(t, first, e.Post(body(one), nil))
	})
	t.Run("OtherPartner", func(t *testing.T) {
		p := access.DeskProfile()
		p.ID = uuid.New()
		e.Must(e.Admin.PutProfile(t.Context(), p))
		other, err := e.Admin.MintKey(t.Context(), p.ID, 0)
		e.Must(err)
		res := e.Post(body(map[string]any{"guiaPrestador": "g-1", "nomeBeneficiario": "OUTRA"}),
			http.Header{"Idempotency-Key": {"k1"}, "X-Api-Key": {other}})
		if res.Status != http.StatusOK {
			t.Errorf("got %d %s", res.Status, res.Text)
		}
	})
	t.Run("Restart", func(t *testing.T) {
		asked := e.Operator.Authorized.Load()
		e.Restart()
		checkReplay(t, first, e.Post(body(map[string]any{"numeroCarteira": "999919"}), key("k1")))
		if got := e.Operator.Authorized.Load(); got != asked {
			t.Errorf("asked %d times, want %d", got, asked)
		}
	})
	t.Run("KeyIsKept30Days", func(t *testing.T) {
		e.Clock.Move(30*24*time.Hour - 2*time.Hour)
		fresh, err := e.Admin.MintKey(t.Context(), access.DeskProfile().ID, 0)
		e.Must(err)
		e.Key = fresh
		checkReplay(t, first, e.Post(body(map[string]any{"numeroCarteira": "999919"}), key("k1")))
		e.Clock.Move(2 * time.Hour)
		if res := e.Post(body(nil), key("k1")); res.Status != http.StatusOK || res.Text == first.Text {
			t.Errorf("after 30 days: got %d", res.Status)
		}
	})
	t.Run("LongestKey", func(t *testing.T) {
		if res := e.Post(body(map[string]any{"guiaPrestador": "g-9"}), key(strings.Repeat("k", 255))); res.Status != http.StatusOK {
			t.Errorf("255: got %d", res.Status)
		}
		checkRefusal(t, e.Post(body(nil), key(strings.Repeat("k", 256))), http.StatusUnprocessableEntity)
		checkRefusal(t, e.Post(body(nil), http.Header{"Idempotency-Key": {"a", "b"}}), http.StatusUnprocessableEntity)
	})
}

// TestService_RefusedRequestLeavesKeyFree is row 8: a corrected request may use
// the same key.
func TestService_RefusedRequestLeavesKeyFree(t *testing.T) {
	e := MustEnv(t, limits{})
	for _, wrong := range []string{`{`, body(map[string]any{"numeroCarteira": ""}), body(map[string]any{"credencialId": unconnectedID})} {
		if res := e.Post(wrong, key("k")); res.Status < 400 {
			t.Fatalf("got %d", res.Status)
		}
	}
	if res := e.Post(body(nil), key("k")); res.Status != http.StatusOK || res.Header.Get("Idempotency-Replayed") != "" {
		t.Errorf("got %d %s", res.Status, res.Text)
	}
}

// TestService_ParallelEqualRequests: one hundred equal requests at once are one
// authorization, and all read the same answer.
func TestService_ParallelEqualRequests(t *testing.T) {
	for name, header := range map[string]http.Header{"key": key("k"), "guide": nil} {
		t.Run(name, func(t *testing.T) {
			e := MustEnv(t, limits{})
			text := body(map[string]any{"guiaPrestador": "g", "anexos": []any{"JVBERi0xLjQK"}})
			answers := make([]reply, 100)
			var all sync.WaitGroup
			for i := range answers {
				all.Go(func() { answers[i] = e.Post(text, header) })
			}
			all.Wait()
			fresh := 0
			for _, a := range answers {
				if a.Status != http.StatusOK || a.Text != answers[0].Text {
					t.Fatalf("got %d, %.200s", a.Status, a.Text)
				}
				if a.Header.Get("Idempotency-Replayed") == "" {
					fresh++
				}
			}
			if asked := e.Operator.Authorized.Load(); asked != 1 || fresh != 1 || e.Operator.LookedUp.Load() != 0 {
				t.Errorf("asked %d times, %d fresh answers, %d look-ups, want 1, 1, 0", asked, fresh, e.Operator.LookedUp.Load())
			}
		})
	}
}

// TestService_ParallelGeneratedGuides: requests of one second get a number each.
func TestService_ParallelGeneratedGuides(t *testing.T) {
	e := MustEnv(t, limits{})
	var all sync.WaitGroup
	numbers := make(chan any, 30)
	for range 30 {
		all.Go(func() { numbers <- e.Post(body(nil), nil).Entry()["guiaPrestador"] })
	}
	all.Wait()
	seen := map[any]bool{}
	for range 30 {
		seen[<-numbers] = true
	}
	if len(seen) != 30 || !seen["261120143055"] || !seen["261120143124"] {
		t.Errorf("got %d numbers: %v", len(seen), seen)
	}
}

// TestService_Busy is row 9: em_processamento while the first one is being asked,
// its answer afterwards.
func TestService_Busy(t *testing.T) {
	e := MustEnv(t, limits{Service: service.Limits{BusyWait: 10 * time.Millisecond}})
	reached, release := make(chan struct{}), make(chan struct{})
	e.Operator.Before(func(context.Context, service.OperatorRequest) error { close(reached); <-release; return nil })
	text := body(map[string]any{"guiaPrestador": "g"})
	first := make(chan reply)
	go func() { first <- e.Post(text, nil) }()
	<-reached
	res := e.Post(text, nil)
	checkRefusal(t, res, http.StatusConflict)
	if res.Fields()[0] != " em_processamento" {
		t.Errorf("got %q", res.Fields())
	}
	checkRefusal(t, e.Get("/api/v2/autorizacoes?guiaPrestador=g"), http.StatusConflict)
	close(release)
	checkReplay(t, <-first, e.Post(text, nil))
}

// TestService_CallerHangsUp: the operator is asked to the end, and the answer
// waits for the repetition.
func TestService_CallerHangsUp(t *testing.T) {
	e := MustEnv(t, limits{})
	reached, release := make(chan struct{}), make(chan struct{})
	e.Operator.Before(func(ctx context.Context, _ service.OperatorRequest) error {
		close(reached)
		<-release
		return ctx.Err()
	})
	text := body(map[string]any{"guiaPrestador": "g"})
	ctx, hangUp := context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, e.Server.URL+authorizePath, strings.NewReader(text))
	e.Must(err)
	r.Header.Set("X-Api-Key", e.Key)
	r.Header.Set("Content-Type", "application/json")
	ended := make(chan error)
	go func() { _, err := e.Server.Client().Do(r); ended <- err }() //nolint:bodyclose // there is none
	<-reached
	hangUp()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	close(release)
	if res := e.Post(text, nil); res.Status != http.StatusOK || e.Operator.Authorized.Load() != 1 {
		t.Errorf("got %d, asked %d times", res.Status, e.Operator.Authorized.Load())
	}
}

// TestService_OperatorFailures is rows 9 and 11: 502 and 504 keep the request and
// are looked up, never asked twice.
func TestService_OperatorFailures(t *testing.T) {
	t.Run("Failure", func(t *testing.T) {
		e := MustEnv(t, limits{})
		text := body(map[string]any{"numeroCarteira": "999922", "guiaPrestador": "g"})
		first := e.Post(text, key("k"))
		checkRefusal(t, first, http.StatusBadGateway)
		again := e.Post(text, key("k"))
		if again.Status != http.StatusBadGateway || again.Text != first.Text || again.Fields()[0] != " falha_operadora" {
			t.Errorf("again: got %d %s", again.Status, again.Text)
		}
		checkRefusal(t, e.Get("/api/v2/autorizacoes?guiaPrestador=g"), http.StatusBadGateway)
		if e.Operator.Authorized.Load() != 1 || e.Operator.LookedUp.Load() != 2 {
			t.Errorf("asked %d, looked up %d, want 1, 2", e.Operator.Authorized.Load(), e.Operator.LookedUp.Load())
		}
	})
	t.Run("TimeoutThenFound", func(t *testing.T) {
		e := MustEnv(t, limits{})
		text := body(map[string]any{"credencialId": strictID, "validadeCarteira": "2027-12-31", "numeroCarteira": "99992300000000000",
			"guiaPrestador": "g"})
		checkRefusal(t, e.Post(text, nil), http.StatusGatewayTimeout)
		found := e.Post(text, nil)
		if found.Status != http.StatusOK || found.Entry()["situacaoAutorizacao"] != "A" {
			t.Fatalf("got %d %s", found.Status, found.Text)
		}
		if again := e.Post(text, nil); again.Text != found.Text {
			t.Error("the answer changed")
		}
		if e.Operator.Authorized.Load() != 1 || e.Operator.LookedUp.Load() != 1 {
			t.Errorf("asked %d, looked up %d, want 1, 1", e.Operator.Authorized.Load(), e.Operator.LookedUp.Load())
		}
	})
	t.Run("Panic", func(t *testing.T) {
		e := MustEnv(t, limits{})
		e.Operator.Before(func(context.Context, service.OperatorRequest) error { panic("HELENA") })
		checkRefusal(t, e.Post(body(nil), nil), http.StatusBadGateway)
		if strings.Contains(e.Log.String(), "HELENA") {
			t.Error("the panic's value is in the log")
		}
	})
	t.Run("UselessDecisions", func(t *testing.T) {
		for name, d := range map[string]service.Decision{
			"nothing":               {},
			"unknown status":        {Authorizations: []authorization.Authorization{{Status: "Q"}}},
			"simulated without SIM": {Simulated: true, Authorizations: []authorization.Authorization{{Status: "A", Senha: "123"}}},
		} {
			e := MustEnv(t, limits{})
			e.Operator.Operator = servicetest.Fixed{Decision: d}
			if got := e.Post(body(nil), nil).Status; got != http.StatusBadGateway {
				t.Errorf("%s: got %d, want 502", name, got)
			}
		}
	})
}

// TestService_Interrupted: the process dies between asking and storing. The
// request is in the ledger; nobody is asked twice.
func TestService_Interrupted(t *testing.T) {
	for name, c := range map[string]struct {
		card         string
		status, late int // at once, and when the operator's time is over
	}{"looked up": {"999901", 200, 200}, "nothing to look up": {"999922", 409, 504}} {
		t.Run(name, func(t *testing.T) {
			e := MustEnv(t, limits{})
			text := body(map[string]any{"numeroCarteira": c.card, "guiaPrestador": "g"})
			e.Operator.Before(func(context.Context, service.OperatorRequest) error {
				e.Must(e.DB.Close()) // nothing can be stored any more: what a killed process leaves behind
				return nil
			})
			if got := e.Post(text, nil).Status; got != http.StatusInternalServerError {
				t.Fatalf("got %d, want 500", got)
			}
			e.Operator.Before(nil)
			e.Restart()
			if got := e.Post(text, nil).Status; got != c.status {
				t.Errorf("after the restart: got %d, want %d", got, c.status)
			}
			e.Clock.Move(time.Hour) // longer than anybody can still be asking
			if got, want := e.Post(text, nil).Status, c.late; got != want {
				t.Errorf("after the operator's time: got %d, want %d", got, want)
			}
			if asked := e.Operator.Authorized.Load(); asked != 1 {
				t.Errorf("asked %d times, want 1", asked)
			}
		})
	}
}

func TestService_Close(t *testing.T) {
	e := MustEnv(t, limits{})
	reached := make(chan struct{})
	e.Operator.Before(func(ctx context.Context, _ service.OperatorRequest) error {
		close(reached)
		<-ctx.Done()
		return ctx.Err()
	})
	text := body(map[string]any{"guiaPrestador": "g"})
	first := make(chan reply)
	go func() { first <- e.Post(text, nil) }()
	<-reached
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := e.Service.Close(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
	if got := (<-first).Status; got != http.StatusBadGateway {
		t.Errorf("got %d, want 502", got)
	}
	e.Restart()
	if res := e.Post(text, nil); res.Status != http.StatusOK || e.Operator.Authorized.Load() != 1 {
		t.Errorf("got %d, asked %d times", res.Status, e.Operator.Authorized.Load())
	}
}

// TestService_LookUp is row 18.
func TestService_LookUp(t *testing.T) {
	e := MustEnv(t, limits{})
	if res := e.Get("/api/v2/autorizacoes?guiaPrestador=nunca"); res.Status != 200 || res.Body["sucesso"] != true ||
		len(res.Data()["items"].([]any)) != 0 {
		t.Errorf("never arrived: got %d %s", res.Status, res.Text)
	}
	answer := e.Post(body(map[string]any{"numeroCarteira": "999903", "guiaPrestador": "g"}), nil).Entry()
	id := answer["guiaId"].(string)
	same := func(found map[string]any, status string) {
		t.Helper()
		if _, ok := found["situacaoAutorizacao"]; ok || found["statusAutorizacao"] != status {
			t.Errorf("status: got %v, want %s", found["statusAutorizacao"], status)
		}
		for name, value := range answer {
			if text, ok := value.(string); ok && name != "situacaoAutorizacao" && found[name] != text {
				t.Errorf("%s: got %.40v, want %.40v", name, found[name], text)
			}
		}
	}
	same(e.Get("/api/v2/autorizacoes?guiaPrestador=g").Entries("items")[0], "R")
	same(e.Get("/api/v2/autorizacoes/"+id).Data(), "R")
	e.Clock.Move(20 * time.Second)
	e.RunDue()
	e.StandsAt(id, "A")
	for _, path := range []string{"/api/v2/autorizacoes/x", "/api/v2/autorizacoes/" + uuid.NewString()} {
		checkRefusal(t, e.Get(path), http.StatusNotFound)
	}
	checkRefusal(t, e.Get("/api/v2/autorizacoes"), http.StatusUnprocessableEntity)
	p := access.DeskProfile()
	p.ID = uuid.New()
	e.Must(e.Admin.PutProfile(t.Context(), p))
	other, err := e.Admin.MintKey(t.Context(), p.ID, 0)
	e.Must(err)
	checkRefusal(t, e.Send(http.MethodGet, "/api/v2/autorizacoes/"+id, nil, http.Header{"X-Api-Key": {other}}), http.StatusNotFound)
}

// TestService_LogKeepsPeopleOut: identifiers, codes and sizes only.
func TestService_LogKeepsPeopleOut(t *testing.T) {
	e := MustEnv(t, limits{})
	e.Post(body(map[string]any{"guiaPrestador": "g", "anexos": []any{"Q0FOQVJJTw"}}), key("CANARIO"))
	e.Post(body(map[string]any{"numeroCarteira": "999922 CANARIO"}), nil)
	e.Post(body(map[string]any{"validadeCarteira": "CANARIO", "CANARIO": 1}), nil)
	e.Post(`{"CANARIO": CANARIO`, nil)
	e.Get("/api/v2/credenciais?Busca=CANARIO")
	e.Get("/api/v2/autorizacoes?guiaPrestador=CANARIO")
	e.Get("/api/v2/autorizacoes/CANARIO")
	e.Get("/CANARIO")
	logged := e.Log.String()
	for _, secret := range []string{"CANARIO", "HELENA", "0310004512063345", "999922", "Q0FOQVJJTw", e.Key, "Caio", "104552"} {
		if strings.Contains(logged, secret) {
			t.Errorf("the log holds %q", secret)
		}
	}
	if strings.Count(logged, "msg=request") != 8 || !strings.Contains(logged, "code=falha_operadora") {
		t.Errorf("log: got %s", logged)
	}
}
