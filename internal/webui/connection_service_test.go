package webui_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"guiche/internal/app"
	"guiche/internal/apptest"
)

// expiring is a service by login whose tokens end when it is told.
type expiring struct{ serial, valid atomic.Int64 }

func (e *expiring) shape(f *apptest.OtherService) {
	f.Admits = func(r *http.Request) bool {
		return r.Header.Get("Authorization") == fmt.Sprintf("Bearer t-%d", e.valid.Load())
	}
	hand := func(w http.ResponseWriter, _ *http.Request) {
		n := e.serial.Add(1)
		e.valid.Store(n)
		_, _ = fmt.Fprintf(w, `{"sucesso":true,"data":{"access_token":"t-%d","expires_in":54000,"refresh_token":"r-%d",`+
			`"refresh_expires_in":259200}}`, n, n)
	}
	f.Tokens = map[string]http.HandlerFunc{"/api/v1/auth/login": hand, "/api/v1/auth/refresh": hand}
}

// searchService asks for credentials as the form does, and returns what is shown.
func searchService(v *apptest.Client) string {
	v.T.Helper()
	return string(v.Post("/busca/credenciais", url.Values{"Busca": {"fora"}}).Body)
}

// However many requests meet the end of a token, it is renewed once, for all of them.
func TestConnection_OneRenewal(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	admin, clerk := p.LogIn(t, apptest.Administration), p.LogIn(t, apptest.Reception)
	e := &expiring{}
	f := apptest.StartOtherService(t, e.shape)
	admin.ConnectTo(t, f, url.Values{"metodo": {"senha"}, "senhaServico": {"segredo-do-servico"}})
	if got := searchService(clerk); !strings.Contains(got, "Operadora de Fora") || f.Times("POST /api/v1/auth/login") != 1 {
		t.Fatalf("got %q after %d logins", got, f.Times("POST /api/v1/auth/login"))
	}
	e.valid.Store(-1)
	var wait sync.WaitGroup
	var lost atomic.Int32
	for range 50 {
		wait.Go(func() {
			if !strings.Contains(searchService(clerk), "Operadora de Fora") {
				lost.Add(1)
			}
		})
	}
	wait.Wait()
	if n := f.Times("POST /api/v1/auth/refresh"); n != 1 || f.Times("POST /api/v1/auth/login") != 1 || lost.Load() != 0 {
		t.Errorf("got %d renewals and %d logins, %d of 50 searches without an answer; want one renewal for all", n,
			f.Times("POST /api/v1/auth/login"), lost.Load())
	}
}

// A service that refuses the renewed token too is not asked a third time.
func TestConnection_OneRepetition(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	admin, clerk := p.LogIn(t, apptest.Administration), p.LogIn(t, apptest.Reception)
	f := apptest.StartOtherService(t, func(f *apptest.OtherService) {
		(&expiring{}).shape(f)
		f.Admits = func(r *http.Request) bool { return r.URL.Path != "/api/v2/credenciais" }
	})
	admin.ConnectTo(t, f, url.Values{"metodo": {"senha"}, "senhaServico": {"segredo-do-servico"}})
	if got := searchService(clerk); !strings.Contains(got, "recusou o acesso") {
		t.Errorf("got %q, want the refusal told", got)
	}
	if n := f.Times("GET /api/v2/credenciais"); n != 2 {
		t.Errorf("asked %d times, want once and one repetition", n)
	}
}

// What is set by hand counts in place of what is announced, for the next request.
func TestConnection_ByHand(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	admin, clerk := p.LogIn(t, apptest.Administration), p.LogIn(t, apptest.Reception)
	f := apptest.StartOtherService(t, nil)
	for i, byHand := range []url.Values{nil, {"origemRecursos": {"manual"}, "recursos.idempotencia": {"S"}}} {
		admin.ConnectTo(t, f, byHand)
		address, form := clerk.NewDraft()
		clerk.Submit(address, form)
		apptest.Eventually(t, "the request arrives", func() bool { return len(f.Requests()) == i+1 })
	}
	if keys := f.Keys(); keys[0] != "" || keys[1] == "" {
		t.Errorf("got the keys %q, want one only where repetition is safe by hand", keys)
	}
}

// Limits and times hold for the next file and the next request.
func TestConnection_Limits(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	admin, clerk := p.LogIn(t, apptest.Administration), p.LogIn(t, apptest.Reception)
	address, form := clerk.NewDraft()
	attach := func(name string, size int) *apptest.Page {
		return clerk.Upload(address+"/anexos", form, map[string][]byte{name: apptest.PDF(size)})
	}
	f := apptest.StartOtherService(t, nil)
	admin.ConnectTo(t, f, url.Values{"maximoArquivos": {"2"}, "maximoArquivo": {"1"}, "maximoAnexos": {"1"}})
	if got := clerk.Get("/nova"); !strings.Contains(string(got.Body), "até 1 MB cada, 2 ao todo") {
		t.Errorf("the form does not say so: %q", got.Text("#soltar"))
	}
	if got := attach("grande.pdf", 1<<20+1); !strings.Contains(string(got.Body), "1 MB") || got.Status == http.StatusOK {
		t.Errorf("a file of more than 1 MB: %d", got.Status)
	}
	for name, want := range map[string]int{"a.pdf": http.StatusOK, "b.pdf": http.StatusOK} {
		if got := attach(name, 1000); got.Status != want {
			t.Errorf("%s: %d, want %d", name, got.Status, want)
		}
	}
	if got := attach("c.pdf", 1000); got.Status != http.StatusUnprocessableEntity || !strings.Contains(string(got.Body), "o limite é 2") {
		t.Errorf("a third file: %d", got.Status)
	}
	admin.ConnectTo(t, f, url.Values{"maximoArquivos": {"3"}})
	if got := attach("c.pdf", 2<<20); got.Status != http.StatusOK {
		t.Errorf("a third file of 2 MB, now allowed: %d", got.Status)
	}
}

