package service_test

import (
	"context"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"guiche/internal/service"
	"guiche/internal/service/servicetest"

	"github.com/google/uuid"
)

// otherID is of a credential that a test adds.
var otherID = uuid.MustParse("77777777-7777-4777-8777-777777777777")

func eligibility(changes url.Values) string {
	query := url.Values{"credencialId": {eligibilityID.String()}, "numeroCarteira": {"0310004512063345"}}
	for name, values := range changes {
		if query[name] = values; values == nil {
			delete(query, name)
		}
	}
	return "/api/v1/elegibilidade?" + query.Encode()
}

func TestService_Eligibility(t *testing.T) {
	e := MustEnv(t, limits{})
	r := e.Get(eligibility(url.Values{"validadeCarteira": {"2027-12-31T00:00:00"}}))
	want := map[string]any{"elegivel": true, "situacao": "Ativo", "nomeBeneficiario": "",
		"planoBeneficiario": "Plano de demonstração (simulação)",
		"validadeCarteira":  "2027-12-31T00:00:00", "mensagens": []any{}}
	if r.Status != http.StatusOK || !reflect.DeepEqual(r.Data(), want) {
		t.Errorf("got %d %s, want %v", r.Status, r.Text, want)
	}
	if got := e.Operator.Eligibility; got.Credential.ID != credentialID || got.CardNumber != "0310004512063345" {
		t.Errorf("operator got %+v", got)
	}
	r = e.Get(eligibility(url.Values{"numeroCarteira": {"999916000000"}}))
	if r.Status != http.StatusOK || r.Body["sucesso"] != true || r.Data()["elegivel"] != false ||
		r.Data()["validadeCarteira"] != nil || !strings.Contains(r.Text, "Número da carteira inválido") {
		t.Errorf("an unknown card: got %d %s", r.Status, r.Text)
	}
	if strings.Contains(e.Log.String(), "0310004512063345") || strings.Contains(e.Log.String(), "numeroCarteira") {
		t.Error("the log holds the query")
	}
}

func TestService_EligibilityRefusals(t *testing.T) {
	e := MustEnv(t, limits{Service: service.Limits{OperatorTimeout: 20 * time.Millisecond}})
	for name, c := range map[string]struct {
		query  url.Values
		status int
		fields string
	}{
		"Nothing":      {url.Values{"credencialId": nil, "numeroCarteira": nil}, 422, "credencialId obrigatorio,numeroCarteira obrigatorio"},
		"NoUUID":       {url.Values{"credencialId": {"x"}}, 422, "credencialId formato"},
		"Unknown":      {url.Values{"credencialId": {unitID.String()}}, 422, "credencialId dominio"},
		"RequestsID":   {url.Values{"credencialId": {credentialID.String()}}, 422, "credencialId dominio"},
		"BadDate":      {url.Values{"validadeCarteira": {"amanhã"}}, 422, "validadeCarteira formato"},
		"Fails":        {url.Values{"numeroCarteira": {"999922000000"}}, 502, " falha_operadora"},
		"TimesOut":     {url.Values{"numeroCarteira": {"999923000000"}}, 504, " tempo_operadora"},
		"NoConnection": {url.Values{"credencialId": {otherID.String()}}, 503, " indisponivel"},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "NoConnection" {
				c := servicetest.Credentials()[2]
				c.ID, c.EligibilityID = otherID, otherID
				e.Must(e.Admin.PutCredential(t.Context(), c))
			}
			r := e.Get(eligibility(c.query))
			if got := strings.Join(r.Fields(), ","); r.Status != c.status || got != c.fields {
				t.Errorf("got %d %s, want %d %s", r.Status, got, c.status, c.fields)
			}
		})
	}
}

