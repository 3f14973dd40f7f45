package e2e_test

import (
	"fmt"
	"strings"
	"testing"

	"guiche/internal/apptest"

	"github.com/chromedp/chromedp/kb"
)

// focusedIs fails unless the focus is on what a selector names.
func (b *browser) focusedIs(when, css string) {
	b.t.Helper()
	b.waitFor(when+" the focus is on "+css, fmt.Sprintf("document.readyState === 'complete' && document.activeElement.matches(%q)", css))
}

// TestFocus: a page opens where the work goes on, so that nobody presses Tab blindly.
func TestFocus(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	v := p.LogIn(t, apptest.Reception)
	authorized, denied := send2(v, t, "99990100001"), send2(v, t, "99990400")
	b := MustBrowse(t, p, "422")
	b.logIn("recepcao")
	t.Run("SearchCaseRepeatSend", func(t *testing.T) {
		b := b.in(t)
		b.see("#fila")
		b.press(kb.F4)
		b.typeKeys("99990100001⏎")
		b.focusedIs("after a search", "tbody tr:first-child td:nth-child(2) a")
		b.press(kb.Enter)
		b.waitFor("the case", "location.pathname === '"+authorized+"'")
		b.focusedIs("in an authorized case", "a.btn-primary[href*='/guias/']")
		b.tabTo("form[action$='/copiar'] button")
		b.press(kb.Enter)
		b.focusedIs("after Repetir", firstCode)
		b.press(kb.F8)
		b.focusedIs("in the review", "#enviar-confirma")
		b.press(kb.Enter)
		b.focusedIs("after sending", "#veredito")
	})
	t.Run("NothingFound", func(t *testing.T) {
		b := b.in(t)
		b.press(kb.F4)
		b.typeKeys("zzzz⏎")
		b.focusedIs("after a search without hits", "#texto")
	})
	t.Run("Correct", func(t *testing.T) {
		b := b.in(t)
		b.open(denied)
		b.focusedIs("in a denied case", ".outcomes .btn-primary")
	})
	t.Run("Slow", func(t *testing.T) {
		b := b.in(t)
		b.open(sendSlow(v, t))
		b.waitFor("it is answered", "document.querySelector('#veredito .verdict').innerText === 'Autorizado'")
		b.focusedIs("after the page has updated itself", "a.btn-primary[href*='/guias/']")
	})
	t.Run("Draft", func(t *testing.T) {
		b := b.in(t)
		address, form := v.NewDraft()
		form.Set("numeroCarteira", "")
		v.Post(address, form)
		b.open(address)
		b.focusedIs("in a draft", "#numeroCarteira")
	})
	t.Run("DismissedFile", func(t *testing.T) {
		b := b.in(t)
		b.open("/nova")
		b.upload(writeFile(t, "virus.exe", []byte("MZ")))
		b.waitFor("it is refused", "document.querySelector('#anexos [data-dismiss]') !== null")
		b.focus("#anexos [data-dismiss]")
		b.press(kb.Enter)
		b.focusedIs("after a refused file was dismissed", "#arquivo")
	})
	t.Run("MenuLeft", func(t *testing.T) {
		b := b.in(t)
		b.open("/fila")
		b.focus(".user-menu > summary")
		b.press(kb.Enter)
		b.see(".user-menu[open]")
		b.press(kb.Tab)
		b.focusedIs("in the menu", ".user-menu[open] a")
		b.tabTo("#fila-nova")
		if eval[bool](b, "document.querySelector('.user-menu').open") {
			t.Error("the menu lies over what Tab led to")
		}
	})
	t.Run("ReviewClosed", func(t *testing.T) {
		b := b.in(t)
		address, form := v.NewDraft()
		v.Post(address, form)
		b.open(address)
		b.press(kb.F8)
		b.see("#revisao")
		b.press(kb.Escape)
		b.focusedIs("after the review was closed", "[data-shortcut=F8]")
	})
}

// tabTo presses Tab until the focus is on what a selector names.
func (b *browser) tabTo(css string) {
	b.t.Helper()
	for range 90 {
		if eval[bool](b, fmt.Sprintf("document.activeElement.matches(%q)", css)) {
			return
		}
		b.press(kb.Tab)
	}
	b.t.Fatalf("no Tab leads to %s", css)
}

// TestFocus_OpenedForm: a form of a case that a link opens has the focus in its first field, and keeps it.
func TestFocus_OpenedForm(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	v := p.LogIn(t, apptest.Reception)
	authorized, denied := send2(v, t, "99990100001"), send2(v, t, "99990400")
	b := MustBrowse(t, p)
	b.logIn(apptest.Supervision)
	for _, address := range []string{authorized + "/anotar#anotar", authorized + "/cancelar#cancelamento", authorized + "/retorno#retorno",
		denied + "/anotar#anotar", denied + "/reanalise#reanalise", denied + "/particular#particular"} {
		_, form, _ := strings.Cut(address, "#")
		b.open(address)
		b.focusedIs(address, "#"+form+" :is(input,select,textarea)")
		if covered := eval[string](b, coveredBy); covered != "" {
			t.Errorf("%s: %s", address, covered)
		}
	}
}

// TestFocus_NotCovered: nothing that sticks to the edges covers the field in use,
// at 400 % zoom (342 by 192 points) as little as on a desk's screen.
func TestFocus_NotCovered(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	b := MustBrowse(t, p)
	b.logIn("recepcao")
	b.theme("light") // and no smooth scrolling
	for name, size := range map[string][2]int64{"400%": {342, 192}, "Low": {900, 400}, "Phone": {390, 844}, "Desk": {1366, 768}} {
		t.Run(name, func(t *testing.T) {
			b := b.in(t)
			b.size(size[0], size[1])
			b.open("/nova")
			b.focus("#Busca")
			for eval[bool](b, "document.activeElement.form?.id === 'pedido' && !document.activeElement.closest('.action-bar')") {
				if covered := eval[string](b, coveredBy); covered != "" {
					t.Errorf("%s", covered)
				}
				b.press(kb.Tab)
			}
		})
	}
}

// coveredBy says what covers the focused field.
const coveredBy = `(() => {
	const field = document.activeElement, at = field.getBoundingClientRect();
	if (field.type === 'file') return '';
	for (const bar of document.querySelectorAll('.action-bar, .header')) {
		const r = bar.getBoundingClientRect();
		if (at.bottom > r.top + 1 && at.top < r.bottom - 1) return field.id + ' is covered by ' + bar.className;
	}
	return at.top < 0 || at.bottom > innerHeight ? field.id + ' is not on the screen' : '';
})()`
