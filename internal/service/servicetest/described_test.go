package servicetest_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"guiche/internal/service/servicetest"
)

// TestDescription_Refuses: the check that every other test goes through finds
// what is not as described.
func TestDescription_Refuses(t *testing.T) {
	refusal := servicetest.Description(t).Components.Schemas["Recusa"]
	for name, c := range map[string]struct {
		text string
		fine bool
	}{
		"Right":     {`{"sucesso":false,"erros":[],"errosDetalhados":[],"data":null}`, true},
		"Extra":     {`{"sucesso":false,"erros":[],"errosDetalhados":[],"data":null,"mais":1}`, false},
		"Missing":   {`{"sucesso":false,"erros":[],"data":null}`, false},
		"WrongType": {`{"sucesso":false,"erros":["a",1],"errosDetalhados":[],"data":null}`, false},
		"NotNull":   {`{"sucesso":false,"erros":[],"errosDetalhados":[],"data":{}}`, false},
		"Success":   {`{"sucesso":true,"erros":[],"errosDetalhados":[],"data":null}`, false},
	} {
		if err := servicetest.Visit(refusal, []byte(c.text)); (err == nil) != c.fine {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// noting is a test that notes its errors.
type noting struct {
	testing.TB
	errors int
}

func (n *noting) Errorf(string, ...any) { n.errors++ }

// refused is a refusal as the description has it.
const refused = `{"sucesso":false,"erros":["Não."],"errosDetalhados":[{"codigo":"x","campo":"","mensagem":"Não."}],"data":null}`

// TestHoldToDescription: every part of an exchange is held to the description.
func TestHoldToDescription(t *testing.T) {
	const id, login = "0198a000-0000-4000-8000-00000000000a", "/api/v1/auth/login"
	const good = `{"usuario":"ana","senha":"x"}`
	const pair = `{"sucesso":true,"erros":[],"errosDetalhados":[],"data":{"access_token":"a","token_type":"Bearer","expires_in":54000,` +
		`"refresh_token":"r","refresh_expires_in":259200}}`
	for name, c := range map[string]struct {
		method, path, sent string
		status             int
		header             http.Header
		text               string
		fine               bool
	}{
		"as described":            {"POST", login, good, 200, nil, pair, true},
		"a refusal":               {"POST", login, good, 400, nil, refused, true},
		"a status that is not":    {"POST", login, good, 418, nil, refused, false},
		"an answer that is not":   {"POST", login, good, 200, nil, refused, false},
		"a body that is not":      {"POST", login, `{"usuario":1,"senha":"x"}`, 200, nil, pair, false},
		"refused for that body":   {"POST", login, `{"usuario":1,"senha":"x"}`, 400, nil, refused, true},
		"no id":                   {"POST", login, good, 200, http.Header{"X-Request-Id": nil}, pair, false},
		"an id that is none":      {"POST", login, good, 200, http.Header{"X-Request-Id": {"1"}}, pair, false},
		"a header too many":       {"POST", login, good, 200, http.Header{"Retry-After": {"1"}}, pair, false},
		"another kind":            {"POST", login, good, 200, http.Header{"Content-Type": {"text/html"}}, pair, false},
		"no kind":                 {"POST", login, good, 200, http.Header{"Content-Type": nil}, pair, false},
		"an address that is none": {"GET", "/api/v9", "", 404, nil, refused, true},
		"served all the same":     {"GET", "/api/v9", "", 200, nil, pair, false},
		"a parameter that is not": {"GET", "/api/v2/credenciais?Pagina=0", "", 200, nil, refused, false},
		"HEAD has no body":        {"HEAD", "/api/v2/unidades", "", 200, nil, "", true},
	} {
		n := &noting{TB: t}
		handler := servicetest.HoldToDescription(n, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Request-Id", id)
			w.Header().Set("Content-Type", "application/json; charset=utf-8")
			for key, values := range c.header {
				w.Header()[key] = values
			}
			_ = r.ParseForm()
			buffer := make([]byte, len(c.sent)+1)
			_, _ = r.Body.Read(buffer)
			w.WriteHeader(c.status)
			_, _ = w.Write([]byte(c.text))
		}))
		r := httptest.NewRequest(c.method, c.path, strings.NewReader(c.sent))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("X-Api-Key", "gch_x")
		handler.ServeHTTP(httptest.NewRecorder(), r)
		if (n.errors == 0) != c.fine {
			t.Errorf("%s: got %d errors, want none: %v", name, n.errors, c.fine)
		}
	}
}

// TestEnv: what every environment knows is there, after a restart too.
func TestEnv(t *testing.T) {
	e := servicetest.MustEnv(t, servicetest.Limits{})
	id, status := e.MustAuthorize("0310004512063345")
	e.Restart()
	if e.StandsAt(id, "A"); status != "A" || e.Operator.Authorized.Load() != 1 || e.Operator.Told().Credential.ID != servicetest.CredentialID {
		t.Errorf("got %s, told %+v", status, e.Operator.Told())
	}
	if got := e.Post(servicetest.Body(map[string]any{"numeroCarteira": servicetest.Absent}), nil); got.Status != 422 ||
		got.Fields()[0] != "numeroCarteira obrigatorio" {
		t.Errorf("without a card: got %d %v", got.Status, got.Fields())
	}
	p := e.MustPartner(t)
	for method, header := range p.Headers() {
		if got := e.Send(http.MethodGet, "/api/v2/recursos", nil, header).Status; got != http.StatusOK {
			t.Errorf("%s: got %d", method, got)
		}
	}
}
