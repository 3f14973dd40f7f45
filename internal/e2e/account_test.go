package e2e_test

import (
	"testing"

	"guiche/internal/apptest"

	"github.com/chromedp/chromedp/kb"
)

// With the keys off F2 is the browser's and no hint shows it.
func TestAccount_Keys(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	b := MustBrowse(t, p)
	b.logIn("recepcao")
	const hint = "getComputedStyle(document.querySelector('.tabs kbd')).display"
	b.open("/conta")
	b.click("#teclas")
	b.click("form[action='/conta/preferencias'] button")
	b.waitFor("kept", "document.querySelector('main [role=status]') !== null")
	if got := eval[string](b, hint); got != "none" {
		t.Errorf("the hint is shown: %s", got)
	}
	b.pressF2("false")
	b.open("/ajuda")
	if got := eval[string](b, "getComputedStyle(document.querySelector('dt kbd')).display"); got == "none" {
		t.Error("the map of keys lost its keys")
	}
	b.open("/conta")
	b.click("#teclas")
	b.click("form[action='/conta/preferencias'] button")
	b.waitFor("hint back", hint+" !== 'none'")
	b.pressF2("true")
	b.waitFor("the form", "location.pathname.startsWith('/nova')")
}

// pressF2 presses F2 and wants the page to take it from the browser, or not to.
func (b *browser) pressF2(taken string) {
	b.t.Helper()
	eval[bool](b, "sessionStorage.removeItem('taken'), addEventListener('keydown', event => sessionStorage.setItem('taken',"+
		" event.defaultPrevented)), true")
	b.press(kb.F2)
	b.waitFor("F2 taken: "+taken, "sessionStorage.getItem('taken') === '"+taken+"'")
}
