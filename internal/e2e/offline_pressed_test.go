package e2e_test

import (
	"strings"
	"testing"
	"time"

	"guiche/internal/apptest"

	"github.com/chromedp/chromedp/kb"
)

// held waits until the page says that something pressed waits for the network.
func (b *browser) held(label string) {
	b.t.Helper()
	b.waitFor("it says what waits", "/^Sem rede( há \\d+ s)?; nada se perdeu. “"+label+".*” vai quando ela voltar/.test("+
		"document.querySelector('#rede:not([hidden])')?.innerText ?? '')")
}

// clearOfNotice is true where each thing of the header can be pressed although the notice is shown.
const clearOfNotice = `[...document.querySelectorAll('header :is(a,input,summary)')].every(thing => {
	if (!thing.checkVisibility()) return true
	const { x, y, width, height } = thing.getBoundingClientRect()
	return thing.contains(document.elementFromPoint(x + width / 2, y + height / 2))
})`

// TestOffline_Pressed: what is pressed without a network on the queue, on a case and on the
// form waits on its page, and happens once when the network is back.
func TestOffline_Pressed(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	v := p.LogIn(t, apptest.Reception)
	authorized, denied := send2(v, t, "99990100001"), send2(v, t, "99990400")
	b := MustBrowse(t, p, unplugged, "Failed to fetch", "422")
	b.logIn(apptest.Reception)
	for name, tt := range map[string]struct {
		page  string
		press func(b *browser)
		label string
		want  string
	}{
		"QueueNext": {"/fila", func(b *browser) { b.press(kb.F9) }, "Próximo", arrivedAt(denied)},
		"QueueNew":  {"/fila", func(b *browser) { b.press(kb.F2) }, "Nova", arrivedAt("/nova")},
		"QueueCase": {"/fila", func(b *browser) { b.click("#fila a[href='" + denied + "']") }, "", arrivedAt(denied)},
		"QueueSearch": {"/fila", func(b *browser) {
			b.press(kb.F4)
			b.fill("#busca-geral", "Duarte")
			b.press(kb.Enter)
		}, "", "document.readyState === 'complete' && location.pathname.startsWith('/historico')"},
		"CaseNote": {denied + "/anotar", func(b *browser) {
			b.fill("#anotar-observacao", "Falei com a operadora")
			b.press(kb.F8)
		}, "Guardar anotação", arrivedAt(denied)},
		"CaseBack": {denied, func(b *browser) { b.press(kb.Escape) }, "", arrivedAt("/fila")},
		"CaseCorrect": {denied, func(b *browser) { b.click("form[action$='/copiar'] button") }, "Corrigir",
			"location.pathname.startsWith('/nova/')"},
		"Attended": {authorized, func(b *browser) { b.press(kb.F8) }, "Marcar atendido", arrivedAt("/fila")},
		"FormLeft": {"/nova", func(b *browser) { b.click("header a[href='/fila']") }, "Fila", arrivedAt("/fila")},
	} {
		t.Run(name, func(t *testing.T) {
			b := b.in(t)
			b.open(tt.page)
			b.waitFor("it is open", "document.readyState === 'complete'")
			b.offline(true)
			tt.press(b)
			b.held(tt.label)
			if got := b.path(); got != tt.page {
				t.Errorf("it is at %s", got)
			}
			if name == "QueueNext" {
				b.look("fila-sem-rede")
			}
			if !eval[bool](b, clearOfNotice) {
				t.Error("the notice lies over the header")
			}
			b.offline(false)
			b.waitFor("it goes on", tt.want)
		})
	}
	if v.Get(authorized).Has("form[action$='/concluir']") {
		t.Error("the case is not concluded")
	}
	t.Run("Dropped", func(t *testing.T) {
		b := b.in(t)
		b.open("/fila")
		b.offline(true)
		b.press(kb.F2)
		b.held("Nova")
		b.click("#rede button")
		b.offline(false)
		b.waitFor("the network is back", "!document.querySelector('#rede:not([hidden])')")
		if got := b.path(); got != "/fila" {
			t.Errorf("it went to %s all the same", got)
		}
	})
}

// arrivedAt is true once a page has loaded.
func arrivedAt(path string) string {
	return "document.readyState === 'complete' && location.pathname === '" + path + "'"
}

