package e2e_test

import (
	"testing"

	"guiche/internal/apptest"

	cd "github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// pointsAt waits until the tour is at a step and points at a control.
func (b *browser) pointsAt(step, css string) {
	b.t.Helper()
	b.waitFor("step "+step+" at "+css, `document.readyState === 'complete'
		&& document.getElementById('apresentacao')?.dataset.step === '`+step+`'
		&& document.querySelector('.pointed-at')?.matches('`+css+`')
		&& document.activeElement.closest('#apresentacao') !== null`)
}

// hasNoTour fails the test where the page shows the tour.
func (b *browser) hasNoTour(when string) {
	b.t.Helper()
	if eval[bool](b, "document.querySelector('#apresentacao:not([hidden]), .pointed-at') !== null") {
		b.t.Errorf("%s: the tour is there", when)
	}
}

// leavesTour presses Esc and waits for the focus to be where the page has it.
func (b *browser) leavesTour(focus string) {
	b.t.Helper()
	b.press(kb.Escape)
	b.waitFor("the focus goes to "+focus, "document.activeElement.matches('"+focus+"') && !document.getElementById('apresentacao')")
	b.hasNoTour("after Esc")
}

// TestTour goes through the tour with the keyboard, on the pages of the demo.
func TestTour(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{Past: true})
	p.LogIn(t, apptest.Reception) // waits for the past, however long that takes to be made
	b := MustBrowse(t, p)
	b.logIn("recepcao")
	b.pointsAt("1", ".status-counts")
	b.look("apresentacao-fila")
	b.press(kb.Enter)
	b.pointsAt("2", "[data-shortcut=F2]")
	b.press(kb.F2) // as the step says
	b.pointsAt("3", "#Quem")
	b.look("apresentacao-quem")
	b.press(kb.Enter)
	b.pointsAt("4", "[data-shortcut=F8]")
	b.look("apresentacao-enviar")
	b.press(kb.Enter)
	b.pointsAt("5", "#veredito")
	b.look("apresentacao-caso")
	b.press(kb.Enter)
	b.pointsAt("6", ".user-menu > summary")
	b.look("apresentacao-teclas")
	b.press(kb.Tab, cd.KeyModifiers(cd.ModifierShift)) // to "Anterior"
	b.press(kb.Enter)
	b.pointsAt("5", "#veredito")
	b.leavesTour("[autofocus]")
	if got := eval[string](b, "location.search"); got != "" {
		t.Errorf("the address still has %q, which a reload would obey", got)
	}
	b.open("/fila")
	b.hasNoTour("the second time")
	b.open("/ajuda")
	b.focus("a[href*=apresentacao]")
	b.press(kb.Enter)
	b.pointsAt("1", ".status-counts")
	b.leavesTour("#conteudo")
}

// TestTour_EscapeAlone: on a page where Esc leads back, it ends the tour and nothing else, and
// the next one leads back.
func TestTour_EscapeAlone(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	p.LogIn(t, apptest.Reception).SubmitWith(nil)
	b := MustBrowse(t, p)
	b.logIn("recepcao")
	b.hasNoTour("a demo without a past")
	b.open("/ajuda/exemplo")
	b.pointsAt("5", "#veredito")
	b.leavesTour("[autofocus]")
	if got := b.path(); got == "/fila" {
		t.Error("Esc left the case too")
	}
	b.press(kb.Escape)
	b.waitFor("the queue", "location.pathname === '/fila'")
}

// TestTour_WithoutScript: nothing of it shows.
func TestTour_WithoutScript(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	b := MustBrowse(t, p)
	b.logIn("recepcao")
	b.scripts(false)
	for path, css := range map[string]string{"/fila?apresentacao=1": "#apresentacao", "/ajuda": "a[href*=apresentacao]"} {
		b.open(path)
		if shown := eval[bool](b, "document.querySelector('"+css+"').getClientRects().length > 0"); shown {
			t.Errorf("%s shows %s", path, css)
		}
	}
}
