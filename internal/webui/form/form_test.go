package form_test

import (
	"net/url"
	"testing"

	"guiche/internal/authorization"
	"guiche/internal/problem"
	"guiche/internal/webui/form"

	"github.com/google/go-cmp/cmp"
)

// mustParse returns the form of a body as browsers send it.
func mustParse(tb testing.TB, body string) *form.Form {
	tb.Helper()
	return form.New(mustValues(tb, body))
}

func mustValues(tb testing.TB, body string) url.Values {
	tb.Helper()
	values, err := url.ParseQuery(body)
	if err != nil {
		tb.Fatal(err)
	}
	return values
}

func TestForm_Text(t *testing.T) {
	f := mustParse(t, "nome=++Ana++Luz%0A&colado=%EF%BB%BFAna+Luz%E2%80%8B&ativo=S&inativo=N&acao=salvar")
	for got, want := range map[string]string{
		"raw " + f.Raw("nome"):   "raw   Ana  Luz\n",
		"text " + f.Text("nome"): "text Ana  Luz",
		"line " + f.Line("nome"): "line Ana Luz",
		f.Line("colado"):         "Ana Luz",
		"none " + f.Raw("outro"): "none ",
		"button " + f.Button():   "button salvar",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if !f.Checked("ativo") || f.Checked("inativo") || f.Checked("outro") {
		t.Errorf("got %t, %t, %t, want only the ticked box", f.Checked("ativo"), f.Checked("inativo"), f.Checked("outro"))
	}
}

// What was typed comes back as it was typed, and what the handler fills in with it.
func TestForm_Values(t *testing.T) {
	posted := mustValues(t, "nome=+Ana+&papeis=a&papeis=b&ativo=S")
	f := form.New(posted)
	f.Set("uf", "SP")
	f.SetChecked("novo", true)
	f.SetChecked("ativo", false)
	want := map[string]string{"nome": " Ana ", "papeis": "a", "uf": "SP", "novo": "S"}
	if diff := cmp.Diff(want, f.Values()); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
	if posted.Get("ativo") != "S" || posted.Has("uf") {
		t.Error("the posted values have changed")
	}
	if got := form.New(nil).Values(); len(got) != 0 {
		t.Errorf("got %v of an empty form", got)
	}
}

func TestForm_Problems(t *testing.T) {
	f := mustParse(t, "nome=")
	if f.Invalid() {
		t.Errorf("got %v before anything was checked", f.Problems())
	}
	f.Refuse("nome", authorization.CodeRequired, "Informe o nome.")
	f.Add(problem.Field{Path: "uf", Code: authorization.CodeDomain, Message: "Escolha a UF."})
	f.Add()
	want := []problem.Field{
		{Path: "nome", Code: authorization.CodeRequired, Message: "Informe o nome."},
		{Path: "uf", Code: authorization.CodeDomain, Message: "Escolha a UF."},
	}
	if diff := cmp.Diff(want, f.Problems()); diff != "" || !f.Invalid() {
		t.Errorf("invalid %t, problems (-want +got):\n%s", f.Invalid(), diff)
	}
}
