package form_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"guiche/internal/webui/form"

	"github.com/google/go-cmp/cmp"
)

// items is a form with rows of names, each with its box ticked.
func items(button string, names ...string) url.Values {
	values := url.Values{"acao": {button}, "outro": {"x"}}
	for i, name := range names {
		values.Set(fmt.Sprintf("itens[%d].nome", i), name)
		values.Set(fmt.Sprintf("itens[%d].ativo", i), "S")
	}
	return values
}

func TestForm_Rows(t *testing.T) {
	gap := items("", "a", "b", "c")
	gap.Del("itens[1].nome")
	second := items("", "", "b")
	second.Set("itens[0].id", "7")
	for name, c := range map[string]struct {
		posted  url.Values
		want    string
		changed bool
	}{
		"None":        {url.Values{}, "", false},
		"All":         {items("", "a", "b"), "a b", false},
		"BlankLeft":   {items("", "a", " ", "b"), "a b", false},
		"OtherText":   {second, " b", false},
		"More":        {items("adicionar", "a", "", "b"), "a b", true},
		"Less":        {items("remover-2", "a", "", "b", "c"), "a c", true},
		"LessBeyond":  {items("remover-9", "a"), "a", true},
		"LessOfMany":  {items("remover-1", "a", "b", "c"), "a c", true},
		"OtherButton": {items("salvar", "a"), "a", false},
		"EndsAtGap":   {gap, "a", false},
		"TooMany":     {items("", strings.Fields(strings.Repeat("a ", 300))...), strings.TrimSpace(strings.Repeat("a ", 200)), false},
	} {
		t.Run(name, func(t *testing.T) {
			f := form.New(c.posted)
			var names []string
			for _, row := range f.Rows("itens", "nome", "id") {
				names = append(names, row.Raw("nome"))
			}
			if got := strings.Join(names, " "); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if f.RowsChanged() != c.changed {
				t.Errorf("got changed %t, want %t", f.RowsChanged(), c.changed)
			}
		})
	}
}

// The page shows the rows that were read, numbered anew, and nothing of the others.
func TestForm_Rows_Values(t *testing.T) {
	f := form.New(items("remover-0", "a", " b  c ", "", "d"))
	rows := f.Rows("itens", "nome")
	want := map[string]string{"acao": "remover-0", "outro": "x",
		"itens[0].nome": " b  c ", "itens[0].ativo": "S", "itens[1].nome": "d", "itens[1].ativo": "S"}
	if diff := cmp.Diff(want, f.Values()); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
	if got := rows[1].Name("nome"); got != "itens[1].nome" {
		t.Errorf("got %q, want the name as it is now", got)
	}
	first := rows[0]
	if first.Line("nome") != "b c" || !first.Checked("ativo") || first.Checked("novo") {
		t.Errorf("got %q, %t, %t", first.Line("nome"), first.Checked("ativo"), first.Checked("novo"))
	}
}

// Boxes alone make no row: the empty one at the end has them as well.
func TestForm_Rows_BoxesAlone(t *testing.T) {
	f := mustParse(t, "itens[0].nome=+&itens[0].ativo=S")
	if rows := f.Rows("itens", "nome"); len(rows) != 0 || len(f.Values()) != 0 {
		t.Errorf("got %d rows, values %v", len(rows), f.Values())
	}
}

func TestForm_AddRow(t *testing.T) {
	f := form.New(nil)
	for i, name := range []string{"Recepção", "Coleta"} {
		row := f.AddRow("pontos", i)
		row.Set("nome", name)
		row.SetChecked("ativo", i == 1)
	}
	want := map[string]string{"pontos[0].nome": "Recepção", "pontos[1].nome": "Coleta", "pontos[1].ativo": "S"}
	if diff := cmp.Diff(want, f.Values()); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
	if rows := f.Rows("pontos", "nome"); len(rows) != 2 {
		t.Errorf("got %d rows, want those that were added", len(rows))
	}
}
