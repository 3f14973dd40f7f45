package e2e_test

import (
	"testing"

	"guiche/internal/apptest"
)

// titleInset tells how far the text of the last link beside a title ends from the line of the page's content.
const titleInset = `(() => {
	const title = document.querySelector('.title'), link = [...title.querySelectorAll('a')].at(-1)
	const end = link.getBoundingClientRect().right - parseFloat(getComputedStyle(link).paddingRight)
	return Math.round(title.getBoundingClientRect().right - end)
})()`

// TestTitle_EndsWithTheLine: a link beside a title ends where the page's content ends.
func TestTitle_EndsWithTheLine(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	ana := p.LogIn(t, apptest.Reception)
	ends := func(b *browser, path string) {
		t.Helper()
		b.open(path)
		if got := eval[int](b, titleInset); got > 1 {
			t.Errorf("%s: it ends %d px inside the line", path, got)
		}
	}
	desk, office := MustBrowse(t, p), MustBrowse(t, p)
	desk.logIn(apptest.Reception)
	ends(desk, ana.Submit(ana.NewDraft()).Path)
	office.logIn(apptest.Administration)
	for _, path := range []string{"/copias", "/integridade", "/pessoas/nova", "/cadastros/sincronizar", "/cadastros/unidades/nova",
		"/servico/registro"} {
		ends(office, path)
	}
}
