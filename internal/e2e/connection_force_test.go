package e2e_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"guiche/internal/app"
)

// expiring is a service by login whose tokens end when it is told.
type expiring struct{ serial, valid atomic.Int64 }

func (e *expiring) shape(f *foreign) {
	f.opens = func(r *http.Request) bool {
		return r.Header.Get("Authorization") == fmt.Sprintf("Bearer t-%d", e.valid.Load())
	}
	hand := func(w http.ResponseWriter, _ *http.Request) {
		n := e.serial.Add(1)
		e.valid.Store(n)
		_, _ = fmt.Fprintf(w, `{"sucesso":true,"data":{"access_token":"t-%d","expires_in":54000,"refresh_token":"r-%d","refresh_expires_in":259200}}`, n, n)
	}
	f.tokens = map[string]http.HandlerFunc{"/api/v1/auth/login": hand, "/api/v1/auth/refresh": hand}
}

// searchService asks for credentials as the form does, and returns what is shown.
func (v *visitor) searchService() string {
	v.t.Helper()
	return string(v.post("/busca/credenciais", url.Values{"Busca": {"fora"}}).body)
}

// However many requests meet the end of a token, it is renewed once, for all of them.
func TestConnection_OneRenewal(t *testing.T) {
	t.Parallel()
	p := MustRun(t)
	admin, clerk := MustVisit(t, p, "administracao"), MustVisit(t, p, "recepcao")
	e := &expiring{}
	f := MustServeForeign(t, e.shape)
	admin.connectTo(t, f, url.Values{"metodo": {"senha"}, "senhaServico": {"segredo-do-servico"}})
	if got := clerk.searchService(); !strings.Contains(got, "Operadora de Fora") || f.times("POST /api/v1/auth/login") != 1 {
		t.Fatalf("got %q after %d logins", got, f.times("POST /api/v1/auth/login"))
	}
	e.valid.Store(-1)
	var wait sync.WaitGroup
	var lost atomic.Int32
	for range 50 {
		wait.Go(func() {
			if !strings.Contains(clerk.searchService(), "Operadora de Fora") {
				lost.Add(1)
			}
		})
	}
	wait.Wait()
	if n := f.times("POST /api/v1/auth/refresh"); n != 1 || f.times("POST /api/v1/auth/login") != 1 || lost.Load() != 0 {
		t.Errorf("got %d renewals and %d logins, %d of 50 searches without an answer; want one renewal for all", n, f.times("POST /api/v1/auth/login"), lost.Load())
	}
}

// A service that refuses the renewed token too is not asked a third time.
func TestConnection_OneRepetition(t *testing.T) {
	t.Parallel()
	p := MustRun(t)
	admin, clerk := MustVisit(t, p, "administracao"), MustVisit(t, p, "recepcao")
	f := MustServeForeign(t, func(f *foreign) {
		(&expiring{}).shape(f)
		f.opens = func(r *http.Request) bool { return r.URL.Path != "/api/v2/credenciais" }
	})
	admin.connectTo(t, f, url.Values{"metodo": {"senha"}, "senhaServico": {"segredo-do-servico"}})
	if got := clerk.searchService(); !strings.Contains(got, "recusou o acesso") {
		t.Errorf("got %q, want the refusal told", got)
	}
	if n := f.times("GET /api/v2/credenciais"); n != 2 {
		t.Errorf("asked %d times, want once and one repetition", n)
	}
}

