package e2e_test

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
	"testing"
	"time"

	"guiche/internal/app"
)

// storedOn is what the page says about a secret.
var storedOn = regexp.MustCompile(`^Guardada em \d\d/\d\d/\d{4}\. Deixe vazio para manter\.$`)

// secretFields are the fields of the methods' secrets.
var secretFields = map[string]string{"chave": "chaveApi", "senha": "senhaServico", "oauth": "segredoCliente"}

// Every shape of a service: the test finds it in order without sending an
// authorization, and what is sent next goes there without a restart.
func TestConnection_Shapes(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	p := MustRun(t, func(c *app.Config) { c.DataDir = folder })
	admin, clerk := MustVisit(t, p, "administracao"), MustVisit(t, p, "recepcao")
	for _, tc := range []struct {
		name   string
		shape  func(*foreign)
		form   url.Values
		found  []string // by the test
		before string   // asked before the first search
	}{
		{"APIKey", func(f *foreign) { f.features = []string{"idempotencia", "situacao"} }, nil, []string{"1 credencial", "idempotencia, situacao"}, ""},
		{"NoFeatures", nil, nil, []string{"não anuncia nada"}, ""},
		{"Login", byLogin, url.Values{"metodo": {"senha"}, "senhaServico": {"segredo-do-servico"}, "caminhoLogin": {"/api/v2/auth/login"},
			"campoUsuario": {"email"}, "caminhoRenovacao": {""}}, []string{"Entrada: certo", "1 credencial"}, "POST /api/v2/auth/login"},
		{"OAuth", byOAuth, url.Values{"metodo": {"oauth"}, "segredoCliente": {"segredo-do-servico"}}, []string{"Entrada: certo", "1 credencial"}, "POST /oauth/token"},
		{"Basic", byBasic, url.Values{"metodo": {"oauth"}, "segredoCliente": {"segredo-do-servico"}, "caminhoToken": {"/auth/token"}, "envioCliente": {"basic"},
			"escopo": {" autorizacoes:criar  credenciais:ler "}}, []string{"Entrada: certo", "1 credencial"}, "POST /auth/token"},
		{"ByHand", nil, url.Values{"origemRecursos": {"manual"}, "recursos.elegibilidade": {"S"}}, []string{"Recursos: sem teste", "definidos à mão", "Marcada nos recursos"}, ""},
		{"NoEligibility", func(f *foreign) { f.features = []string{"elegibilidade"} }, url.Values{"usoElegibilidade": {"nunca"}, "caminhoElegibilidade": {""}},
			[]string{"Elegibilidade: sem teste Desligada nesta página."}, ""},
		{"Eligibility", func(f *foreign) { f.features = []string{"elegibilidade"} }, nil, []string{"Elegibilidade: certo"}, ""},
		{"Strings", nil, url.Values{"formatoAnexos": {"string"}}, []string{"1 credencial"}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := MustServeForeign(t, tc.shape)
			form := connectionForm(f.URL)
			maps.Copy(form, tc.form)
			tried := admin.post("/servico/conexao/testar", form)
			for _, want := range tc.found {
				if tried.status != http.StatusOK || !strings.Contains(tried.steps(), want) {
					t.Errorf("test: %d, got\n%s\nwant %q", tried.status, tried.steps(), want)
				}
			}
			if saved := admin.post("/servico/conexao", form); saved.status != http.StatusOK || !strings.Contains(saved.text(".title .muted"), "127.0.0.1") {
				t.Fatalf("save: %d, %q", saved.status, saved.text("#erros"))
			}
			stored := admin.get("/servico/conexao").text("#" + secretFields[form.Get("metodo")] + "-d")
			if !storedOn.MatchString(stored) {
				t.Errorf("got %q, want the day it was stored and nothing else", stored)
			}
			if len(f.requests()) != 0 {
				t.Fatal("an authorization was sent by the test")
			}
			clerk.sendThrough(t, f, form.Get("formatoAnexos"))
			if tc.before != "" && f.times(tc.before) == 0 {
				t.Errorf("%s was never asked", tc.before)
			}
		})
	}
	p.keepsSecret(t, folder, "segredo-do-servico")
}

