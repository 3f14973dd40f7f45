package api_test

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

	"github.com/google/uuid"
)

func key(text string) http.Header { return http.Header{"Idempotency-Key": {text}} }

// checkReplay: the first answer byte for byte, and the header that says so.
func checkReplay(t *testing.T, first, again reply) {
	t.Helper()
	if again.status != http.StatusOK || again.text != first.text {
		t.Errorf("got %d, %d bytes that differ from the first %d", again.status, len(again.text), len(first.text))
	}
	if first.header.Get("Idempotency-Replayed") != "" || again.header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("Idempotency-Replayed: got %q then %q", first.header.Get("Idempotency-Replayed"), again.header.Get("Idempotency-Replayed"))
	}
}

// TestService_Idempotency is row 11.
func TestService_Idempotency(t *testing.T) {
	e := MustEnv(t, limits{})
	first := e.post(body(map[string]any{"numeroCarteira": "999919"}), key("k1"))
	t.Run("SameKey", func(t *testing.T) {
		e.clock.move(time.Hour)
		checkReplay(t, first, e.post(body(map[string]any{"numeroCarteira": "999919"}), key("k1")))
	})
	t.Run("SpaceAndOrderDoNotMatter", func(t *testing.T) {
		text := strings.ReplaceAll(body(map[string]any{"numeroCarteira": "999919", "anexos": []any{}}), `,"`, ",\n \"")
		tail := strings.Replace(text, `{"anexos":[],`, "{", 1)
		tail = strings.TrimSuffix(tail, "}") + `, "anexos" : [ ] }`
		checkReplay(t, first, e.post(tail, key("k1")))
	})
	t.Run("DefaultsWrittenOutAreTheSame", func(t *testing.T) {
		checkReplay(t, first, e.post(body(map[string]any{"numeroCarteira": "999919", "tipoAcidente": "9", "retorno": "N"}), key("k1")))
	})
	t.Run("OtherBody", func(t *testing.T) {
		res := e.post(body(map[string]any{"numeroCarteira": "999901"}), key("k1"))
		checkRefusal(t, res, http.StatusConflict)
		if res.fields()[0] != " corpo_diferente" {
			t.Errorf("got %q", res.fields())
		}
	})
	t.Run("SameGuide", func(t *testing.T) {
		guide := map[string]any{"guiaPrestador": "g-1"}
		first := e.post(body(guide), nil)
		checkReplay(t, first, e.post(body(guide), nil))
		checkReplay(t, first, e.post(body(guide), key("another key")))
		guide["nomeBeneficiario"] = "OUTRA"
		checkRefusal(t, e.post(body(guide), nil), http.StatusConflict)
	})
	t.Run("OtherAttachment", func(t *testing.T) {
		one := map[string]any{"guiaPrestador": "g-2", "anexos": []any{"QUJD"}}
		first := e.post(body(one), nil)
		one["anexos"] = []any{"QUI_"}
		checkRefusal(t, e.post(body(one), nil), http.StatusConflict)
		one["anexos"] = []any{"data:application/pdf;base64,QUJD"}
		checkReplay(t, first, e.post(body(one), nil))
	})
	t.Run("OtherPartner", func(t *testing.T) {
		p := access.DeskProfile()
		p.ID = uuid.New()
		e.must(e.admin.PutProfile(t.Context(), p))
		other, err := e.admin.MintKey(t.Context(), p.ID, 0)
		e.must(err)
		res := e.post(body(map[string]any{"guiaPrestador": "g-1", "nomeBeneficiario": "OUTRA"}), http.Header{"Idempotency-Key": {"k1"}, "X-Api-Key": {other}})
		if res.status != http.StatusOK {
			t.Errorf("got %d %s", res.status, res.text)
		}
	})
	t.Run("Restart", func(t *testing.T) {
		asked := e.operator.authorize.Load()
		e.restart()
		checkReplay(t, first, e.post(body(map[string]any{"numeroCarteira": "999919"}), key("k1")))
		if got := e.operator.authorize.Load(); got != asked {
			t.Errorf("asked %d times, want %d", got, asked)
		}
	})
	t.Run("KeyIsKept30Days", func(t *testing.T) {
		e.clock.move(30*24*time.Hour - 2*time.Hour)
		fresh, err := e.admin.MintKey(t.Context(), access.DeskProfile().ID, 0)
		e.must(err)
		e.key = fresh
		checkReplay(t, first, e.post(body(map[string]any{"numeroCarteira": "999919"}), key("k1")))
		e.clock.move(2 * time.Hour)
		if res := e.post(body(nil), key("k1")); res.status != http.StatusOK || res.text == first.text {
			t.Errorf("after 30 days: got %d", res.status)
		}
	})
	t.Run("LongestKey", func(t *testing.T) {
		if res := e.post(body(map[string]any{"guiaPrestador": "g-9"}), key(strings.Repeat("k", 255))); res.status != http.StatusOK {
			t.Errorf("255: got %d", res.status)
		}
		checkRefusal(t, e.post(body(nil), key(strings.Repeat("k", 256))), http.StatusUnprocessableEntity)
		checkRefusal(t, e.post(body(nil), http.Header{"Idempotency-Key": {"a", "b"}}), http.StatusUnprocessableEntity)
	})
}

