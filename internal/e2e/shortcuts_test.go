package e2e_test

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"guiche/internal/apptest"

	"github.com/chromedp/cdproto/page"
	cd "github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestShortcuts presses each function key on the queue, on the form and on a case. A key that
// a page has no use for does nothing there.
func TestShortcuts(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	v := p.LogIn(t, apptest.Reception)
	authorized, denied := send2(v, t, "99990100001"), send2(v, t, "99990400")
	address, form := v.NewDraft()
	v.Post(address, form)
	b := MustBrowse(t, p)
	b.logIn(apptest.Reception)
	at := func(path string) string { return "location.pathname === '" + path + "'" }
	const inSearch, inWho = "document.activeElement.id === 'busca-geral'", "document.activeElement.id === 'Quem'"
	for _, tt := range []struct{ page, key, name, want string }{
		{"/fila", kb.F2, "F2", at("/nova")},
		{"/fila", kb.F4, "F4", inSearch},
		{"/fila", kb.F8, "F8", at("/fila")},
		{"/fila", kb.F9, "F9", at(denied)},
		{"/fila", kb.Escape, "Esc", at("/fila")},
		{"/fila?grupo=neg", kb.Escape, "Esc", at("/fila") + " && location.search === ''"},
		{address, kb.F2, "F2", at("/nova")},
		{address, kb.F4, "F4", inWho},
		{address, kb.F8, "F8", "document.querySelector('#revisao:modal') !== null"},
		{address, kb.F9, "F9", at(address)},
		{address, kb.Escape, "Esc", at(address)},
		{denied, kb.F2, "F2", at("/nova")},
		{denied, kb.F4, "F4", inSearch},
		{denied, kb.Escape, "Esc", at("/fila")},
		{denied, kb.F9, "F9", at("/fila") + " && document.querySelector('main > [role=status]') !== null"}, // nothing else waits
		{authorized, kb.F9, "F9", at(denied)},
		{authorized, kb.F8, "F8", at("/fila")},
	} {
		t.Run(fmt.Sprintf("%s on %s", tt.name, kindOf(tt.page, address)), func(t *testing.T) {
			b := b.in(t)
			b.open(tt.page)
			b.press(tt.key)
			b.waitFor(tt.name+" leads on", "document.readyState === 'complete' && "+tt.want)
		})
	}
	if got := v.Get(authorized).Text("#veredito"); got == "" || v.Get(authorized).Has("form[action$='/concluir']") {
		t.Errorf("F8 has not marked the case as attended: %s", got)
	}
}

// TestShortcuts_Note: what is typed into a form of a case is kept by the keys that would conclude it.
func TestShortcuts_Note(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	v := p.LogIn(t, apptest.Reception)
	path := send2(v, t, "99990100001")
	b := MustBrowse(t, p)
	b.logIn(apptest.Reception)
	for note, ctrl := range map[string]bool{"Ligar às nove": false, "Falar com Sônia": true} {
		b.open(path + "/anotar#anotar")
		b.waitFor("the note", "document.activeElement.id === 'anotar-observacao'")
		b.press(note)
		if ctrl {
			b.press(kb.Enter, cd.KeyModifiers(cd.ModifierCtrl))
		} else {
			b.press(kb.F8)
		}
		b.waitFor("the case with the note", "location.pathname === '"+path+"'")
		if got := v.Get(path); !strings.Contains(got.Text("main"), note) || !got.Has("form[action$='/concluir']") {
			t.Errorf("%q is lost, or the case is concluded", note)
		}
	}
}

// TestShortcuts_EmptyNote: the key that would conclude a case asks for the note where one is begun, and concludes nothing.
func TestShortcuts_EmptyNote(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	v := p.LogIn(t, apptest.Reception)
	path := send2(v, t, "99990100001")
	b := MustBrowse(t, p, "422")
	b.logIn(apptest.Reception)
	b.open(path + "/anotar#anotar")
	b.waitFor("the note", "document.activeElement.id === 'anotar-observacao'")
	b.press(kb.F8)
	b.see("#erros")
	if !v.Get(path).Has("form[action$='/concluir']") {
		t.Error("the case is concluded")
	}
}

// TestShortcuts_Unsent: what leads away from a case where something was typed asks first, and one who stays has it. It runs
// alone: a browser's own question stops all its windows, those of other tests, too.
func TestShortcuts_Unsent(t *testing.T) {
	p := apptest.Start(t, apptest.Options{})
	path := send2(p.LogIn(t, apptest.Reception), t, "99990100001")
	b := MustBrowse(t, p)
	b.logIn(apptest.Reception)
	b.open(path + "/anotar#anotar")
	b.waitFor("the note", "document.activeElement.id === 'anotar-observacao'")
	b.press("Ligar")
	leave := func(key string, goOn bool) {
		t.Helper()
		ctx, cancel := context.WithTimeout(b.ctx, patience)
		defer cancel()
		if _, err := cd.Run(ctx, cd.WaitEvent(page.JavascriptDialogOpening, nil, cd.KeyEvent(key))); err != nil {
			t.Fatalf("no question: %v", err)
		}
		b.do("answer it", cd.Func(func(ctx context.Context, _ *cd.Target) error {
			_, err := cd.Call(ctx, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: goOn})
			return err
		}))
	}
	const kept = "document.querySelector('#anotar-observacao').value === 'Ligar'"
	leave(kb.F2, false)
	b.waitFor("the note is there", kept)
	b.focus("#busca-geral")
	b.press("Duarte")
	leave(kb.Enter, false) // another form takes nothing along
	b.waitFor("the note is there", kept)
	leave(kb.F2, true)
	b.waitFor("the form", arrivedAt("/nova"))
}

// kindOf names a page for a test, without what identifies it.
func kindOf(path, form string) string {
	switch {
	case path == form:
		return "form"
	case len(path) > 30:
		return "case"
	}
	return path
}

// TestShortcuts_Off: who leaves the keys to the browser is neither shown nor told them.
func TestShortcuts_Off(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	v := p.LogIn(t, apptest.Reception)
	v.Post("/conta/preferencias", url.Values{"tema": {"sistema"}}) // without the box "teclas"
	b := MustBrowse(t, p)
	b.logIn(apptest.Reception)
	b.open("/fila")
	b.press(kb.F2)
	b.focusedIs("after F2", "body, #conteudo")
	if got := eval[int](b, "document.querySelectorAll('[aria-keyshortcuts]').length"); got != 0 {
		t.Errorf("%d controls tell screen readers of keys", got)
	}
	if got := eval[int](b, "[...document.querySelectorAll('kbd')].filter(k => k.offsetParent).length"); got != 0 {
		t.Errorf("%d keys are shown", got)
	}
}
