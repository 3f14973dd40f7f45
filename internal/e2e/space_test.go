package e2e_test

import (
	"sync/atomic"
	"testing"

	"guiche/internal/app"
	"guiche/internal/apptest"

	"github.com/chromedp/chromedp/kb"
)

// TestSpace: on a full disk the form says how much is missing and keeps what is typed, and
// saves it by itself as soon as there is space.
func TestSpace(t *testing.T) {
	t.Parallel()
	var free atomic.Int64
	free.Store(10 << 20)
	p := apptest.Start(t, apptest.Options{Configure: func(c *app.Config) {
		c.Free = func(string) (int64, error) { return free.Load(), nil }
	}})
	b := MustBrowse(t, p, "507", "404")
	b.logIn("recepcao")
	b.open("/nova")
	b.fill("#nomeBeneficiario", "Helena Prado")
	const told = "document.querySelector('#rascunho').innerText.includes('há 10 MB livres')"
	b.waitFor("it says how much there is", told)
	b.look("nova-sem-espaco")
	b.press(kb.F8)
	b.focusedIs("in the form that was not saved", "#erros")
	b.checkValues(map[string]string{"#nomeBeneficiario": "Helena Prado"})
	b.look("nova-sem-espaco-revisar")
	free.Store(10 << 30)
	b.savedAs("Helena Prado", b.path())
	b.open("/fila")
	b.waitFor("nothing is said any more", "!document.body.innerText.includes('Falta espaço')")

	free.Store(100 << 20)
	b.open("/fila")
	b.look("fila-sem-espaco-para-arquivos")
	v := p.LogIn(t, apptest.Administration)
	if got := v.Get("/pessoas").Text(".banner[aria-label^='Falta espaço']"); got == "" {
		t.Error("administração is not told")
	}
	free.Store(3 << 20)
	admin := MustBrowse(t, p, "507")
	admin.logIn("administracao")
	admin.open("/pessoas")
	admin.look("pessoas-sem-espaco")
}
