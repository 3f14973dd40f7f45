package apptest

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"guiche/internal/connection"
)

// ServiceSecret is the key, password or client secret that an OtherService takes,
// for the user or client "clinica".
const ServiceSecret = "segredo-do-servico"

// OtherService is somebody else's authorization service, in one of the shapes that
// the specification leaves open. It has the credential "Operadora de Fora" and
// authorizes everything with the senha "DEFORA1".
type OtherService struct {
	URL      string
	Admits   func(*http.Request) bool    // whether a request has access
	Tokens   map[string]http.HandlerFunc // by path: who gives access out
	Features []string                    // nil: it announces nothing

	mu       sync.Mutex
	lists    map[string]string // literal answers, by path
	requests []string          // bodies of authorization requests
	keys     []string          // their Idempotency-Key
	asked    []string          // method and path of everything
}

// StartOtherService starts a service, which takes an API key unless shape says
// otherwise.
func StartOtherService(t testing.TB, shape func(*OtherService)) *OtherService {
	t.Helper()
	o := &OtherService{
		Admits: func(r *http.Request) bool { return r.Header.Get("X-Api-Key") == ServiceSecret },
		lists:  map[string]string{},
	}
	if shape != nil {
		shape(o)
	}
	server := httptest.NewServer(o)
	t.Cleanup(server.Close)
	o.URL = server.URL
	return o
}

// ServeHTTP implements http.Handler.
func (o *OtherService) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(strings.NewReader(string(body)))
	list := o.note(r)
	if token, ok := o.Tokens[r.URL.Path]; ok {
		token(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	switch {
	case !o.Admits(r):
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = io.WriteString(w, `{"sucesso":false,"erros":["credencial"],"data":null}`)
	case r.URL.Path == "/api/v2/credenciais":
		_, _ = io.WriteString(w, `{"sucesso":true,"erros":[],"data":{"items":[`+
			`{"id":"01970000-0000-7000-8000-0000000000aa","nome":"Operadora de Fora"}]}}`)
	case list != "":
		_, _ = io.WriteString(w, list)
	case r.URL.Path == "/api/v2/recursos" && o.Features != nil:
		_ = json.NewEncoder(w).Encode(map[string]any{"sucesso": true, "erros": []string{}, "data": map[string]any{"recursos": o.Features}})
	case r.URL.Path == "/api/v2/autorizar/sp-sadt":
		o.receive(r, string(body))
		_, _ = io.WriteString(w, `{"sucesso":true,"erros":[],"data":{"autorizacoes":[{"numeroAutorizacao":1,"sucesso":true,`+
			`"situacaoAutorizacao":"A","senha":"DEFORA1","numeroGuia":"77"}]}}`)
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

// note writes down that something was asked, and returns the list at its path.
func (o *OtherService) note(r *http.Request) (list string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.asked = append(o.asked, r.Method+" "+r.URL.Path)
	return o.lists[r.URL.Path]
}

// receive notes a request for the test to look at, in the order of arrival.
func (o *OtherService) receive(r *http.Request, body string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.requests, o.keys = append(o.requests, body), append(o.keys, r.Header.Get("Idempotency-Key"))
}

// SetList changes what a path answers from now on.
func (o *OtherService) SetList(path, answer string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.lists[path] = answer
}

// Requests returns the bodies of the authorization requests so far.
func (o *OtherService) Requests() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.requests)
}

// Keys returns the idempotency keys of the authorization requests so far.
func (o *OtherService) Keys() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.keys)
}

// Asked returns method and path of everything that was asked.
func (o *OtherService) Asked() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.asked)
}

// Times returns how often something was asked, as "POST /oauth/token".
func (o *OtherService) Times(asked string) int {
	n := 0
	for _, a := range o.Asked() {
		if a == asked {
			n++
		}
	}
	return n
}

// ByToken makes a service admit the token of the login or OAuth shapes.
func ByToken(o *OtherService) {
	o.Admits = func(r *http.Request) bool { return r.Header.Get("Authorization") == "Bearer token-do-servico" }
}