// TestService_RefusedRequestLeavesKeyFree is row 8: a corrected request may use
// the same key.
func TestService_RefusedRequestLeavesKeyFree(t *testing.T) {
	e := MustEnv(t, limits{})
	for _, wrong := range []string{`{`, body(map[string]any{"numeroCarteira": ""}), body(map[string]any{"credencialId": unconnectedID})} {
		if res := e.post(wrong, key("k")); res.status < 400 {
			t.Fatalf("got %d", res.status)
		}
	}
	if res := e.post(body(nil), key("k")); res.status != http.StatusOK || res.header.Get("Idempotency-Replayed") != "" {
		t.Errorf("got %d %s", res.status, res.text)
	}
}

// TestService_ParallelEqualRequests: one hundred equal requests at once are one
// authorization, and all read the same answer.
func TestService_ParallelEqualRequests(t *testing.T) {
	for name, header := range map[string]http.Header{"key": key("k"), "guide": nil} {
		t.Run(name, func(t *testing.T) {
			e := MustEnv(t, limits{})
			text := body(map[string]any{"guiaPrestador": "g", "anexos": []any{"QUJD"}})
			answers := make([]reply, 100)
			var all sync.WaitGroup
			for i := range answers {
				all.Go(func() { answers[i] = e.post(text, header) })
			}
			all.Wait()
			fresh := 0
			for _, a := range answers {
				if a.status != http.StatusOK || a.text != answers[0].text {
					t.Fatalf("got %d, %.200s", a.status, a.text)
				}
				if a.header.Get("Idempotency-Replayed") == "" {
					fresh++
				}
			}
			if asked := e.operator.authorize.Load(); asked != 1 || fresh != 1 || e.operator.lookUp.Load() != 0 {
				t.Errorf("asked %d times, %d fresh answers, %d look-ups, want 1, 1, 0", asked, fresh, e.operator.lookUp.Load())
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
		all.Go(func() { numbers <- e.post(body(nil), nil).entry()["guiaPrestador"] })
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
	e := MustEnv(t, limits{service: service.Limits{BusyWait: 10 * time.Millisecond}})
	reached, release := make(chan struct{}), make(chan struct{})
	e.operator.before = func(context.Context, service.OperatorRequest) error { close(reached); <-release; return nil }
	text := body(map[string]any{"guiaPrestador": "g"})
	first := make(chan reply)
	go func() { first <- e.post(text, nil) }()
	<-reached
	res := e.post(text, nil)
	checkRefusal(t, res, http.StatusConflict)
	if res.fields()[0] != " em_processamento" {
		t.Errorf("got %q", res.fields())
	}
	checkRefusal(t, e.get("/api/v2/autorizacoes?guiaPrestador=g"), http.StatusConflict)
	close(release)
	checkReplay(t, <-first, e.post(text, nil))
}

// TestService_CallerHangsUp: the operator is asked to the end, and the answer
// waits for the repetition.
func TestService_CallerHangsUp(t *testing.T) {
	e := MustEnv(t, limits{})
	reached, release := make(chan struct{}), make(chan struct{})
	e.operator.before = func(ctx context.Context, _ service.OperatorRequest) error {
		close(reached)
		<-release
		return ctx.Err()
	}
	text := body(map[string]any{"guiaPrestador": "g"})
	ctx, hangUp := context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, e.server.URL+authorizePath, strings.NewReader(text))
	e.must(err)
	r.Header.Set("X-Api-Key", e.key)
	r.Header.Set("Content-Type", "application/json")
	ended := make(chan error)
	go func() { _, err := e.server.Client().Do(r); ended <- err }() //nolint:bodyclose // there is none
	<-reached
	hangUp()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	close(release)
	if res := e.post(text, nil); res.status != http.StatusOK || e.operator.authorize.Load() != 1 {
		t.Errorf("got %d, asked %d times", res.status, e.operator.authorize.Load())
	}
}

// TestService_OperatorFailures is rows 9 and 11: 502 and 504 keep the request and
// are looked up, never asked twice.
func TestService_OperatorFailures(t *testing.T) {
	t.Run("Failure", func(t *testing.T) {
		e := MustEnv(t, limits{})
		text := body(map[string]any{"numeroCarteira": "999922", "guiaPrestador": "g"})
		first := e.post(text, key("k"))
		checkRefusal(t, first, http.StatusBadGateway)
		again := e.post(text, key("k"))
		if again.status != http.StatusBadGateway || again.text != first.text || again.fields()[0] != " falha_operadora" {
			t.Errorf("again: got %d %s", again.status, again.text)
		}
		checkRefusal(t, e.get("/api/v2/autorizacoes?guiaPrestador=g"), http.StatusBadGateway)
		if e.operator.authorize.Load() != 1 || e.operator.lookUp.Load() != 2 {
			t.Errorf("asked %d, looked up %d, want 1, 2", e.operator.authorize.Load(), e.operator.lookUp.Load())
		}
	})
	t.Run("TimeoutThenFound", func(t *testing.T) {
		e := MustEnv(t, limits{})
		text := body(map[string]any{"credencialId": strictID, "validadeCarteira": "2027-12-31", "numeroCarteira": "99992300000000000", "guiaPrestador": "g"})
		checkRefusal(t, e.post(text, nil), http.StatusGatewayTimeout)
		found := e.post(text, nil)
		if found.status != http.StatusOK || found.entry()["situacaoAutorizacao"] != "A" {
			t.Fatalf("got %d %s", found.status, found.text)
		}
		if again := e.post(text, nil); again.text != found.text {
			t.Error("the answer changed")
		}
		if e.operator.authorize.Load() != 1 || e.operator.lookUp.Load() != 1 {
			t.Errorf("asked %d, looked up %d, want 1, 1", e.operator.authorize.Load(), e.operator.lookUp.Load())
		}
	})
	t.Run("Panic", func(t *testing.T) {
		e := MustEnv(t, limits{})
		e.operator.before = func(context.Context, service.OperatorRequest) error { panic("HELENA") }
		checkRefusal(t, e.post(body(nil), nil), http.StatusBadGateway)
		if strings.Contains(e.log.String(), "HELENA") {
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
			e.operator.Operator = fixed{d}
			if got := e.post(body(nil), nil).status; got != http.StatusBadGateway {
				t.Errorf("%s: got %d, want 502", name, got)
			}
		}
	})
}

// fixed is an operator with one decision.
type fixed struct{ d service.Decision }

func (f fixed) Authorize(context.Context, service.OperatorRequest) (service.Decision, error) {
	return f.d, nil
}
func (f fixed) LookUp(context.Context, service.OperatorRequest) (service.Decision, error) {
	return service.Decision{}, service.ErrNotKnown
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
			e.operator.before = func(context.Context, service.OperatorRequest) error {
				e.must(e.db.Close()) // nothing can be stored any more: what a killed process leaves behind
				return nil
			}
			if got := e.post(text, nil).status; got != http.StatusInternalServerError {
				t.Fatalf("got %d, want 500", got)
			}
			e.operator.before = nil
			e.restart()
			if got := e.post(text, nil).status; got != c.status {
				t.Errorf("after the restart: got %d, want %d", got, c.status)
			}
			e.clock.move(time.Hour) // longer than anybody can still be asking
			if got, want := e.post(text, nil).status, c.late; got != want {
				t.Errorf("after the operator's time: got %d, want %d", got, want)
			}
			if asked := e.operator.authorize.Load(); asked != 1 {
				t.Errorf("asked %d times, want 1", asked)
			}
		})
	}
}

