package page_test

import (
	"fmt"
	"net/url"
	"testing"

	"guiche/web/page"
)

func TestSentRows(t *testing.T) {
	form := func(action string, names ...string) url.Values {
		values := url.Values{"acao": {action}}
		for i, name := range names {
			values.Set(fmt.Sprintf("itens[%d].nome", i), name)
			values.Set(fmt.Sprintf("itens[%d].ativo", i), "S")
		}
		return values
	}
	gap := form("", "a", "b", "c")
	gap.Del("itens[1].nome")
	for name, c := range map[string]struct {
		sent url.Values
		want string
		only bool
	}{
		"None":        {url.Values{}, "", false},
		"All":         {form("", "a", "b"), "a b ", false},
		"BlankLeft":   {form("", "a", " ", "b"), "a b ", false},
		"More":        {form("adicionar", "a", "", "b"), "a b ", true},
		"Less":        {form("remover-2", "a", "", "b", "c"), "a c ", true},
		"LessBeyond":  {form("remover-9", "a"), "a ", true},
		"OtherButton": {form("salvar", "a"), "a ", false},
		"EndsAtGap":   {gap, "a ", false},
	} {
		rows, only := page.SentRows(c.sent, "itens", "nome", "ativo")
		got := ""
		for _, row := range rows {
			got += row["nome"] + " "
		}
		if got != c.want || only != c.only {
			t.Errorf("%s: got %q, %t, want %q, %t", name, got, only, c.want, c.only)
		}
	}
}

func TestSentSearch(t *testing.T) {
	for sent, want := range map[string]string{"": " 1", "Busca=+ana+&pagina=3": "ana 3", "pagina=x": " 1", "pagina=-2": " 1", "pagina=99999999999": " 1000000"} {
		values, err := url.ParseQuery(sent)
		if err != nil {
			t.Fatal(err)
		}
		text, number := page.SentSearch(values)
		if got := fmt.Sprint(text, " ", number); got != want {
			t.Errorf("%q: got %q, want %q", sent, got, want)
		}
	}
}

func TestPagesOf(t *testing.T) {
	for name, c := range map[string]struct {
		number, total int
		want          page.Pages
	}{
		"None":   {1, 0, page.Pages{}},
		"One":    {1, 50, page.Pages{}},
		"First":  {1, 51, page.Pages{Position: "1 a 50 de 51", Next: 2}},
		"Last":   {2, 51, page.Pages{Position: "51 a 51 de 51", Previous: 1}},
		"Middle": {2, 150, page.Pages{Position: "51 a 100 de 150", Previous: 1, Next: 3}},
		"Beyond": {9, 51, page.Pages{Position: "nada além de 51", Previous: 2}},
	} {
		if got := page.PagesOf(c.number, 50, c.total); got != c.want {
			t.Errorf("%s: got %+v, want %+v", name, got, c.want)
		}
	}
}
