package webui_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"guiche/internal/app"
	"guiche/internal/apptest"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/go-cmp/cmp"
)

const connectionPath = "/servico/conexao"

// elsewhere is an address at which nobody answers.
const elsewhere = "http://127.0.0.1:9/base"

// TestConnectionPage holds every text, field, value and hint of the page to what is
// kept in testdata, in their order: before and after each setting is saved, where
// something is wrong, and where variables fix it.
func TestConnectionPage(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name      string
		configure func(*app.Config)
		steps     []url.Values // forms that are saved one after the other; the page after the last one counts
		status    int
	}{
		{name: "New", status: http.StatusOK},
		{name: "Password", status: http.StatusOK, steps: []url.Values{{"metodo": {"senha"}, "senhaServico": {"segredo"}, "campoUsuario": {"email"},
			"caminhoRenovacao": {""}}}},
		{name: "OAuth", status: http.StatusOK, steps: []url.Values{{"metodo": {"oauth"}, "segredoCliente": {"segredo"}, "envioCliente": {"basic"},
			"escopo": {"a  b"}, "formatoAnexos": {"string"}}}},
		{name: "ByHand", status: http.StatusOK, steps: []url.Values{{"origemRecursos": {"manual"}, "recursos.anexos": {"S"},
			"recursos.situacao": {"S"}, "usoElegibilidade": {"sempre"}, "caminhoElegibilidade": {"/elegivel"}, "prazo": {"90"}}}},
		{name: "WrongPassword", status: http.StatusUnprocessableEntity, steps: []url.Values{{"metodo": {"senha"}, "usuarioServico": {""},
			"caminhoLogin": {"x"}, "campoUsuario": {""}, "campoSenha": {""}, "caminhoRenovacao": {"y"}}}},
		{name: "WrongRest", status: http.StatusUnprocessableEntity, steps: []url.Values{{"caminhoUnidades": {"u"}, "caminhoExecutantes": {"p"},
			"caminhoElegibilidade": {""}, "maximoArquivos": {"0"}, "maximoArquivo": {"501"}, "maximoAnexos": {"dez"}, "tempoConexao": {"61"},
			"tempoConsulta": {""}, "tempoResposta": {"601"}, "prazo": {"-1"}}}},
		{name: "FixedPassword", status: http.StatusOK, configure: fixed(func(c *app.Config) {
			c.Connection.BaseURL, c.Connection.User, c.ServicePassword = elsewhere, "clinica", "segredo"
		})},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			server := apptest.Start(t, apptest.Options{Empty: true, Configure: tc.configure})
			admin := server.LogIn(t, apptest.Administration)
			page := admin.Get(connectionPath)
			for _, step := range tc.steps {
				form := apptest.ConnectionForm(elsewhere)
				maps.Copy(form, step)
				page = admin.Post(connectionPath, form)
			}
			if page.Status != tc.status {
				t.Fatalf("got %d, want %d", page.Status, tc.status)
			}
			checkGolden(t, filepath.Join("testdata", "connection", tc.name+".golden"), outline(page.Find("main")))
		})
	}
}

// fixed sets by configuration whatever can be set so, beside the access.
func fixed(access func(*app.Config)) func(*app.Config) {
	return func(c *app.Config) {
		access(c)
		c.Connection.LoginPath, c.Connection.UserField, c.Connection.PasswordField, c.Connection.TokenPath, c.Connection.Attachments = "/entrar", "email", "segredo", "/token", "string"
		c.Connection.UploadFiles, c.Connection.UploadFile, c.Connection.UploadTotal = 3, 2<<20, 5<<20
		c.Connection.Connect, c.Connection.Query, c.Connection.Answer, c.Connection.Deadline = time.Second, 2*time.Second, 1500*time.Millisecond, 4*time.Minute
	}
}

func checkGolden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("the page is another one (-want +got); go test -update writes it anew:\n%s", diff)
	}
}

var anyDate = regexp.MustCompile(`\d\d/\d\d/\d{4}`)

// outline lists what a person meets on a page: headings, texts, links and fields with
// what they hold. How it looks is left out.
func outline(within *goquery.Selection) string {
	var b strings.Builder
	within.Find("h1, h2, legend, summary, p, small, label, input, select, option, textarea, button, a, li, [id$=-d], [id$=-e]").Each(
		func(_ int, s *goquery.Selection) {
			fmt.Fprint(&b, goquery.NodeName(s))
			for _, name := range []string{"id", "name", "type", "value", "placeholder", "inputmode", "autocomplete", "aria-describedby", "aria-invalid", "for",
				"href", "formaction", "checked", "selected", "readonly", "required"} {
				if value, ok := s.Attr(name); ok {
					fmt.Fprintf(&b, " %s=%q", name, value)
				}
			}
			if _, open := s.Parent().Attr("open"); open {
				fmt.Fprint(&b, " (open)")
			}
			fmt.Fprintf(&b, " %s\n", anyDate.ReplaceAllString(strings.Join(strings.Fields(s.Text()), " "), "DD/MM/AAAA"))
		})
	return b.String()
}