// A service that stays silent is given up after the times of the page.
func TestConnection_Times(t *testing.T) {
	p := apptest.Start(t, apptest.Options{})
	admin, clerk := p.LogIn(t, apptest.Administration), p.LogIn(t, apptest.Reception)
	silent := make(chan struct{})
	f := apptest.StartOtherService(t, func(f *apptest.OtherService) {
		f.Admits = func(r *http.Request) bool {
			if r.URL.Path != "/api/v2/recursos" {
				<-silent
			}
			return true
		}
	})
	t.Cleanup(func() { close(silent) })
	address, form := clerk.NewDraft()
	admin.ConnectTo(t, f, url.Values{"tempoConsulta": {"1"}, "tempoResposta": {"1"}})
	if got := searchService(clerk); !strings.Contains(got, "não respondeu") {
		t.Errorf("search: got %q", got)
	}
	sent := clerk.Submit(address, form)
	apptest.Eventually(t, "the request is sent without an answer",
		func() bool { return strings.Contains(string(clerk.Get(sent.Path).Body), "sem resposta") })
}

// Login and client can come from the start of the program; the page says so and
// still sets what else belongs to them.
func TestConnection_AccessFromOutside(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		shape  func(*apptest.OtherService)
		change func(*app.Config)
		says   string
		form   url.Values
		asked  string
	}{
		{"Login", apptest.ByLogin, func(c *app.Config) {
			c.Connection.User, c.ServicePassword, c.Connection.LoginPath, c.Connection.UserField = "clinica", "segredo-do-servico",
				"/api/v2/auth/login", "email"
		}, "GUICHE_SERVICE_PASSWORD", url.Values{"campoSenha": {"senha"}, "caminhoRenovacao": {"/renovar"}}, "POST /api/v2/auth/login"},
		{"Client", apptest.ByBasic, func(c *app.Config) {
			c.Connection.ClientID, c.ClientSecret, c.Connection.TokenPath = "clinica", "segredo-do-servico", "/auth/token"
		}, "GUICHE_CLIENT_SECRET", url.Values{"envioCliente": {"basic"}, "escopo": {"autorizacoes:criar credenciais:ler"}}, "POST /auth/token"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := apptest.StartOtherService(t, tc.shape)
			admin := visitServe(t, func(c *app.Config) {
				c.Connection.BaseURL = f.URL
				tc.change(c)
			})
			page := admin.Get("/servico/conexao")
			if page.Count("#endereco, #usuarioServico, #clienteId") != 0 || !strings.Contains(page.Text("fieldset"), tc.says) {
				t.Errorf("the access can be typed, or nothing says why not: %q", page.Text("fieldset"))
			}
			form := apptest.ConnectionForm("")
			for name, values := range tc.form {
				form[name] = values
			}
			if got := admin.Post("/servico/conexao", form); got.Status != http.StatusOK {
				t.Fatalf("save: %d, %q", got.Status, got.Text("#erros"))
			}
			if got := steps(admin.Post("/servico/conexao/testar", form)); !strings.Contains(got, "Entrada: certo") || f.Times(tc.asked) == 0 {
				t.Errorf("got\n%s", got)
			}
		})
	}
}

// visitServe runs the program without the demo and logs its administrator in, who
// was made in the demo before.
func visitServe(t *testing.T, change func(*app.Config)) *apptest.Client {
	t.Helper()
	p := apptest.Start(t, apptest.Options{Configure: func(c *app.Config) {
		c.Demo, c.Simulated = false, false
		change(c)
	}})
	return p.LogIn(t, apptest.Administration)
}

// Two processes over the same data: what one saves, the other obeys without a
// restart.
func TestConnection_TwoProcesses(t *testing.T) {
	t.Parallel()
	first := apptest.Start(t, apptest.Options{})
	admin := first.LogIn(t, apptest.Administration)
	second := apptest.Start(t, apptest.Options{On: first})
	clerk := second.LogIn(t, apptest.Reception)
	f := apptest.StartOtherService(t, nil)
	admin.ConnectTo(t, f, nil)
	apptest.Eventually(t, "the other process asks the new service",
		func() bool { return strings.Contains(searchService(clerk), "Operadora de Fora") })
}
