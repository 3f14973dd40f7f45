package api_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"guiche/internal/service"
)

// canary stands for a person: wherever it turns up, a name or a card would too.
const canary = "CANARIO"

// marked is a request with a mark in every text that a partner fills.
func marked(changes map[string]any) string {
	all := map[string]any{"numeroCarteira": "1" + canary, "anexos": []any{map[string]any{"base64": "JVBERi1DQU5BUklP", "name": canary +
		".pdf", "contentType": "application/pdf"}}}
	for _, name := range []string{"nomeBeneficiario", "planoBeneficiario", "nomeSolicitante", "crmSolicitante", "observacoes",
		"indicacaoClinica", "nomeContato", "telefoneContato", "emailContato"} {
		all[name] = canary
	}
	maps.Copy(all, changes)
	return body(all)
}

// TestAPI_LogCanary goes through every operation with marks in every place
// that a partner fills, taken and refused, and through each way in which an
// operator fails.
func TestAPI_LogCanary(t *testing.T) {
	e := MustEnv(t, limits{})
	p := e.MustPartner(t)
	header := http.Header{"Idempotency-Key": {canary}, "User-Agent": {canary}, "Referer": {"https://" + canary},
		"X-Request-Id": {canary}, "Cookie": {"x=" + canary}}
	answered := e.Post(marked(nil), header)
	if answered.Status != http.StatusOK {
		t.Fatalf("got %d %s", answered.Status, answered.Text)
	}
	id := answered.Entry()["guiaId"].(string)
	e.Submit(marked(map[string]any{"guiaPrestador": canary}), nil)
	e.RunDue()
	for _, wrong := range []map[string]any{{"numeroCarteira": 1}, {"validadeCarteira": canary}, {"anexos": canary},
		{"unidadeId": canary}, {canary: canary, "ufSolicitante": canary}} {
		e.Post(marked(wrong), header)
		e.Submit(marked(wrong), header)
	}
	e.markEverywhere(id, header)
	e.Token(url.Values{"grant_type": {canary}, "client_id": {canary}, "client_secret": {canary}, "scope": {canary}}, basic(canary, canary))
	e.Login(p.User.Name, canary)
	e.Get("/" + canary)
	e.Send(canary, "/api/v2/credenciais", nil, nil)
	e.failEachWay(id)
	logged := e.Log.String()
	for line := range strings.Lines(logged) {
		if strings.Contains(strings.ToUpper(line), canary) || strings.Contains(line, "QU5BUklP") || strings.Contains(line, p.User.Name) {
			t.Errorf("the log says %s", line)
		}
	}
	for _, want := range []string{"connection refused", "code=tempo_operadora", "code=falha_operadora", "code=metodo_nao_aceito",
		"method=other"} {
		if !strings.Contains(logged, want) {
			t.Errorf("the log does not say %q", want)
		}
	}
}

// markEverywhere sends marks to every operation: in the address, its query, headers
// and bodies of several shapes.
func (e *env) markEverywhere(id string, header http.Header) {
	e.tb.Helper()
	query := "?" + url.Values{"Busca": {canary}, "numeroCarteira": {canary}, "guiaPrestador": {canary},
		"credencialId": {eligibilityID.String()}, canary: {canary}}.Encode()
	for _, o := range e.API.Operations() {
		if o.Public && o.Method == http.MethodGet {
			continue // its answer is no envelope, and it reads nothing
		}
		for _, text := range []string{`{"` + canary + `":` + canary, fmt.Sprintf(`{"usuario":%q,"senha":%q,"refresh_token":%q,%q:[]}`,
			canary, canary, canary, canary),
			`{"biometrias":[{"tipo":"` + canary + `"}]}`, `{"motivo":"` + canary + `"}`} {
			e.Send(o.Method, strings.ReplaceAll(o.Path, "{guiaId}", canary)+query, strings.NewReader(text), header)
			e.Send(o.Method, strings.ReplaceAll(o.Path, "{guiaId}", id), strings.NewReader(text), header)
		}
	}
}

// failEachWay has the operator fail with errors that speak of a person, as those of
// net/http do.
func (e *env) failEachWay(id string) {
	e.tb.Helper()
	for i, fail := range []func() error{
		func() error {
			return &url.Error{Op: "Get", URL: "https://operadora.example/elegibilidade?carteira=" + canary, Err: errors.New("connection refused")}
		},
		func() error {
			return fmt.Errorf("connector: %w", &url.Error{Op: "Post", URL: "https://operadora.example/" + canary, Err: context.DeadlineExceeded})
		},
		func() error { panic(canary) },
	} {
		e.Operator.Before(func(context.Context, service.OperatorRequest) error { return fail() })
		if got := e.Post(marked(map[string]any{"guiaPrestador": fmt.Sprint(i)}), nil).Status; got < http.StatusBadGateway {
			e.tb.Errorf("failure %d: got %d", i, got)
		}
		e.Act(id, "cancelamento", "{}", nil)
	}
}