// TestService_SlowOperatorBlocksNobody: one credential's operator hangs with as
// many requests as may be open; the next is told to come back, and another
// credential answers as if nothing were.
func TestService_SlowOperatorBlocksNobody(t *testing.T) {
	const places = 3
	e := MustEnv(t, limits{Service: service.Limits{OperatorCalls: places, BusyWait: 30 * time.Millisecond}})
	other := servicetest.Credentials()[0]
	other.ID = otherID
	e.Must(e.Admin.PutCredential(t.Context(), other))
	asking, hang := make(chan struct{}, places), make(chan struct{})
	e.Operator.Before(func(_ context.Context, r service.OperatorRequest) error {
		if r.Credential.ID == credentialID {
			asking <- struct{}{}
			<-hang // not even the context moves it
		}
		return nil
	})
	slow := make(chan reply, places)
	for range places {
		go func() { slow <- e.Post(body(nil), nil) }()
	}
	for range places {
		<-asking
	}
	if r := e.Post(body(nil), nil); r.Status != http.StatusServiceUnavailable || r.Header.Get("Retry-After") == "" {
		t.Errorf("one too many: got %d %s, want 503 with Retry-After", r.Status, r.Text)
	}
	if r := e.Post(body(map[string]any{"credencialId": otherID}), nil); r.Status != http.StatusOK {
		t.Errorf("another credential: got %d %s, want 200", r.Status, r.Text)
	}
	accepted := e.Submit(body(map[string]any{"credencialId": otherID}), nil).Data()["guiaId"].(string)
	e.RunDue()
	e.StandsAt(accepted, "A")
	close(hang)
	for range places {
		if r := <-slow; r.Status != http.StatusOK {
			t.Errorf("the slow one: got %d %s, want 200 in the end", r.Status, r.Text)
		}
	}
	if r := e.Post(body(nil), nil); r.Status != http.StatusOK {
		t.Errorf("afterwards: got %d, want the places free again", r.Status)
	}
}

// TestService_SlowWorkBlocksNobody: requests to be decided afterwards by an
// operator that hangs do not hold up those of another credential.
func TestService_SlowWorkBlocksNobody(t *testing.T) {
	e := MustEnv(t, limits{Service: service.Limits{OperatorCalls: 4}})
	other := servicetest.Credentials()[0]
	other.ID = otherID
	e.Must(e.Admin.PutCredential(t.Context(), other))
	hang := make(chan struct{})
	e.Operator.Before(func(_ context.Context, r service.OperatorRequest) error {
		if r.Credential.ID == credentialID {
			<-hang
		}
		return nil
	})
	for range 20 {
		e.Submit(body(nil), nil)
	}
	id := e.Submit(body(map[string]any{"credencialId": otherID}), nil).Data()["guiaId"].(string)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { e.Service.Work(ctx); close(ended) }()
	for e.Get(guidePath(id)).Data()["statusAutorizacao"] != "A" {
		if t.Context().Err() != nil {
			t.Fatal("never decided")
		}
	}
	if got := e.Operator.Authorized.Load(); got > 3 {
		t.Errorf("asked %d times at once, want at most 2 of the slow one and 1", got)
	}
	close(hang)
	cancel()
	<-ended
}

// TestService_OperatorThatIgnoresItsTime: the partner is answered in time even
// when the operator never comes back, and the answer that comes too late is found
// by a look-up.
func TestService_OperatorThatIgnoresItsTime(t *testing.T) {
	e := MustEnv(t, limits{Service: service.Limits{OperatorTimeout: 20 * time.Millisecond}})
	hang := make(chan struct{})
	e.Operator.Before(func(context.Context, service.OperatorRequest) error { <-hang; return nil })
	if r := e.Post(body(nil), key("slow")); r.Status != http.StatusGatewayTimeout {
		t.Fatalf("got %d %s, want 504", r.Status, r.Text)
	}
	close(hang)
	if r := e.Post(body(nil), key("slow")); r.Status != http.StatusOK || e.Operator.Authorized.Load() != 1 {
		t.Errorf("again: got %d after %d decisions, want what a look-up finds", r.Status, e.Operator.Authorized.Load())
	}
}
