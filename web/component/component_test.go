package component_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"guiche/internal/authorization"
	"guiche/web/component"

	"github.com/PuerkitoBio/goquery"
	"github.com/a-h/templ"
)

// MustRender returns a component as a document.
func MustRender(tb testing.TB, c templ.Component) *goquery.Document {
	tb.Helper()
	var html bytes.Buffer
	if err := c.Render(context.Background(), &html); err != nil {
		tb.Fatal(err)
	}
	doc, err := goquery.NewDocumentFromReader(&html)
	if err != nil {
		tb.Fatal(err)
	}
	return doc
}

func TestID(t *testing.T) {
	for name, want := range map[string]string{
		"numeroCarteira":                       "numeroCarteira",
		"procedimentos[0].quantidade":          "procedimentos-0-quantidade",
		"procedimentos[12].codigoProcedimento": "procedimentos-12-codigoProcedimento",
		"anexos[1]":                            "anexos-1",
		"..a..b..":                             "a-b",
	} {
		if got := component.ID(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

func TestGroupDigits(t *testing.T) {
	for code, want := range map[string]string{
		"482017739": "482 017 739", "90011455602": "900 114 556 02", "12345": "12345", "SIM482017739": "SIM482017739",
		"1234567": "123 4567", "": "", "99-1111": "99-1111", "１２３４５６": "１２３４５６",
	} {
		if got := component.GroupDigits(code); got != want {
			t.Errorf("%q: got %q, want %q", code, got, want)
		}
		if got := strings.ReplaceAll(component.GroupDigits(code), " ", ""); got != code {
			t.Errorf("%q: digits changed to %q", code, got)
		}
	}
}

// Each of the 18 codes has a badge by word, icon and colour; two codes never
// become a class of their own.
func TestStatusSituation(t *testing.T) {
	for _, info := range authorization.Statuses() {
		s := component.StatusSituation(info.Code)
		group := info.Group.Info()
		if s.Label != info.Label || s.Icon != group.Icon || s.Tone != component.GroupTone(info.Group) || s.Local || s.Advice == "" {
			t.Errorf("%s: got %+v", info.Code, s)
		}
		doc := MustRender(t, component.Badge(s))
		if got := doc.Find(".status-badge." + string(component.GroupTone(info.Group))).Text(); strings.TrimSpace(got) != info.Label {
			t.Errorf("%s: got badge %q, want %q", info.Code, got, info.Label)
		}
	}
	for _, code := range []authorization.Status{"X9", "", `"><script>`} {
		doc := MustRender(t, component.Badge(component.StatusSituation(code)))
		if doc.Find(".status-badge-local.tone-unknown").Length() != 1 || doc.Find("script").Length() != 0 {
			t.Errorf("%q: an unknown code is a dashed badge of ours", code)
		}
	}
}

func TestLocalSituations(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range component.LocalSituations() {
		if s.Tone == component.ToneError {
			t.Errorf("%s: red says what the operator denied, nothing else", s.Label)
		}
		if s.Label == "" || s.Advice == "" || s.Icon == "" || seen[s.Label] {
			t.Errorf("got %+v", s)
		}
		seen[s.Label] = true
	}
}

func TestTextField(t *testing.T) {
	doc := MustRender(t, component.TextField(component.Field{
		Name: "validadeCarteira", Label: "Validade", Value: `31/13/2027"><b>`, Error: "Informe a data.",
		Hint: "Está na carteira.", Date: true, Optional: true,
	}))
	input := doc.Find("#validadeCarteira")
	for name, want := range map[string]string{
		"name": "validadeCarteira", "type": "text", "value": `31/13/2027"><b>`, "placeholder": "DD/MM/AAAA", "inputmode": "numeric",
		"autocomplete": "off", "aria-invalid": "true", "aria-describedby": "validadeCarteira-error validadeCarteira-hint",
	} {
		if got := input.AttrOr(name, "(none)"); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	if _, ok := input.Attr("required"); ok {
		t.Error("the browser's own messages would come before ours")
	}
	if got := strings.Join(strings.Fields(doc.Find("label[for=validadeCarteira]").Text()), " "); got != "Validade (opcional)" {
		t.Errorf("got label %q", got)
	}
	if got := doc.Find("#validadeCarteira-error").Text(); got != "Erro: Informe a data." {
		t.Errorf("got message %q", got)
	}
	t.Run("Clean", func(t *testing.T) {
		clean := MustRender(t, component.TextField(component.Field{Name: "a", Label: "A"}))
		if clean.Find("[aria-invalid], [aria-describedby], .error").Length() != 0 {
			t.Error("a field without a problem says it has one")
		}
	})
	t.Run("Secret", func(t *testing.T) {
		secret := MustRender(t, component.TextField(component.Field{Name: "senha", Label: "Senha", Value: "s3nha",
			Secret: true, Autocomplete: "current-password"}))
		if _, ok := secret.Find("#senha[type=password]").Attr("value"); ok {
			t.Error("a password comes back in the page")
		}
	})
	t.Run("Long", func(t *testing.T) {
		long := MustRender(t, component.TextField(component.Field{Name: "observacoes", Label: "Observações",
			Value: "linha 1\nlinha 2", Long: true}))
		if got := long.Find("textarea#observacoes").Text(); got != "linha 1\nlinha 2" {
			t.Errorf("got %q", got)
		}
	})
}

func TestSelectField(t *testing.T) {
	choices := []component.Choice{{Value: "1", Label: "Um", Parent: "a", Group: "A"},
		{Value: "2", Label: "Dois", Parent: "a", Group: "A"}, {Value: "3", Label: "Três", Parent: "b", Group: "B"}}
	for _, tt := range []struct {
		name, value, selected string
		options               int
	}{{"Chosen", "2", "2", 4}, {"None", "", "", 4}, {"NotInTheList", "9", "9", 5}} {
		t.Run(tt.name, func(t *testing.T) {
			doc := MustRender(t, component.SelectField(component.Select{Field: component.Field{Name: "x", Label: "X",
				Value: tt.value}, Choices: choices, Prompt: "Escolha", DependsOn: "y[0]"}))
			if got := doc.Find("option[selected]").AttrOr("value", "(none)"); got != tt.selected {
				t.Errorf("got %q selected, want %q", got, tt.selected)
			}
			if got := doc.Find("option").Length(); got != tt.options {
				t.Errorf("got %d options, want %d", got, tt.options)
			}
			if got := doc.Find("optgroup").Length(); got != 2 {
				t.Errorf("got %d groups, want 2", got)
			}
			if got := doc.Find("select").AttrOr("data-depends-on", ""); got != "y-0" {
				t.Errorf("got data-depends-on %q", got)
			}
		})
	}
	t.Run("SameValueOfTwo", func(t *testing.T) {
		same := []component.Choice{{Value: "1", Label: "Um", Parent: "a"}, {Value: "1", Label: "Outro", Parent: "b"}}
		for parent, want := range map[string]string{"a": "Um", "b": "Outro", "c": ""} {
			doc := MustRender(t, component.SelectField(component.Select{Field: component.Field{Name: "x", Value: "1"}, Choices: same,
				DependsOn: "y", Parent: parent}))
			if got := doc.Find("option[selected]").Text(); got != want {
				t.Errorf("below %s: got %q selected, want %q", parent, got, want)
			}
		}
	})
	t.Run("Domains", func(t *testing.T) {
		if got := component.Choices(authorization.CareTypes())[0]; got.Value != "05" || got.Label != "Exames" {
			t.Errorf("got %+v", got)
		}
		if got := component.CodeChoices(authorization.Councils())[0]; got.Value != "CRM" || got.Label != "CRM" {
			t.Errorf("got %+v", got)
		}
	})
}

func TestKeyFact(t *testing.T) {
	doc := MustRender(t, component.KeyFact(component.Copyable{Label: "Senha", Shown: "482 017", Value: "482017"}))
	if got := doc.Find("button[data-copy]").AttrOr("aria-label", ""); got != "Copiar senha" {
		t.Errorf("got %q", got)
	}
	empty := MustRender(t, component.KeyFact(component.Copyable{Label: "Senha"}))
	if empty.Find("button").Length() != 0 || empty.Find("dd").Text() != "não há" {
		t.Error("what is not there cannot be copied")
	}
}
