package webui_test

import (
	"bytes"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"guiche/internal/app"
	"guiche/internal/apptest"
)

// storedOn is what the page says about a secret.
var storedOn = regexp.MustCompile(`^Guardada em \d\d/\d\d/\d{4}\. Deixe vazio para manter\.$`)

// secretFields are the fields of the methods' secrets.
var secretFields = map[string]string{"chave": "chaveApi", "senha": "senhaServico", "oauth": "segredoCliente"}

// Every shape of a service: the test finds it in order without sending an
// authorization, and what is sent next goes there without a restart.
func TestConnection_Shapes(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	folder := p.DataDir
	admin, clerk := p.LogIn(t, apptest.Administration), p.LogIn(t, apptest.Reception)
	for _, tc := range []struct {
		name   string
		shape  func(*apptest.OtherService)
		form   url.Values
		found  []string // by the test
		before string   // asked before the first search
	}{
		{"APIKey", func(f *apptest.OtherService) { f.Features = []string{"idempotencia", "situacao"} }, nil,
			[]string{"1 credencial", "idempotencia, situacao"}, ""},
		{"NoFeatures", nil, nil, []string{"não anuncia nada"}, ""},
		{"Login", apptest.ByLogin, url.Values{"metodo": {"senha"}, "senhaServico": {"segredo-do-servico"}, "caminhoLogin": {"/api/v2/auth/login"},
			"campoUsuario": {"email"}, "caminhoRenovacao": {""}}, []string{"Entrada: certo", "1 credencial"}, "POST /api/v2/auth/login"},
		{"OAuth", apptest.ByOAuth, url.Values{"metodo": {"oauth"}, "segredoCliente": {"segredo-do-servico"}},
			[]string{"Entrada: certo", "1 credencial"}, "POST /oauth/token"},
		{"Basic", apptest.ByBasic, url.Values{"metodo": {"oauth"}, "segredoCliente": {"segredo-do-servico"},
			"caminhoToken": {"/auth/token"}, "envioCliente": {"basic"},
			"escopo": {" autorizacoes:criar  credenciais:ler "}}, []string{"Entrada: certo", "1 credencial"}, "POST /auth/token"},
		{"ByHand", nil, url.Values{"origemRecursos": {"manual"}, "recursos.elegibilidade": {"S"}},
			[]string{"Recursos: sem teste", "definidos à mão", "Marcada nos recursos"}, ""},
		{"NoEligibility", func(f *apptest.OtherService) { f.Features = []string{"elegibilidade"} },
			url.Values{"usoElegibilidade": {"nunca"}, "caminhoElegibilidade": {""}},
			[]string{"Elegibilidade: sem teste Desligada nesta página."}, ""},
		{"Eligibility", func(f *apptest.OtherService) { f.Features = []string{"elegibilidade"} }, nil, []string{"Elegibilidade: certo"}, ""},
		{"Strings", nil, url.Values{"formatoAnexos": {"string"}}, []string{"1 credencial"}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := apptest.StartOtherService(t, tc.shape)
			form := apptest.ConnectionForm(f.URL)
			maps.Copy(form, tc.form)
			tried := admin.Post("/servico/conexao/testar", form)
			for _, want := range tc.found {
				if tried.Status != http.StatusOK || !strings.Contains(steps(tried), want) {
					t.Errorf("test: %d, got\n%s\nwant %q", tried.Status, steps(tried), want)
				}
			}
			if saved := admin.Post("/servico/conexao", form); saved.Status != http.StatusOK ||
				!strings.Contains(saved.Text(".title .muted"), "127.0.0.1") {
				t.Fatalf("save: %d, %q", saved.Status, saved.Text("#erros"))
			}
			stored := admin.Get("/servico/conexao").Text("#" + secretFields[form.Get("metodo")] + "-hint")
			if !storedOn.MatchString(stored) {
				t.Errorf("got %q, want the day it was stored and nothing else", stored)
			}
			if len(f.Requests()) != 0 {
				t.Fatal("an authorization was sent by the test")
			}
			sendThrough(clerk, t, f, form.Get("formatoAnexos"))
			if tc.before != "" && f.Times(tc.before) == 0 {
				t.Errorf("%s was never asked", tc.before)
			}
		})
	}
	keepsSecret(p, t, folder, "segredo-do-servico")
}

