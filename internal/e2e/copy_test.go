package e2e_test

import (
	"testing"

	"guiche/internal/apptest"
)

// TestCopy: a button that copied says so, for the eye and for the ear, and again what it is for after a while.
func TestCopy(t *testing.T) {
	p := apptest.Start(t, apptest.Options{})
	b := MustBrowse(t, p)
	b.logIn("recepcao")
	v := p.LogIn(t, apptest.Reception)
	b.open(v.Submit(v.NewDraft()).Path)
	b.see(".key-facts [data-copy]")
	eval[bool](b, "(navigator.clipboard.writeText = async text => { window.copied = text; }, true)")
	b.click(".key-facts [data-copy]")
	b.waitFor("it says so", "document.querySelector('#aviso').textContent === 'Copiado'")
	b.waitFor("the button shows it", "document.querySelector('.key-facts [data-copy][aria-label=Copiado] .i-check-lg') !== null")
	b.waitFor("it is as before", "document.querySelectorAll('.key-facts .i-check-lg, [aria-label=Copiado]').length === 0")
	if got := eval[string](b, "window.copied"); got != eval[string](b, "document.querySelector('.key-facts [data-copy]').dataset.copy") {
		t.Errorf("got %q in the clipboard", got)
	}
}