func TestService_Close(t *testing.T) {
	e := MustEnv(t, limits{})
	reached := make(chan struct{})
	e.operator.before = func(ctx context.Context, _ service.OperatorRequest) error {
		close(reached)
		<-ctx.Done()
		return ctx.Err()
	}
	text := body(map[string]any{"guiaPrestador": "g"})
	first := make(chan reply)
	go func() { first <- e.post(text, nil) }()
	<-reached
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := e.service.Close(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
	if got := (<-first).status; got != http.StatusBadGateway {
		t.Errorf("got %d, want 502", got)
	}
	e.restart()
	if res := e.post(text, nil); res.status != http.StatusOK || e.operator.authorize.Load() != 1 {
		t.Errorf("got %d, asked %d times", res.status, e.operator.authorize.Load())
	}
}

// TestService_LookUp is row 18.
func TestService_LookUp(t *testing.T) {
	e := MustEnv(t, limits{})
	if res := e.get("/api/v2/autorizacoes?guiaPrestador=nunca"); res.status != 200 || res.body["sucesso"] != true || len(res.data()["items"].([]any)) != 0 {
		t.Errorf("never arrived: got %d %s", res.status, res.text)
	}
	answer := e.post(body(map[string]any{"numeroCarteira": "999903", "guiaPrestador": "g"}), nil).entry()
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
	same(e.get("/api/v2/autorizacoes?guiaPrestador=g").entries("items")[0], "R")
	same(e.get("/api/v2/autorizacoes/"+id).data(), "R")
	e.clock.move(20 * time.Second)
	e.runDue()
	e.standsAt(id, "A")
	for _, path := range []string{"/api/v2/autorizacoes/x", "/api/v2/autorizacoes/" + uuid.NewString()} {
		checkRefusal(t, e.get(path), http.StatusNotFound)
	}
	checkRefusal(t, e.get("/api/v2/autorizacoes"), http.StatusUnprocessableEntity)
	p := access.DeskProfile()
	p.ID = uuid.New()
	e.must(e.admin.PutProfile(t.Context(), p))
	other, err := e.admin.MintKey(t.Context(), p.ID, 0)
	e.must(err)
	checkRefusal(t, e.send(http.MethodGet, "/api/v2/autorizacoes/"+id, nil, http.Header{"X-Api-Key": {other}}), http.StatusNotFound)
}

// TestService_LogKeepsPeopleOut: identifiers, codes and sizes only.
func TestService_LogKeepsPeopleOut(t *testing.T) {
	e := MustEnv(t, limits{})
	e.post(body(map[string]any{"guiaPrestador": "g", "anexos": []any{"Q0FOQVJJTw"}}), key("CANARIO"))
	e.post(body(map[string]any{"numeroCarteira": "999922 CANARIO"}), nil)
	e.post(body(map[string]any{"validadeCarteira": "CANARIO", "CANARIO": 1}), nil)
	e.post(`{"CANARIO": CANARIO`, nil)
	e.get("/api/v2/credenciais?Busca=CANARIO")
	e.get("/api/v2/autorizacoes?guiaPrestador=CANARIO")
	e.get("/api/v2/autorizacoes/CANARIO")
	e.get("/CANARIO")
	logged := e.log.String()
	for _, secret := range []string{"CANARIO", "HELENA", "0310004512063345", "999922", "Q0FOQVJJTw", e.key, "Caio", "104552"} {
		if strings.Contains(logged, secret) {
			t.Errorf("the log holds %q", secret)
		}
	}
	if strings.Count(logged, "msg=request") != 8 || !strings.Contains(logged, "code=falha_operadora") {
		t.Errorf("log: got %s", logged)
	}
}
