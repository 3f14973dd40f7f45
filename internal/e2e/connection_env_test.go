package e2e_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
)

// foreign is somebody else's authorization service, in one of the shapes that the
// specification leaves open.
type foreign struct {
	URL      string
	opens    func(*http.Request) bool // whether a request has the right credentials
	tokens   map[string]http.HandlerFunc
	features []string // nil: no recursos

	mu       sync.Mutex
	lists    map[string]string // literal answers, by path
	received []string          // bodies of authorization requests
	keys     []string          // their Idempotency-Key
	asked    []string          // method and path of everything
}

// MustServeForeign starts a service; change gives it its shape.
func MustServeForeign(t testing.TB, change func(*foreign)) *foreign {
	t.Helper()
	f := &foreign{opens: func(r *http.Request) bool { return r.Header.Get("X-Api-Key") == "segredo-do-servico" }}
	if change != nil {
		change(f)
	}
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	f.URL = server.URL
	return f
}

func (f *foreign) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	f.mu.Lock()
	f.asked = append(f.asked, r.Method+" "+r.URL.Path)
	f.mu.Unlock()
	r.Body = io.NopCloser(strings.NewReader(string(body)))
	if token, ok := f.tokens[r.URL.Path]; ok {
		token(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	switch {
	case !f.opens(r):
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = io.WriteString(w, `{"sucesso":false,"erros":["credencial"],"data":null}`)
	case r.URL.Path == "/api/v2/credenciais":
		_, _ = io.WriteString(w, `{"sucesso":true,"erros":[],"data":{"items":[{"id":"01970000-0000-7000-8000-0000000000aa","nome":"Operadora de Fora"}]}}`)
	case f.list(r.URL.Path) != "":
		_, _ = io.WriteString(w, f.list(r.URL.Path))
	case r.URL.Path == "/api/v2/recursos" && f.features != nil:
		_ = json.NewEncoder(w).Encode(map[string]any{"sucesso": true, "erros": []string{}, "data": map[string]any{"recursos": f.features}})
	case r.URL.Path == "/api/v2/autorizar/sp-sadt":
		f.mu.Lock()
		f.received, f.keys = append(f.received, string(body)), append(f.keys, r.Header.Get("Idempotency-Key"))
		f.mu.Unlock()
		_, _ = io.WriteString(w, `{"sucesso":true,"erros":[],"data":{"autorizacoes":[{"numeroAutorizacao":1,"sucesso":true,"situacaoAutorizacao":"A","senha":"DEFORA1","numeroGuia":"77"}]}}`)
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

func (f *foreign) list(path string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.lists[path]
}

// setList changes what a path answers from now on.
func (f *foreign) setList(path, answer string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.lists[path] = answer
}

// requests returns the bodies of the authorization requests so far.
func (f *foreign) requests() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]string(nil), f.received...)
}

// all returns everything that was asked.
func (f *foreign) all() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]string(nil), f.asked...)
}

// times returns how often something was asked.
func (f *foreign) times(asked string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := 0
	for _, a := range f.asked {
		if a == asked {
			n++
		}
	}
	return n
}

// bearer opens for a token.
func bearer(f *foreign) {
	f.opens = func(r *http.Request) bool { return r.Header.Get("Authorization") == "Bearer token-do-servico" }
}

// byLogin is a service with another login path and other names of its fields.
func byLogin(f *foreign) {
	bearer(f)
	f.tokens = map[string]http.HandlerFunc{"/api/v2/auth/login": func(w http.ResponseWriter, r *http.Request) {
		var got map[string]string
		if json.NewDecoder(r.Body).Decode(&got) != nil || got["email"] != "clinica" || got["senha"] != "segredo-do-servico" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		_, _ = io.WriteString(w, `{"accessToken":"token-do-servico","refreshToken":"r","expiresIn":54000}`)
	}}
}

// byOAuth is a service of client credentials.
func byOAuth(f *foreign) {
	bearer(f)
	f.tokens = map[string]http.HandlerFunc{"/oauth/token": func(w http.ResponseWriter, r *http.Request) {
		if r.PostFormValue("grant_type") != "client_credentials" || r.PostFormValue("client_id") != "clinica" || r.PostFormValue("client_secret") != "segredo-do-servico" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		_, _ = io.WriteString(w, `{"access_token":"token-do-servico","token_type":"Bearer","expires_in":54000}`)
	}}
}

// byBasic is a service that takes the client in the header alone, elsewhere, and wants
// a scope.
func byBasic(f *foreign) {
	bearer(f)
	f.tokens = map[string]http.HandlerFunc{"/auth/token": func(w http.ResponseWriter, r *http.Request) {
		id, secret, _ := r.BasicAuth()
		if id != "clinica" || secret != "segredo-do-servico" || r.PostFormValue("client_secret") != "" || r.PostFormValue("scope") != "autorizacoes:criar credenciais:ler" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		_, _ = io.WriteString(w, `{"data":{"access_token":"token-do-servico","expires_in":"54000"}}`)
	}}
}

// connectionForm is the page's form for a service by API key on this machine.
func connectionForm(address string) url.Values {
	return url.Values{
		"servico": {"outro"}, "endereco": {address}, "enderecoInterno": {"S"}, "metodo": {"chave"}, "chaveApi": {"segredo-do-servico"},
		"usuarioServico": {"clinica"}, "caminhoLogin": {"/api/v1/auth/login"}, "campoUsuario": {"usuario"}, "campoSenha": {"senha"},
		"caminhoRenovacao": {"/api/v1/auth/refresh"}, "clienteId": {"clinica"}, "caminhoToken": {"/oauth/token"}, "envioCliente": {"formulario"},
		"caminhoUnidades": {"/api/v2/unidades"}, "caminhoExecutantes": {"/api/v2/profissionais-executantes"},
		"usoElegibilidade": {"recursos"}, "caminhoElegibilidade": {"/api/v1/elegibilidade"},
		"formatoAnexos": {"object"}, "maximoArquivos": {"10"}, "maximoArquivo": {"15"}, "maximoAnexos": {"60"},
		"tempoConexao": {"5"}, "tempoConsulta": {"10"}, "tempoResposta": {"60"}, "prazo": {"30"}, "origemRecursos": {"anunciados"},
	}
}

// steps returns what the test on a page said, each step in a line.
func (a answer) steps() string {
	a.t.Helper()
	var lines []string
	a.doc().Find("#teste li").Each(func(_ int, s *selection) {
		lines = append(lines, strings.Join(strings.Fields(s.Text()), " "))
	})
	return strings.Join(lines, "\n")
}
