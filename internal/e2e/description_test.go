package e2e_test

import (
	"slices"
	"strings"
	"testing"

	"guiche/internal/apptest"
)

// sections are the shown sections of the description, those unfolded with a mark.
const sections = `Array.from(document.querySelectorAll('details.api-section')).filter(d => d.offsetParent).map(d => ` +
	`d.id + (d.open ? ' open' : '')).join()`

// TestDescription_Browser: an address within the page unfolds its section, and
// sections narrow while one types.
func TestDescription_Browser(t *testing.T) {
	t.Parallel()
	b := MustBrowse(t, apptest.Start(t, apptest.Options{}))
	b.logIn("administracao")
	b.open("/servico/descricao#autorizar-c")
	b.waitFor("the addressed section", "document.querySelector('#autorizar').open")
	b.click(".toc a[href='#cancelar']")
	b.waitFor("the section of the index", "document.querySelector('#cancelar').open && "+
		"document.querySelector('#cancelar').getBoundingClientRect().top < 200")
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
