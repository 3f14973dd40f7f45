package e2e_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"guiche/internal/apptest"

	"github.com/PuerkitoBio/goquery"
)

// sections are the shown sections of the description, those unfolded with a mark.
const sections = `Array.from(document.querySelectorAll('details.api-section')).filter(d => d.offsetParent).map(d => d.id + (d.open ? ' open' : '')).join()`

// TestDescription_Search: the form narrows the page without scripts.
func TestDescription_Search(t *testing.T) {
	t.Parallel()
	v := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Administration)
	for words, want := range map[string]string{
		"GUIAPRESTADOR /autorizacoes consultá": "procurarPorGuia open",
		"cancelamento POST":                    "cancelar open",
		"xyz":                                  "",
	} {
		got := v.Post("/servico/descricao", url.Values{"Busca": {words}})
		var shown []string
		got.Find("details.api-section").Each(func(_ int, s *goquery.Selection) {
			id := s.AttrOr("id", "")
			if _, open := s.Attr("open"); open {
				id += " open"
			}
			shown = append(shown, id)
		})
		if want == "" && (len(shown) > 0 || got.Count("#nada:not([hidden])") != 1) || want != "" && !slices.Contains(shown, want) {
			t.Errorf("%q: got %q, want %q", words, shown, want)
		}
	}
	whole := v.Post("/servico/descricao", url.Values{"Busca": {"  "}})
	if all := whole.Find("details.api-section"); all.Length() < 20 || all.FilterFunction(func(_ int, s *goquery.Selection) bool { _, open := s.Attr("open"); return open }).Length() > 0 {
		t.Errorf("no words: got %d sections, want all of them, folded", all.Length())
	}
}

// TestDescription_Browser: an address within the page unfolds its section, and
// sections narrow while one types.
func TestDescription_Browser(t *testing.T) {
	t.Parallel()
	b := MustBrowse(t, apptest.Start(t, apptest.Options{}))
	b.logIn("administracao")
	b.open("/servico/descricao#autorizar-c")
	b.waitFor("the addressed section", "document.querySelector('#autorizar').open")
	b.click(".toc a[href='#cancelar']")
	b.waitFor("the section of the index", "document.querySelector('#cancelar').open && document.querySelector('#cancelar').getBoundingClientRect().top < 200")
	b.click("#cancelar summary")
	b.click(".toc a[href='#cancelar']")
	b.waitFor("the same section again", "document.querySelector('#cancelar').open")
	b.open("/servico/descricao")
	b.fill("#Busca", "CANCÉLAMENTO post")
	b.waitFor("fewer sections", sections+".split(',').length < 6")
	if got := eval[string](b, sections); !slices.Contains(strings.Split(got, ","), "cancelar") {
		t.Errorf("got %s, want cancelar among them", got)
	}
	if links := eval[int](b, "Array.from(document.querySelectorAll('.toc a')).filter(a => a.offsetParent).length"); links > 5 {
		t.Errorf("got %d links in the index, want those of the sections", links)
	}
	b.fill("#Busca", "xyz")
	b.see("#nada")
	if width := eval[int](b, "document.querySelector('#nada').offsetWidth"); width < 800 {
		t.Errorf("without an index the text is %d points wide, want its own column", width)
	}
	b.fill("#Busca", "")
	b.waitFor("all sections", sections+".split(',').length > 20")
}
