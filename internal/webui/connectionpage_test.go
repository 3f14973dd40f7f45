package webui_test

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"guiche/internal/app"
	"guiche/internal/apptest"
	"guiche/internal/connection"

	"github.com/google/go-cmp/cmp"
)

const connectionPath = "/servico/conexao"

// elsewhere is an address at which nobody answers.
const elsewhere = "http://127.0.0.1:9/base"

// The page has every setting of the table once, in the order of its group, with its
// label, hint and value; and the secrets.
func TestConnectionPage_Settings(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{Empty: true})
	page := server.LogIn(t, apptest.Administration).Get(connectionPath)
	values := connection.Defaults().Form()
	for _, g := range connection.Groups() {
		var want []string
		for _, f := range connection.FieldsOf(g) {
			want = append(want, f.Inputs()...)
			checkInput(t, page, f, values)
		}
		shown := slices.Compact(slices.DeleteFunc(page.Attrs("#conexao [name]", "name"),
			func(name string) bool { return !slices.Contains(want, name) }))
		if diff := cmp.Diff(want, shown); diff != "" {
			t.Errorf("%s (-table +page):\n%s", g, diff)
		}
	}
	for _, m := range connection.Methods() {
		if page.Attr("#"+connection.FieldSecret(m), "type") != "password" || page.Value("#"+connection.FieldSecret(m)) != "" {
			t.Errorf("%s: want an empty field for the secret", m)
		}
	}
}

// checkInput: the page shows a setting as the table describes it.
func checkInput(t *testing.T, page *apptest.Page, f connection.Field, values map[string]string) {
	t.Helper()
	switch {
	case f.Kind == connection.Marks:
		for i, name := range f.Inputs() {
			if got := page.Text("label[for='" + strings.ReplaceAll(name, ".", "-") + "']"); got != f.Choices[i].Label {
				t.Errorf("%s: got label %q", name, got)
			}
		}
	case page.Has("input[type=radio][name=" + f.Name + "]"):
		if got := page.Attr("#"+f.Name, "aria-label"); got != f.Label || !slices.Equal(page.Checked(f.Name), []string{values[f.Name]}) {
			t.Errorf("%s: got label %q, checked %q", f.Name, got, page.Checked(f.Name))
		}
	default:
		label := f.Label
		if f.Optional {
			label += " (opcional)"
		}
		if got := page.Text("label[for=" + f.Name + "]"); got != label {
			t.Errorf("%s: got label %q, want %q", f.Name, got, label)
		}
		if got := page.Value("#" + f.Name); got != values[f.Name] && f.Kind != connection.AllowedHost {
			t.Errorf("%s: got %q, want %q", f.Name, got, values[f.Name])
		}
		if hint := page.Text("#" + f.Name + "-hint"); hint != f.Hint {
			t.Errorf("%s: got hint %q, want %q", f.Name, hint, f.Hint)
		}
	}
}

// What is saved is shown again; what is out of sight at first is in sight once it is
// not as usual.
func TestConnectionPage_Saved(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{Empty: true})
	admin := server.LogIn(t, apptest.Administration)
	for name, tc := range map[string]struct {
		form url.Values
		open string // the summaries of what is in sight
	}{
		"Key": {nil, ""},
		"Password": {url.Values{"metodo": {"senha"}, "senhaServico": {"segredo"}, "campoUsuario": {"email"}, "caminhoRenovacao": {""}},
			"Caminhos e nomes dos campos do login"},
		"OAuth": {url.Values{"metodo": {"oauth"}, "segredoCliente": {"segredo"}, "envioCliente": {"basic"}, "escopo": {"a b"}},
			"Caminho e envio do pedido de token"},
		"ByHand": {url.Values{"origemRecursos": {"manual"}, "recursos.anexos": {"S"}, "usoElegibilidade": {"sempre"},
			"prazo": {"90"}}, "Recursos à mão"},
		"Paths": {url.Values{"caminhoUnidades": {""}, "caminhoElegibilidade": {"/elegivel"}, "formatoAnexos": {"string"}},
			"Caminhos de outro serviço"},
	} {
		t.Run(name, func(t *testing.T) {
			form := apptest.ConnectionForm(elsewhere)
			maps.Copy(form, tc.form)
			page := admin.Post(connectionPath, form)
			if page.Status != http.StatusOK {
				t.Fatalf("got %d, %q", page.Status, page.Text("#erros"))
			}
			secret := connection.FieldSecret(connection.Method(form.Get("metodo")))
			if !storedOn.MatchString(page.Text("#" + secret + "-hint")) {
				t.Errorf("the secret: got %q", page.Text("#"+secret+"-hint"))
			}
			for _, m := range connection.Methods() {
				form.Del(connection.FieldSecret(m))
			}
			for field := range form {
				if got := page.Form("#conexao").Get(field); got != form.Get(field) {
					t.Errorf("%s: got %q, want %q", field, got, form.Get(field))
				}
			}
			if got := strings.Join(page.Texts("details[open] > summary"), ", "); got != tc.open {
				t.Errorf("in sight: got %q, want %q", got, tc.open)
			}
		})
	}
}