// ByLogin is a service with another login path and other names of its fields.
func ByLogin(o *OtherService) {
	ByToken(o)
	o.Tokens = map[string]http.HandlerFunc{"/api/v2/auth/login": func(w http.ResponseWriter, r *http.Request) {
		var got map[string]string
		if json.NewDecoder(r.Body).Decode(&got) != nil || got["email"] != "clinica" || got["senha"] != ServiceSecret {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		_, _ = io.WriteString(w, `{"accessToken":"token-do-servico","refreshToken":"r","expiresIn":54000}`)
	}}
}

// ByOAuth is a service of client credentials.
func ByOAuth(o *OtherService) {
	ByToken(o)
	o.Tokens = map[string]http.HandlerFunc{"/oauth/token": func(w http.ResponseWriter, r *http.Request) {
		if r.PostFormValue("grant_type") != "client_credentials" || r.PostFormValue("client_id") != "clinica" ||
			r.PostFormValue("client_secret") != ServiceSecret {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		_, _ = io.WriteString(w, `{"access_token":"token-do-servico","token_type":"Bearer","expires_in":54000}`)
	}}
}

// ByBasic is a service that takes the client in the header alone, at another path,
// and wants a scope.
func ByBasic(o *OtherService) {
	ByToken(o)
	o.Tokens = map[string]http.HandlerFunc{"/auth/token": func(w http.ResponseWriter, r *http.Request) {
		id, secret, _ := r.BasicAuth()
		if id != "clinica" || secret != ServiceSecret || r.PostFormValue("client_secret") != "" ||
			r.PostFormValue("scope") != "autorizacoes:criar credenciais:ler" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		_, _ = io.WriteString(w, `{"data":{"access_token":"token-do-servico","expires_in":"54000"}}`)
	}}
}

// Lists of a service that has them under paths of its own, in a shape of its own.
const (
	OtherUnits = `{"sucesso":true,"data":[{"unidade_id":"01970000-0000-7000-8000-0000000000c1","nome":"Unidade de Fora",
		"pontos_atendimento":[{"ponto_atendimento_id":"01970000-0000-7000-8000-0000000000c2","nome":"Guichê Sul"}]},` +
		`{"unidade_id":"17","nome":"Velha"}]}`
	OtherProfessionals = `{"sucesso":true,"erros":[],"data":{"items":[{"id":"01970000-0000-7000-8000-0000000000d1","nome":"Iolanda Prates",
		"siglaConselho":"CRM","numeroConselho":"77123","uf":"SP","especialidades":[{"id":41,"nome":"Ultrassonografia","cbo":null}]}]}}`
)

// OwnPaths names the paths of WithLists on the page Conexão.
var OwnPaths = url.Values{"caminhoUnidades": {"/cadastro/unidades"}, "caminhoExecutantes": {"/cadastro/medicos"}}

// WithLists is a service that lists units and professionals.
func WithLists(o *OtherService) {
	o.lists["/cadastro/unidades"], o.lists["/cadastro/medicos"] = OtherUnits, OtherProfessionals
}

// ConnectionForm is the form of the page Conexão for a service by API key on this
// machine, everything else as it is at first.
func ConnectionForm(address string) url.Values {
	form := url.Values{}
	for name, value := range connection.Defaults().Form() {
		form.Set(name, value)
	}
	maps.Copy(form, url.Values{
		"servico": {"outro"}, "endereco": {address}, "enderecoInterno": {"S"}, "chaveApi": {ServiceSecret},
		"usuarioServico": {"clinica"}, "clienteId": {"clinica"},
	})
	maps.DeleteFunc(form, func(_ string, values []string) bool { return values[0] == "N" }) // a browser sends no empty box
	return form
}

// ConnectTo saves a connection to a service, with what differs from the usual form.
func (c *Client) ConnectTo(t testing.TB, o *OtherService, differs url.Values) {
	t.Helper()
	form := ConnectionForm(o.URL)
	maps.Copy(form, differs)
	if got := c.Post("/servico/conexao", form); got.Status != http.StatusOK {
		t.Fatalf("save the connection: %d, %q", got.Status, got.Text("#erros"))
	}
}
