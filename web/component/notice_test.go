package component_test

import (
	"regexp"
	"strings"
	"testing"

	"guiche/web/component"
)

func TestNoticeBar(t *testing.T) {
	doc := MustRender(t, component.NoticeBar(component.Notice{Tone: component.ToneError, Icon: "x-octagon",
		Strong: "Falhou.", Text: "Tente de novo.",
		Link: component.Link{Href: "/ajuda", Text: "Ver a ajuda."}, Action: component.Link{Href: "/fila", Text: "Abrir a fila"}}))
	if got := strings.Join(strings.Fields(doc.Find(".notice.tone-error p").Text()), " "); got != "Falhou. Tente de novo. Ver a ajuda." {
		t.Errorf("got %q", got)
	}
	if got := doc.Find("p a").AttrOr("href", ""); got != "/ajuda" {
		t.Errorf("got link %q", got)
	}
	if got := doc.Find("a.btn").AttrOr("href", ""); got != "/fila" {
		t.Errorf("got button %q", got)
	}
	bare := MustRender(t, component.NoticeBar(component.Notice{Text: "Só texto."}))
	if bare.Find("b, a").Length() != 0 || bare.Find(".notice").AttrOr("class", "") == "" {
		t.Error("nothing is drawn for what is not there")
	}
}

func TestErrorSummary(t *testing.T) {
	doc := MustRender(t, component.ErrorSummary("Confira os campos indicados", []component.Problem{
		{Name: "procedimentos[0].quantidade", Message: "Informe a quantidade."}, {Message: "Falta um anexo."},
	}))
	if got := doc.Find("#erros[role=alert][tabindex='-1'][autofocus]").Length(); got != 1 {
		t.Errorf("got %d summaries that take the focus, want 1", got)
	}
	if got := doc.Find("#erros li:first-child a").AttrOr("href", ""); got != "#procedimentos-0-quantidade" {
		t.Errorf("got link %q", got)
	}
	if doc.Find("#erros li:last-child a").Length() != 0 || doc.Find("#erros li:last-child").Text() == "" {
		t.Error("a problem of the whole form has a text and no link")
	}
	if got := MustRender(t, component.ErrorSummary("", nil)).Find("#erros").Length(); got != 0 {
		t.Errorf("got %d summaries of nothing, want 0", got)
	}
}

func TestCheckField(t *testing.T) {
	doc := MustRender(t, component.CheckField(component.Check{Name: "retorno", Label: "Retorno de consulta", Checked: true,
		Error: "Não vale aqui."}))
	box := doc.Find("input#retorno[type=checkbox][checked]")
	for name, want := range map[string]string{"value": "S", "aria-invalid": "true", "aria-describedby": "retorno-error"} {
		if got := box.AttrOr(name, "(none)"); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	if got := doc.Find("#retorno-error.tone-error").Text(); got != "Erro: Não vale aqui." {
		t.Errorf("got message %q", got)
	}
	clean := MustRender(t, component.CheckField(component.Check{Name: "retorno", Label: "Retorno"}))
	if clean.Find("[checked], [aria-invalid], [id$='-error']").Length() != 0 {
		t.Error("an empty box is neither ticked nor wrong")
	}
}

func TestField_AsCombobox(t *testing.T) {
	field := component.Field{Name: "Busca", AriaLabel: "Operadora", Message: "credencialId-error", Error: "Escolha a operadora."}
	input := MustRender(t, component.Input(field.AsCombobox("credenciais", "/busca/credenciais", "F4"))).Find("#Busca")
	for name, want := range map[string]string{
		"role": "combobox", "aria-controls": "credenciais", "aria-expanded": "false", "aria-label": "Operadora",
		"aria-describedby": "credencialId-error",
		"hx-post":          "/busca/credenciais", "hx-target": "#credenciais", "data-shortcut": "F4", "aria-keyshortcuts": "F4",
		"autocomplete": "off",
	} {
		if got := input.AttrOr(name, "(none)"); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	plain := MustRender(t, component.Input(component.Field{Name: "codigo"}.AsCombobox("lista", "/busca", "")))
	if plain.Find("[data-shortcut]").Length() != 0 {
		t.Error("a field without a key takes one")
	}
}

// TestField_Attributes: an input says nothing twice, whatever it is.
func TestField_Attributes(t *testing.T) {
	field := component.Field{Name: "campo", Label: "Campo", Hint: "h", Error: "e", Placeholder: "p", Digits: true, Code: true, Date: true,
		Focus: true, Secret: true, Autocomplete: "username", AriaLabel: "a", ReadOnly: true, AlignEnd: true}
	start := field
	start.Start = true
	for name, f := range map[string]component.Field{"Field": field, "Start": start, "Combobox": field.AsCombobox("lista", "/busca", "F4")} {
		var b strings.Builder
		if err := component.Input(f).Render(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, found := range regexp.MustCompile(` ([a-z:0-9-]+)[=> ]`).FindAllStringSubmatch(b.String(), -1) {
			if seen[found[1]] {
				t.Errorf("%s: %s stands twice in %s", name, found[1], b.String())
			}
			seen[found[1]] = true
		}
		if len(seen) < 14 {
			t.Errorf("%s: got only %d attributes in %s", name, len(seen), b.String())
		}
	}
}

func TestField_ReadOnly(t *testing.T) {
	input := MustRender(t, component.Input(component.Field{Name: "usuario", Value: "ana", ReadOnly: true,
		Autocomplete: "username", AlignEnd: true, Code: true, Focus: true})).Find("#usuario")
	for name, want := range map[string]string{"tabindex": "-1", "autocapitalize": "none", "autocomplete": "username",
		"spellcheck": "false", "class": "form-control code text-end"} {
		if got := input.AttrOr(name, "(none)"); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	if !input.Is("[readonly][autofocus]") {
		t.Error("the input can be changed, or does not take the focus")
	}
}