// TestOffline_Unnoticed: where nobody answers and the browser has noticed nothing, the first press
// already waits on its page, and happens once when somebody answers again.
func TestOffline_Unnoticed(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	v := p.LogIn(t, apptest.Reception)
	authorized, denied := send2(v, t, "99990100001"), send2(v, t, "99990400")
	l := MustLine(t, p)
	b := l.browse(t, p, "Failed to fetch", "ERR_", "422")
	b.logIn(apptest.Reception)
	for name, tt := range map[string]struct {
		page  string
		press func(b *browser)
		label string
		want  string
	}{
		"Link": {"/fila", func(b *browser) { b.click("#fila a[href='" + denied + "']") }, "", arrivedAt(denied)},
		"Key":  {"/fila", func(b *browser) { b.press(kb.F2) }, "Nova", arrivedAt("/nova")},
		"Search": {"/fila", func(b *browser) {
			b.focus("#busca-geral")
			b.press("Duarte\r")
		}, "", "location.pathname.startsWith('/historico')"},
		"Act": {authorized, func(b *browser) { b.press(kb.F8) }, "Marcar atendido", arrivedAt("/fila")},
		"Note": {denied + "/anotar", func(b *browser) {
			b.fill("#anotar-observacao", "Liga amanhã.")
			b.click("#anotar .btn-primary")
		}, "Guardar", arrivedAt(denied)},
	} {
		t.Run(name, func(t *testing.T) {
			b := b.in(t)
			b.open(tt.page)
			b.waitFor("it is open", "document.readyState === 'complete'")
			l.cut()
			tt.press(b)
			b.held(tt.label)
			if !eval[bool](b, "navigator.onLine") || b.path() != tt.page {
				t.Errorf("it is at %s", b.path())
			}
			l.mend(t)
			b.waitFor("it goes on", tt.want)
		})
	}
	noted := v.Get(denied)
	if n := strings.Count(noted.Text("#tempo"), "Liga amanhã."); n != 1 {
		t.Errorf("noted %d times", n)
	}
}

// TestOffline_Attached: files that are chosen without a network wait with what is pressed
// after them, go by themselves when it is back, and are there once.
func TestOffline_Attached(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	l := MustLine(t, p)
	b := l.browse(t, p, unplugged, "Failed to fetch", "ERR_", "422")
	b.logIn(apptest.Reception)
	b.open("/nova")
	b.fill("#nomeBeneficiario", "Helena Duarte")
	b.saved()
	b.offline(true)
	b.upload(pngFile(t, "pedido.png"), pdfFile(t, "laudo.pdf", 3000))
	b.waitFor("they wait", "document.querySelectorAll('#anexos .stalled').length === 2")
	b.waitFor("the page says so", "document.querySelector('#rede:not([hidden])') !== null")
	b.look("nova-anexos-sem-rede")
	b.press(kb.F8)
	b.offline(false)
	b.see("#erros") // of the review, which came after the files
	if got := eval[int](b, "document.querySelectorAll('#anexos [data-attachment]').length"); got != 2 {
		t.Errorf("%d attachments, want 2", got)
	}
	t.Run("AnswerLost", func(t *testing.T) {
		b := b.in(t)
		l.lose("/anexos")
		b.upload(pdfFile(t, "outro.pdf", 3500))
		b.waitFor("it waits", "document.querySelectorAll('#anexos .stalled').length === 1")
		l.lose("")
		b.click("#anexos [data-retry]")
		b.waitFor("it is there once",
			"document.querySelectorAll('#anexos [data-attachment]').length === 3 && !document.querySelector('#anexos .stalled')")
		if got := p.LogIn(t, apptest.Reception).Get(b.path()).Count("#anexos [data-attachment]"); got != 3 {
			t.Errorf("the draft has %d attachments, want 3", got)
		}
	})
}

// TestSlow_Pressed: over a network that answers late, what is pressed twice happens once, and
// nobody is told that there is none.
func TestSlow_Pressed(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	v := p.LogIn(t, apptest.Reception)
	authorized, denied := send2(v, t, "99990100001"), send2(v, t, "99990400")
	l := MustLine(t, p)
	b := l.browse(t, p)
	b.logIn(apptest.Reception)
	l.delay(400 * time.Millisecond)
	const whole = "document.readyState === 'complete' && !document.querySelector('#rede:not([hidden])') && "
	twice := func(page, control, want string) {
		t.Helper()
		b.open(page)
		eval[bool](b, "(c => { c.click(); c.click(); return true; })(document.querySelector(\""+control+"\"))")
		b.waitFor(control+" leads on", whole+want)
	}
	twice("/fila", "[data-shortcut=F9]", "location.pathname === '"+denied+"'")
	twice(authorized, "[data-shortcut=F8]", "location.pathname === '/fila'")
	twice(denied, "form[action$='/copiar'] button", "location.pathname.startsWith('/nova/')")
	if got := v.Get("/fila").Count("form[action$='/descartar']"); got != 1 {
		t.Errorf("%d drafts, want 1", got)
	}
}
