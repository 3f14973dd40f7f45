package e2e_test

import (
	"testing"

	"guiche/internal/apptest"

	cd "github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestKeys_AttachLater: from the queue to the operator having what it lacks, by the keyboard alone.
func TestKeys_AttachLater(t *testing.T) {
	t.Parallel()
	const most = 12 + chooserKeys
	p := apptest.Start(t, apptest.Options{})
	path := p.LogIn(t, apptest.Reception).SubmitWith(map[string]string{"numeroCarteira": "9999250000"}).Path
	b := MustBrowse(t, p, "422")
	b.watchKeys()
	b.logIn(apptest.Reception)
	y := &typist{browser: b}
	y.begin()
	b.press(kb.F9)
	b.waitFor("the case", "location.pathname === '"+path+"'")
	b.focusedIs("as it opens", "a[href='#anexar']")
	b.press(kb.Enter)
	y.to("#anexo")
	b.opensChooser()
	b.do("choose files", cd.SetUploadFiles(cd.CSS("#anexo"), []string{pdfFile(t, "laudo.pdf", 3000), pngFile(t, "pedido.png")}))
	y.chosen++
	b.look("caso-anexo-escolhido")
	b.press(kb.F7)
	b.waitFor("it is sent", "document.querySelectorAll('#pedido-enviado .files a').length === 2 && "+
		"document.querySelector('#tempo').innerText.includes('Anexo enviado à operadora')")
	if keys, mouse := y.pressed(), y.clicked(); keys > most || mouse > 0 {
		t.Errorf("%d keys and %d presses of the mouse, want at most %d and none", keys, mouse, most)
	}
}

// TestKeys_AttachLater_Nothing: F7 is ours where a control shows it, and the browser offers to move through the text
// only where none does; with no file chosen the page says so.
func TestKeys_AttachLater_Nothing(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	path := p.LogIn(t, apptest.Reception).SubmitWith(map[string]string{"numeroCarteira": "9999250000"}).Path
	b := MustBrowse(t, p, "422")
	b.logIn(apptest.Reception)
	b.open(path)
	for name, tt := range map[string]struct {
		page string
		ours bool
	}{"Case": {path, true}, "Form": {"/nova", true}, "Queue": {"/fila", false}} {
		b.open(tt.page)
		eval[bool](b, `(window.addEventListener('keydown', e => { sessionStorage.setItem('ours', e.key + e.defaultPrevented); }), true)`)
		b.press(kb.F7)
		if name == "Case" { // which sends what is missing, and is read when the answer is there
			b.waitFor("it says what is missing", "document.querySelector('#anexo-error')?.innerText.includes('Escolha o arquivo')")
		}
		b.waitFor(name, "sessionStorage.getItem('ours') !== null")
		if got := eval[string](b, "(k => (sessionStorage.removeItem('ours'), k))(sessionStorage.getItem('ours'))"); got == "F7true" != tt.ours {
			t.Errorf("%s: %s", name, got)
		}
	}
}
