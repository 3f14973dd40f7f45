package e2e_test

import (
	"context"
	"testing"

	"guiche/internal/apptest"

	"github.com/chromedp/cdproto/input"
	cd "github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// enterDown lets Enter go down, and repeats it as a keyboard does while it is held.
func (b *browser) enterDown(repeat bool) {
	b.t.Helper()
	b.do("Enter goes down", cd.Func(func(ctx context.Context, _ *cd.Target) error {
		_, err := cd.Call(ctx, input.DispatchKeyEvent, input.DispatchKeyEventParams{
			Type: input.DispatchKeyEventTypeKeyDown, Key: "Enter", Code: "Enter", Text: "\r",
			WindowsVirtualKeyCode: 13, NativeVirtualKeyCode: 13, AutoRepeat: &repeat,
		})
		return err
	}))
}

// stillHeld repeats Enter a few times, and fails where that presses something.
func (b *browser) stillHeld() {
	b.t.Helper()
	eval[bool](b, "(window.clicks = [], addEventListener('click', event => clicks.push(event.target.innerText), true), true)")
	for range 3 {
		b.enterDown(true)
	}
	if pressed := eval[[]string](b, "clicks"); len(pressed) > 0 {
		b.t.Errorf("what is left of a long Enter pressed %q", pressed)
	}
}

// TestHeldEnter: a finger that stays on Enter presses nothing on what it led to.
func TestHeldEnter(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	v := p.LogIn(t, apptest.Reception)
	denied := send2(v, t, "99990400")
	b := MustBrowse(t, p, "422")
	b.logIn("recepcao")
	t.Run("Review", func(t *testing.T) {
		b := b.in(t)
		address, form := v.NewDraft()
		v.Post(address, form)
		b.open(address)
		b.focus("[data-shortcut=F8]")
		b.enterDown(false)
		b.focusedIs("in the review", "#enviar-confirma")
		b.stillHeld()
		b.press(kb.Enter)
		b.waitFor("pressed anew it is sent", "location.pathname.startsWith('/casos/')")
	})
	t.Run("NextPage", func(t *testing.T) {
		b := b.in(t)
		b.open("/fila?grupo=neg")
		b.focus("#fila a[href='" + denied + "']")
		b.enterDown(false)
		b.focusedIs("in the case", ".outcomes .btn-primary")
		b.stillHeld()
	})
	t.Run("WrongPassword", func(t *testing.T) {
		b := MustBrowse(t, p, "422")
		b.open("/entrar")
		b.typeKeys("recepcao⇥outra senha errada")
		b.enterDown(false)
		b.see("[role=alert]")
		b.focusedIs("after a wrong password", "#senha")
		b.stillHeld()
	})
}

// countsSubmits counts the submissions that go out, and lets none leave.
const countsSubmits = `(window.submits = 0, addEventListener('submit', event => {
	if (!event.defaultPrevented) submits++;
	event.preventDefault();
}), true)`

// TestHeldEnter_Login: a long Enter and a second press send one attempt: each would count as a failure until it is
// answered, and who knows the password would be kept out by it.
func TestHeldEnter_Login(t *testing.T) {
	t.Parallel()
	b := MustBrowse(t, apptest.Start(t, apptest.Options{}))
	b.open("/entrar")
	eval[bool](b, countsSubmits)
	b.typeKeys("recepcao⇥qualquer senha")
	b.enterDown(false)
	b.enterDown(true)
	b.press(kb.Enter)
	b.click("main form button")
	if got := eval[int](b, "submits"); got != 1 {
		t.Errorf("%d attempts went out, want 1", got)
	}
}
