package e2e_test

import (
	"fmt"
	"testing"

	"guiche/internal/apptest"

	cd "github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// refuseCamera makes the browser answer for a camera with the error of that name.
func (b *browser) refuseCamera(name string) {
	b.t.Helper()
	eval[bool](b, `(navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', '`+name+`')), true)`)
}

// watchCamera notes each film that begins.
func (b *browser) watchCamera() {
	b.t.Helper()
	eval[bool](b, `(() => {
		const devices = navigator.mediaDevices, real = devices.getUserMedia.bind(devices);
		window.films = [];
		devices.getUserMedia = async wanted => { const film = await real(wanted); window.films.push(film); return film; };
		return true;
	})()`)
}

// notFilming holds once a film began and all of them are over.
const notFilming = `window.films.length > 0 && window.films.every(film => film.getTracks().every(track => track.readyState === 'ended'))`

// TestCamera: the computer's camera takes pictures for the attachments, with the keyboard alone; it
// films only while it is seen, and where there is none a file still does.
func TestCamera(t *testing.T) {
	t.Parallel()
	b := MustBrowse(t, apptest.Start(t, apptest.Options{}))
	b.logIn("recepcao")
	b.open("/nova")
	b.watchCamera()
	b.focus("[data-camera=camera]")
	b.press(kb.Enter)
	b.see("[data-camera-do=take]:focus")
	b.look("nova-camera")
	b.press(kb.Enter)
	b.see("[data-camera-do=keep]:focus")
	b.look("nova-camera-foto")
	b.press(kb.Tab)
	b.press(kb.Enter) // another one
	b.see("[data-camera-do=take]:focus")
	b.press(kb.Enter)
	b.see("[data-camera-do=keep]:focus")
	b.press(kb.Enter)
	b.waitFor("the picture is kept", "document.querySelectorAll('#anexos .thumbnail img').length === 1")
	b.waitFor("it films no more", notFilming)
	b.focusedIs("after a picture", "[data-camera=camera]")
	b.press(kb.Enter)
	b.see("[data-camera-do=take]:focus")
	b.press(kb.Escape)
	b.waitFor("it films no more", notFilming)
	b.focusedIs("after leaving", "[data-camera=camera]")
	for name, says := range map[string]string{"NotAllowedError": "não deixou usar a câmera", "NotFoundError": "Nenhuma câmera",
		"NotReadableError": "outro programa", "AbortError": "Não deu para abrir"} {
		b.refuseCamera(name)
		b.press(kb.Enter)
		b.see("[data-camera-do=choose]:focus")
		b.waitFor(name, "document.querySelector('#camera-ao-vivo [role=alert]').textContent.includes('"+says+"')")
		if name == "NotFoundError" {
			b.look("nova-camera-nenhuma")
		}
		b.press(kb.Escape)
	}
}

// TestCamera_DoubleClick: the second of two quick clicks does not keep a picture that nobody has looked at.
func TestCamera_DoubleClick(t *testing.T) {
	t.Parallel()
	b := MustBrowse(t, apptest.Start(t, apptest.Options{}))
	b.logIn("recepcao")
	b.open("/nova")
	eval[bool](b, "(window.kept = 0, HTMLCanvasElement.prototype.toBlob = () => { kept++; }, true)")
	b.click("[data-camera=camera]")
	b.see("[data-camera-do=take]:focus")
	b.click("[data-camera-do=take]")
	b.do("the second click", cd.DoubleClick(cd.CSS("[data-camera-do=keep]")))
	if kept := eval[int](b, "kept"); kept != 0 {
		t.Error("the picture was kept unseen")
	}
	b.click("[data-camera-do=keep]")
	b.waitFor("a click of its own keeps it", "kept === 1")
}

// TestCamera_Biometrics: the face of a beneficiary is photographed on the case that waits for it.
func TestCamera_Biometrics(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	path := p.LogIn(t, apptest.Reception).SubmitWith(map[string]string{"numeroCarteira": "9999300000"}).Path
	b := MustBrowse(t, p)
	b.logIn("recepcao")
	b.open(path)
	b.watchCamera()
	b.focus("[data-camera=captura]")
	b.press(kb.Enter)
	b.see("[data-camera-do=take]:focus")
	b.press(kb.Enter)
	b.see("[data-camera-do=keep]:focus")
	b.look("caso-biometria-foto")
	b.press(kb.Enter)
	b.waitFor("the form has it", "/^foto-\\d{6}\\.jpg$/.test(document.querySelector('#captura').files[0]?.name)")
	b.waitFor("it films no more", notFilming)
	b.focusedIs("after a picture", "#biometria-enviar")
	b.look("caso-biometria-pronta")
	b.press(kb.Enter)
	b.waitFor("it is taken", "document.querySelector('#tempo').innerText.includes('Biometria enviada')")
}

// TestCamera_Attachment: what an operator lacks is photographed on the case, page by page, and sent, with the keyboard alone.
func TestCamera_Attachment(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	path := p.LogIn(t, apptest.Reception).SubmitWith(map[string]string{"numeroCarteira": "9999250000"}).Path
	b := MustBrowse(t, p)
	b.logIn("recepcao")
	b.open(path)
	b.waitFor("its focus", "document.activeElement.matches('a[href=\"#anexar\"]')")
	b.press(kb.Enter)
	for pages := 1; pages <= 2; pages++ {
		b.tabTo("[data-camera=anexo]")
		b.press(kb.Enter)
		b.see("[data-camera-do=take]:focus")
		b.press(kb.Enter)
		b.see("[data-camera-do=keep]:focus")
		b.press(kb.Enter)
		b.waitFor("the form has it", fmt.Sprintf("document.querySelector('#anexo').files.length === %d", pages))
		b.focusedIs("after a picture", "#anexar-enviar")
		b.press(kb.Tab, cd.KeyModifiers(cd.ModifierShift))
	}
	b.look("caso-anexo-fotografado")
	b.press(kb.F7)
	b.waitFor("it is sent", "document.querySelectorAll('#pedido-enviado .files a').length === 2 && "+
		"document.querySelector('#tempo').innerText.includes('Anexo enviado à operadora')")
	b.look("caso-anexo-enviado")
}