// What is set by hand counts in place of what is announced, for the next request.
func TestConnection_ByHand(t *testing.T) {
	t.Parallel()
	p := MustRun(t)
	admin, clerk := MustVisit(t, p, "administracao"), MustVisit(t, p, "recepcao")
	f := MustServeForeign(t, nil)
	for i, byHand := range []url.Values{nil, {"origemRecursos": {"manual"}, "recursos.idempotencia": {"S"}}} {
		admin.connectTo(t, f, byHand)
		address, form := clerk.newDraft()
		clerk.submit(address, form)
		eventually(t, "the request arrives", func() bool { return len(f.requests()) == i+1 })
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.keys[0] != "" || f.keys[1] == "" {
		t.Errorf("got the keys %q, want one only where repetition is safe by hand", f.keys)
	}
}

// Limits and times hold for the next file and the next request.
func TestConnection_Limits(t *testing.T) {
	t.Parallel()
	p := MustRun(t)
	admin, clerk := MustVisit(t, p, "administracao"), MustVisit(t, p, "recepcao")
	address, form := clerk.newDraft()
	attach := func(name string, size int) answer {
		return clerk.upload(address+"/anexos", form, map[string][]byte{name: pdfBytes(size)})
	}
	f := MustServeForeign(t, nil)
	admin.connectTo(t, f, url.Values{"maximoArquivos": {"2"}, "maximoArquivo": {"1"}, "maximoAnexos": {"1"}})
	if got := clerk.get("/nova"); !strings.Contains(string(got.body), "até 1 MB cada, 2 ao todo") {
		t.Errorf("the form does not say so: %q", got.text("#soltar"))
	}
	if got := attach("grande.pdf", 1<<20+1); !strings.Contains(string(got.body), "1 MB") || got.status == http.StatusOK {
		t.Errorf("a file of more than 1 MB: %d", got.status)
	}
	for name, want := range map[string]int{"a.pdf": http.StatusOK, "b.pdf": http.StatusOK} {
		if got := attach(name, 1000); got.status != want {
			t.Errorf("%s: %d, want %d", name, got.status, want)
		}
	}
	if got := attach("c.pdf", 1000); got.status != http.StatusUnprocessableEntity || !strings.Contains(string(got.body), "o limite é 2") {
		t.Errorf("a third file: %d", got.status)
	}
	admin.connectTo(t, f, url.Values{"maximoArquivos": {"3"}})
	if got := attach("c.pdf", 2<<20); got.status != http.StatusOK {
		t.Errorf("a third file of 2 MB, now allowed: %d", got.status)
	}
}

// A service that stays silent is given up after the times of the page.
func TestConnection_Times(t *testing.T) {
	p := MustRun(t)
	admin, clerk := MustVisit(t, p, "administracao"), MustVisit(t, p, "recepcao")
	silent := make(chan struct{})
	f := MustServeForeign(t, func(f *foreign) {
		f.opens = func(r *http.Request) bool {
			if r.URL.Path != "/api/v2/recursos" {
				<-silent
			}
			return true
		}
	})
	t.Cleanup(func() { close(silent) })
	address, form := clerk.newDraft()
	admin.connectTo(t, f, url.Values{"tempoConsulta": {"1"}, "tempoResposta": {"1"}})
	if got := clerk.searchService(); !strings.Contains(got, "não respondeu") {
		t.Errorf("search: got %q", got)
	}
	sent := clerk.submit(address, form)
	eventually(t, "the request is sent without an answer", func() bool { return strings.Contains(string(clerk.get(sent.path).body), "sem resposta") })
}

// Login and client can come from the start of the program; the page says so and
// still sets what else belongs to them.
func TestConnection_AccessFromOutside(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		shape  func(*foreign)
		change func(*app.Config)
		says   string
		form   url.Values
		asked  string
	}{
		{"Login", byLogin, func(c *app.Config) {
			c.ServiceUser, c.ServicePassword, c.LoginPath, c.LoginUserField = "clinica", "segredo-do-servico", "/api/v2/auth/login", "email"
		}, "GUICHE_SERVICE_PASSWORD", url.Values{"campoSenha": {"senha"}, "caminhoRenovacao": {"/renovar"}}, "POST /api/v2/auth/login"},
		{"Client", byBasic, func(c *app.Config) {
			c.ClientID, c.ClientSecret, c.TokenPath = "clinica", "segredo-do-servico", "/auth/token"
		}, "GUICHE_CLIENT_SECRET", url.Values{"envioCliente": {"basic"}, "escopo": {"autorizacoes:criar credenciais:ler"}}, "POST /auth/token"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := MustServeForeign(t, tc.shape)
			admin := visitServe(t, func(c *app.Config) {
				c.BaseURL = f.URL
				tc.change(c)
			})
			page := admin.get("/servico/conexao")
			if page.doc().Find("#endereco, #usuarioServico, #clienteId").Length() != 0 || !strings.Contains(page.text("fieldset"), tc.says) {
				t.Errorf("the access can be typed, or nothing says why not: %q", page.text("fieldset"))
			}
			form := connectionForm("")
			for name, values := range tc.form {
				form[name] = values
			}
			if got := admin.post("/servico/conexao", form); got.status != http.StatusOK {
				t.Fatalf("save: %d, %q", got.status, got.text("#erros"))
			}
			if got := admin.post("/servico/conexao/testar", form).steps(); !strings.Contains(got, "Entrada: certo") || f.times(tc.asked) == 0 {
				t.Errorf("got\n%s", got)
			}
		})
	}
}

// visitServe runs the program without the demo and logs its administrator in, who
// was made in the demo before.
func visitServe(t *testing.T, change func(*app.Config)) *visitor {
	t.Helper()
	folder := t.TempDir()
	demo := MustRun(t, func(c *app.Config) { c.DataDir = folder })
	user, password := demo.login(t, "administracao")
	demo.get(t, "/healthz") // it has started wholly
	demo.stop()
	p := MustRun(t, func(c *app.Config) {
		c.DataDir, c.Demo, c.Simulated = folder, false, false
		change(c)
	})
	v := MustVisit(t, p, "")
	v.post("/entrar", url.Values{"usuario": {user}, "senha": {password}})
	return v
}

// Two processes over the same data: what one saves, the other obeys without a
// restart.
func TestConnection_TwoProcesses(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	first := MustRun(t, func(c *app.Config) { c.DataDir = folder })
	admin := MustVisit(t, first, "administracao")
	second := MustRun(t, func(c *app.Config) { c.DataDir = folder })
	clerk := MustVisit(t, second, "recepcao")
	f := MustServeForeign(t, nil)
	admin.connectTo(t, f, nil)
	eventually(t, "the other process asks the new service", func() bool { return strings.Contains(clerk.searchService(), "Operadora de Fora") })
}