// sendThrough sends a request with an attachment and expects it at the service.
func (v *visitor) sendThrough(t *testing.T, f *foreign, shape string) {
	t.Helper()
	address, form := v.newDraft()
	if got := v.upload(address+"/anexos", form, map[string][]byte{"pedido.pdf": pdfBytes(1000)}); got.status != http.StatusOK {
		t.Fatalf("attach: %d", got.status)
	}
	sent := v.submit(address, form)
	eventually(t, "the other service's answer is shown", func() bool { return strings.Contains(string(v.get(sent.path).body), "DEFORA1") })
	if len(f.requests()) != 1 {
		t.Fatalf("got %d requests, want one", len(f.requests()))
	}
	body := f.requests()[0]
	if object := strings.Contains(body, `"anexos":[{"base64":"`); strings.Contains(body, `"anexos":[]`) || object != (shape == "object") {
		t.Errorf("attachments are not sent as %s", shape)
	}
}

// keepsSecret fails the test where a file of the data folder, or the log, holds it.
func (p *program) keepsSecret(t *testing.T, folder, secret string) {
	t.Helper()
	if strings.Contains(p.logs.String(), secret) {
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
	p := MustRun(t)
	admin := MustVisit(t, p, "administracao")
	f := MustServeForeign(t, nil)
	t.Run("Internal", func(t *testing.T) {
		form := connectionForm(f.URL)
		form.Del("enderecoInterno")
		got := admin.post("/servico/conexao", form)
		if got.status != http.StatusUnprocessableEntity || !strings.Contains(got.text("#endereco-e"), "rede interna") || got.value("#endereco") != f.URL {
			t.Errorf("got %d, %q, kept %q", got.status, got.text("#endereco-e"), got.value("#endereco"))
		}
		if _, shown := got.doc().Find("#chaveApi").Attr("value"); shown {
			t.Error("the key is shown again")
		}
	})
	t.Run("WrongKey", func(t *testing.T) {
		form := connectionForm(f.URL)
		form.Set("chaveApi", "outra")
		if got := admin.post("/servico/conexao/testar", form).steps(); !strings.Contains(got, "Busca de credenciais: falhou") {
			t.Errorf("got\n%s", got)
		}
	})
	t.Run("UnknownCertificate", func(t *testing.T) {
		server := httptest.NewTLSServer(f)
		defer server.Close()
		if got := admin.post("/servico/conexao/testar", connectionForm(server.URL)).steps(); !strings.Contains(got, "Conexão segura: falhou O certificado é de uma autoridade que este computador não conhece.") {
			t.Errorf("got\n%s", got)
		}
	})
	t.Run("Redirect", func(t *testing.T) {
		server := httptest.NewServer(http.RedirectHandler(f.URL+"/api/v2/credenciais", http.StatusTemporaryRedirect))
		defer server.Close()
		before := len(f.all())
		got := admin.post("/servico/conexao/testar", connectionForm(server.URL)).steps()
		if !strings.Contains(got, "Busca de credenciais: falhou") || !strings.Contains(got, "não segue") || len(f.all()) != before {
			t.Errorf("the other address was asked, or nothing is told:\n%s", got)
		}
		login := connectionForm(server.URL)
		login.Set("metodo", "senha")
		login.Set("senhaServico", "segredo-do-servico")
		if got := admin.post("/servico/conexao/testar", login).steps(); !strings.Contains(got, "Entrada: falhou") || !strings.Contains(got, "não segue") || len(f.all()) != before {
			t.Errorf("login: the other address was asked, or nothing is told:\n%s", got)
		}
	})
	t.Run("OtherRole", func(t *testing.T) {
		for _, path := range []string{"/servico/conexao", "/servico/conexao/testar"} {
			if got := MustVisit(t, p, "supervisao").post(path, connectionForm(f.URL)); got.status != http.StatusForbidden {
				t.Errorf("%s: got %d, want 403", path, got.status)
			}
		}
	})
	t.Run("HTMX", func(t *testing.T) {
		form := connectionForm(f.URL)
		form.Set("tempoConexao", "cinco")
		got := admin.send(http.MethodPost, "/servico/conexao/testar", "application/x-www-form-urlencoded", strings.NewReader(form.Encode()), http.Header{"Hx-Request": {"true"}})
		if link, _ := got.doc().Find("a").Attr("href"); got.status != http.StatusUnprocessableEntity || link != "#tempoConexao" || got.doc().Find("form").Length() > 0 {
			t.Errorf("got %d, a link to %q", got.status, link)
		}
	})
}

// A service that refuses the key holds the request; the right key, saved, lets it
// go without a restart.
func TestConnection_ReleasesHeld(t *testing.T) {
	t.Parallel()
	p := MustRun(t)
	admin, clerk := MustVisit(t, p, "administracao"), MustVisit(t, p, "recepcao")
	f := MustServeForeign(t, nil)
	address, form := clerk.newDraft()
	wrong := connectionForm(f.URL)
	wrong.Set("chaveApi", "outra")
	admin.post("/servico/conexao", wrong)
	clerk.submit(address, form)
	eventually(t, "administração is told", func() bool { return strings.Contains(string(admin.get("/servico/conexao").body), "envio suspenso") })
	if got := admin.post("/servico/conexao", connectionForm(f.URL)); got.status != http.StatusOK {
		t.Fatalf("got %d", got.status)
	}
	eventually(t, "the request arrives", func() bool { return len(f.requests()) == 1 })
}

// What flags and variables set wins, and the page says so.
func TestConnection_FromOutside(t *testing.T) {
	t.Parallel()
	f := MustServeForeign(t, nil)
	admin := visitServe(t, func(c *app.Config) { c.BaseURL, c.APIKey, c.AnswerTimeout = f.URL, "segredo-do-servico", 9*time.Second })
	page := admin.get("/servico/conexao")
	if page.doc().Find("#endereco, #chaveApi").Length() != 0 || !strings.Contains(page.text("fieldset"), "GUICHE_BASE_URL") {
		t.Errorf("got %d: the address can be typed, or nothing says why not: %q", page.status, page.text("fieldset"))
	}
	if hint := page.text("#tempoResposta-d"); page.value("#tempoResposta") != "9" || !strings.Contains(hint, "GUICHE_ANSWER_TIMEOUT") {
		t.Errorf("got %q, %q", page.value("#tempoResposta"), hint)
	}
	if got := admin.post("/servico/conexao", connectionForm("https://outro.exemplo.com.br")); got.status != http.StatusOK || got.text(".title .muted") != "em uso: 127.0.0.1" {
		t.Errorf("got %d, %q", got.status, got.text(".title .muted"))
	}
}

// The address of another service stays in the form when the embedded one is chosen
// again, and nothing goes there any more: the page Serviço says so.
func TestConnection_BackToEmbedded(t *testing.T) {
	t.Parallel()
	p := MustRun(t)
	admin := MustVisit(t, p, "administracao")
	f := MustServeForeign(t, nil)
	for _, step := range []struct{ service, want string }{{"outro", "A recepção usa outro serviço."}, {"embutido", "Serviço embutido em uso."}} {
		form := connectionForm(f.URL)
		form.Set("servico", step.service)
		if got := admin.post("/servico/conexao", form); got.status != http.StatusOK || got.value("#endereco") != f.URL {
			t.Fatalf("%s: got %d, the address %q", step.service, got.status, got.value("#endereco"))
		}
		if got := string(admin.get("/servico").body); !strings.Contains(got, step.want) {
			t.Errorf("%s: the page does not say %q", step.service, step.want)
		}
	}
}