// sendThrough sends a request with an attachment and expects it at the service.
func sendThrough(v *apptest.Client, t *testing.T, f *apptest.OtherService, shape string) {
	t.Helper()
	address, form := v.NewDraft()
	if got := v.Upload(address+"/anexos", form, map[string][]byte{"pedido.pdf": apptest.PDF(1000)}); got.Status != http.StatusOK {
		t.Fatalf("attach: %d", got.Status)
	}
	sent := v.Submit(address, form)
	apptest.Eventually(t, "the other service's answer is shown",
		func() bool { return strings.Contains(string(v.Get(sent.Path).Body), "DEFORA1") })
	if len(f.Requests()) != 1 {
		t.Fatalf("got %d requests, want one", len(f.Requests()))
	}
	body := f.Requests()[0]
	if object := strings.Contains(body, `"anexos":[{"base64":"`); strings.Contains(body, `"anexos":[]`) || object != (shape == "object") {
		t.Errorf("attachments are not sent as %s", shape)
	}
}

// keepsSecret fails the test where a file of the data folder, or the log, holds it.
func keepsSecret(p *apptest.Server, t *testing.T, folder, secret string) {
	t.Helper()
	if p.Log.Contains(secret) {
		t.Error("the log holds the secret")
	}
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if bytes.Contains(content, []byte(secret)) {
			t.Errorf("%s holds the secret", filepath.Base(path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestConnection_Refusals(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	admin := p.LogIn(t, apptest.Administration)
	f := apptest.StartOtherService(t, nil)
	t.Run("Internal", func(t *testing.T) {
		form := apptest.ConnectionForm(f.URL)
		form.Del("enderecoInterno")
		got := admin.Post("/servico/conexao", form)
		if got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Text("#endereco-error"), "rede interna") ||
			got.Value("#endereco") != f.URL {
			t.Errorf("got %d, %q, kept %q", got.Status, got.Text("#endereco-error"), got.Value("#endereco"))
		}
		if _, shown := got.Find("#chaveApi").Attr("value"); shown {
			t.Error("the key is shown again")
		}
	})
	t.Run("WrongKey", func(t *testing.T) {
		form := apptest.ConnectionForm(f.URL)
		form.Set("chaveApi", "outra")
		if got := steps(admin.Post("/servico/conexao/testar", form)); !strings.Contains(got, "Busca de credenciais: falhou") {
			t.Errorf("got\n%s", got)
		}
	})
	t.Run("UnknownCertificate", func(t *testing.T) {
		server := httptest.NewTLSServer(f)
		defer server.Close()
		if got := steps(admin.Post("/servico/conexao/testar", apptest.ConnectionForm(server.URL))); !strings.Contains(got,
			"Conexão segura: falhou O certificado é de uma autoridade que este computador não conhece.") {
			t.Errorf("got\n%s", got)
		}
	})
	t.Run("Redirect", func(t *testing.T) {
		server := httptest.NewServer(http.RedirectHandler(f.URL+"/api/v2/credenciais", http.StatusTemporaryRedirect))
		defer server.Close()
		before := len(f.Asked())
		got := steps(admin.Post("/servico/conexao/testar", apptest.ConnectionForm(server.URL)))
		if !strings.Contains(got, "Busca de credenciais: falhou") || !strings.Contains(got, "não segue") || len(f.Asked()) != before {
			t.Errorf("the other address was asked, or nothing is told:\n%s", got)
		}
		login := apptest.ConnectionForm(server.URL)
		login.Set("metodo", "senha")
		login.Set("senhaServico", "segredo-do-servico")
		if got := steps(admin.Post("/servico/conexao/testar", login)); !strings.Contains(got, "Entrada: falhou") ||
			!strings.Contains(got, "não segue") || len(f.Asked()) != before {
			t.Errorf("login: the other address was asked, or nothing is told:\n%s", got)
		}
	})
	t.Run("OtherRole", func(t *testing.T) {
		for _, path := range []string{"/servico/conexao", "/servico/conexao/testar"} {
			if got := p.LogIn(t, apptest.Supervision).Post(path, apptest.ConnectionForm(f.URL)); got.Status != http.StatusForbidden {
				t.Errorf("%s: got %d, want 403", path, got.Status)
			}
		}
	})
	t.Run("HTMX", func(t *testing.T) {
		form := apptest.ConnectionForm(f.URL)
		form.Set("tempoConexao", "cinco")
		got := admin.PostHTMX("/servico/conexao/testar", form)
		if link, _ := got.Find("a").Attr("href"); got.Status != http.StatusUnprocessableEntity || link != "#tempoConexao" ||
			got.Count("form") > 0 {
			t.Errorf("got %d, a link to %q", got.Status, link)
		}
	})
}

// A service that refuses the key holds the request; the right key, saved, lets it
// go without a restart.
func TestConnection_ReleasesHeld(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	admin, clerk := p.LogIn(t, apptest.Administration), p.LogIn(t, apptest.Reception)
	f := apptest.StartOtherService(t, nil)
	address, form := clerk.NewDraft()
	wrong := apptest.ConnectionForm(f.URL)
	wrong.Set("chaveApi", "outra")
	admin.Post("/servico/conexao", wrong)
	clerk.Submit(address, form)
	apptest.Eventually(t, "administração is told",
		func() bool { return strings.Contains(string(admin.Get("/servico/conexao").Body), "envio suspenso") })
	if got := admin.Post("/servico/conexao", apptest.ConnectionForm(f.URL)); got.Status != http.StatusOK {
		t.Fatalf("got %d", got.Status)
	}
	apptest.Eventually(t, "the request arrives", func() bool { return len(f.Requests()) == 1 })
}

// A request that is held for want of access leaves as soon as the same access is good
// for anything: nobody has to save the page again, or to start the program.
func TestConnection_AcceptedAgain(t *testing.T) {
	t.Parallel()
	for name, accept := range map[string]func(f *apptest.OtherService, admin, clerk *apptest.Client, submit func()){
		"Search": func(_ *apptest.OtherService, _, clerk *apptest.Client, _ func()) {
			clerk.PostHTMX("/busca/credenciais", url.Values{"Busca": {"fora"}})
		},
		"Test": func(f *apptest.OtherService, admin, _ *apptest.Client, _ func()) {
			admin.PostHTMX("/servico/conexao/testar", apptest.ConnectionForm(f.URL))
		},
		"Send": func(_ *apptest.OtherService, _, _ *apptest.Client, submit func()) { submit() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := apptest.Start(t, apptest.Options{})
			admin, clerk := p.LogIn(t, apptest.Administration), p.LogIn(t, apptest.Reception)
			var open atomic.Bool
			f := apptest.StartOtherService(t, func(o *apptest.OtherService) {
				admits := o.Admits
				o.Admits = func(r *http.Request) bool { return open.Load() && admits(r) }
			})
			draft, form := clerk.NewDraft()
			other, otherForm := clerk.NewDraft()
			admin.ConnectTo(t, f, nil)
			sent := clerk.Submit(draft, form)
			apptest.Eventually(t, "the request is held", func() bool {
				return clerk.Get(sent.Path).Text("#veredito .verdict") == "Envio suspenso"
			})
			open.Store(true)
			accept(f, admin, clerk, func() { clerk.Submit(other, otherForm) })
			apptest.Eventually(t, "the request leaves", func() bool {
				return clerk.Get(sent.Path).Text("#veredito .verdict") == "Autorizado"
			})
		})
	}
}

// What flags and variables set wins, and the page says so.
func TestConnection_FromOutside(t *testing.T) {
	t.Parallel()
	f := apptest.StartOtherService(t, nil)
	admin := visitServe(t, func(c *app.Config) {
		c.Connection.BaseURL, c.APIKey, c.Connection.Answer = f.URL, "segredo-do-servico", 9*time.Second
	})
	page := admin.Get("/servico/conexao")
	if page.Count("#endereco, #chaveApi") != 0 || !strings.Contains(page.Text("fieldset"), "GUICHE_BASE_URL") {
		t.Errorf("got %d: the address can be typed, or nothing says why not: %q", page.Status, page.Text("fieldset"))
	}
	if hint := page.Text("#tempoResposta-hint"); page.Value("#tempoResposta") != "9" || !strings.Contains(hint, "GUICHE_ANSWER_TIMEOUT") {
		t.Errorf("got %q, %q", page.Value("#tempoResposta"), hint)
	}
	got := admin.Post("/servico/conexao", apptest.ConnectionForm("https://outro.exemplo.com.br"))
	if got.Status != http.StatusOK || got.Text(".title .muted") != "em uso: 127.0.0.1" {
		t.Errorf("got %d, %q", got.Status, got.Text(".title .muted"))
	}
}

// The address of another service stays in the form when the embedded one is chosen
// again, and nothing goes there any more: the page Serviço says so.
func TestConnection_BackToEmbedded(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	admin := p.LogIn(t, apptest.Administration)
	f := apptest.StartOtherService(t, nil)
	for _, step := range []struct{ service, want string }{{"outro", "A recepção usa outro serviço."},
		{"embutido", "Serviço embutido em uso."}} {
		form := apptest.ConnectionForm(f.URL)
		form.Set("servico", step.service)
		if got := admin.Post("/servico/conexao", form); got.Status != http.StatusOK || got.Value("#endereco") != f.URL {
			t.Fatalf("%s: got %d, the address %q", step.service, got.Status, got.Value("#endereco"))
		}
		if got := string(admin.Get("/servico").Body); !strings.Contains(got, step.want) {
			t.Errorf("%s: the page does not say %q", step.service, step.want)
		}
	}
}

// steps returns what the test on a page said, each step in a line.
func steps(p *apptest.Page) string {
	return strings.Join(p.Texts("#teste li"), "\n")
}