// What is wrong is said in the order of the table, above the form and at its field,
// and what was typed stays.
func TestConnectionPage_Wrong(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{Empty: true})
	admin := server.LogIn(t, apptest.Administration)
	for name, tc := range map[string]struct {
		form  url.Values
		wrong string
	}{
		"Address": {url.Values{"endereco": {"servico"}, "chaveApi": {""}}, "endereco chaveApi"},
		"Password": {url.Values{"metodo": {"senha"}, "senhaServico": {"x"}, "usuarioServico": {""}, "caminhoLogin": {"x"}, "campoUsuario": {""},
			"campoSenha": {""}, "caminhoRenovacao": {"y"}}, "usuarioServico caminhoLogin campoUsuario campoSenha caminhoRenovacao"},
		"OAuth": {url.Values{"metodo": {"oauth"}, "segredoCliente": {"x"}, "clienteId": {""}, "caminhoToken": {""},
			"escopo": {strings.Repeat("a", 201)}}, "escopo clienteId caminhoToken"},
		"Rest": {url.Values{"caminhoUnidades": {"u"}, "caminhoExecutantes": {"p"}, "caminhoElegibilidade": {""}, "maximoArquivos": {"0"},
			"maximoArquivo": {"501"}, "maximoAnexos": {"dez"}, "tempoConexao": {"61"}, "tempoConsulta": {""},
			"tempoResposta": {"601"}, "prazo": {"-1"}, "enviosJuntos": {"0"}, "enviosOperadora": {"501"}},
			"caminhoUnidades caminhoExecutantes caminhoElegibilidade maximoArquivos maximoArquivo maximoAnexos tempoConexao " +
				"tempoConsulta tempoResposta prazo enviosJuntos enviosOperadora"},
		"Slots": {url.Values{"enviosJuntos": {"8"}, "enviosOperadora": {"9"}}, "enviosOperadora"},
		"Total": {url.Values{"maximoArquivo": {"20"}, "maximoAnexos": {"10"}}, "maximoAnexos"},
	} {
		t.Run(name, func(t *testing.T) {
			form := apptest.ConnectionForm(elsewhere)
			maps.Copy(form, tc.form)
			page := admin.Post(connectionPath, form)
			var fields []string
			for _, link := range page.Attrs("#erros a", "href") {
				field := strings.TrimPrefix(link, "#")
				fields = append(fields, field)
				if page.Text("#"+field+"-error") == "" || page.Value("#"+field) != form.Get(field) {
					t.Errorf("%s: nothing is said at the field, or it holds %q", field, page.Value("#"+field))
				}
			}
			if got := strings.Join(fields, " "); got != tc.wrong || page.Status != http.StatusUnprocessableEntity {
				t.Errorf("%d: got %s, want %s", page.Status, got, tc.wrong)
			}
		})
	}
}

// What a variable sets is shown with its name and cannot be typed.
func TestConnectionPage_Fixed(t *testing.T) {
	t.Parallel()
	for _, method := range []connection.Method{connection.Password, connection.OAuth} {
		fixed := connection.Settings{
			BaseURL: elsewhere, LoginPath: "/entrar", UserField: "email", PasswordField: "segredo", TokenPath: "/token", Attachments: "string",
			UploadFiles: 3, UploadFile: 2 << 20, UploadTotal: 5 << 20, Connect: 1e9, Query: 2e9, Answer: 3e9, Deadline: 240e9,
			Slots: 7, CredentialSlots: 5,
		}
		server := apptest.Start(t, apptest.Options{Empty: true, Configure: func(c *app.Config) {
			c.Connection = fixed
			if method == connection.OAuth {
				c.Connection.ClientID, c.ClientSecret = "clinica", "segredo"
			} else {
				c.Connection.User, c.ServicePassword = "clinica", "segredo"
			}
		}})
		page, values := server.LogIn(t, apptest.Administration).Get(connectionPath), fixed.Form()
		for _, f := range connection.Fields() {
			shown := !f.WithAddress && (f.Method == "" || f.Method == method)
			if got := page.Has("[name='" + f.Inputs()[0] + "']"); got != shown {
				t.Errorf("%s: %s is shown: %t", method, f.Name, got)
			}
			if f.Flag == "" || !shown {
				continue
			}
			hint := "Definido por " + f.Variable() + ", que vale mais que esta página."
			if got := page.Text("#" + f.Name + "-hint"); got != hint || page.Value("#"+f.Name) != values[f.Name] ||
				!page.Has("#"+f.Name+"[readonly]") {
				t.Errorf("%s: %s holds %q, hint %q", method, f.Name, page.Value("#"+f.Name), got)
			}
		}
	}
}
