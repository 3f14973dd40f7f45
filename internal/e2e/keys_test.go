package e2e_test

import (
	"context"
	"testing"
	"time"

	"guiche/internal/apptest"

	"github.com/chromedp/cdproto/page"
	cd "github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// countsKeys counts, in every page, each key that goes down, before any script of ours
// sees it; what the tab keeps outlives its pages.
const countsKeys = `window.addEventListener('keydown', () => {
	sessionStorage.setItem('keys', Number(sessionStorage.getItem('keys')) + 1);
}, true)`

// typist presses keys one by one in a window that counts them.
type typist struct{ *browser }

// watchKeys makes the pages count keys from the next one on, and report the choice of a
// file in place of showing the system's dialog.
func (b *browser) watchKeys() {
	b.t.Helper()
	b.do("watch the keys", cd.Func(func(ctx context.Context, _ *cd.Target) error {
		if _, err := cd.Call(ctx, page.SetInterceptFileChooserDialog, page.SetInterceptFileChooserDialogParams{Enabled: true}); err != nil {
			return err
		}
		_, err := cd.Call(ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: countsKeys})
		return err
	}))
}

// begin opens the queue and counts from zero.
func (y *typist) begin() {
	y.t.Helper()
	y.open("/fila")
	eval[bool](y.browser, "(sessionStorage.removeItem('keys'), true)")
}

// pressed is how many keys went down since then.
func (y *typist) pressed() int {
	y.t.Helper()
	return eval[int](y.browser, "Number(sessionStorage.getItem('keys'))")
}

// chooses presses the key that opens the choice of files, and takes one.
func (y *typist) chooses(file string) {
	y.t.Helper()
	y.to("#arquivo")
	ctx, cancel := context.WithTimeout(y.ctx, 20*time.Second)
	defer cancel()
	if _, err := cd.Run(ctx, cd.WaitEvent(page.FileChooserOpened, nil, cd.KeyEvent(" "))); err != nil {
		y.t.Fatalf("no choice of files: %v", err)
	}
	y.attach(file)
}

// to goes to a field with Tab.
func (y *typist) to(css string) {
	y.t.Helper()
	for range 90 {
		if eval[bool](y.browser, "document.activeElement.matches(`"+css+"`)") {
			return
		}
		y.press(kb.Tab)
	}
	y.t.Fatalf("no Tab leads to %s", css)
}

// leads presses a key that leads to another page.
func (y *typist) leads(key, css string) {
	y.t.Helper()
	eval[bool](y.browser, "window.earlier = true")
	y.press(key)
	y.waitFor("the page with "+css, "!window.earlier && document.readyState === 'complete' && document.querySelector(`"+css+"`) !== null")
}

// shows waits for a part of the page.
func (y *typist) shows(css string) {
	y.t.Helper()
	y.waitFor(css, "document.querySelector(`"+css+"`) !== null")
}

// repeats searches for a case with F4, opens it and repeats it.
func (y *typist) repeats(text string) {
	y.t.Helper()
	y.press(kb.F4)
	y.typeKeys(text)
	y.leads(kb.Enter, "tbody td:nth-child(2) a")
	y.to("td:nth-child(2) a")
	y.leads(kb.Enter, "form[action$='/copiar'] button")
	y.to("form[action$='/copiar'] button")
	y.leads(kb.Enter, "#pedido")
}

func (y *typist) sends() {
	y.t.Helper()
	y.press(kb.F8)
	y.shows("#enviar-confirma:focus")
	y.leads(kb.Enter, "#veredito")
}

// fills types a whole request for a patient whom nobody knows here.
func (y *typist) fills(procedures ...string) {
	y.t.Helper()
	y.leads(kb.F2, "#pedido")
	y.typeKeys("aro")
	y.shows("#credenciais:not([hidden]) [data-value]")
	y.typeKeys("⏎Ana Luz")
	y.to("#numeroCarteira")
	y.typeKeys("99990100001")
	y.to("#nomeSolicitante")
	y.typeKeys("Caio Leme")
	y.to("#crmSolicitante")
	y.typeKeys("104552")
	y.to("#ufSolicitante")
	y.typeKeys("sp")
	y.to("#profissionalExecutanteId")
	y.typeKeys("↓")
	y.to("#especialidadeExecutanteId")
	y.typeKeys("↓")
	y.to("#pontoAtendimentoId")
	y.typeKeys("↓")
	y.to(firstCode)
	for i, code := range procedures {
		if i > 0 {
			y.typeKeys("⏎")
		}
		y.typeKeys(code)
		y.shows("[role=listbox]:not([hidden]) [data-value='" + code + "']")
		y.typeKeys("⏎")
	}
}

// TestKeys counts the keys of four ways to a verdict, in the page, so that none gets longer.
func TestKeys(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	v := p.LogIn(t, apptest.Reception)
	_, form := v.NewDraft()
	send := func(card, name string) {
		address, _ := v.NewDraft()
		v.Submit(address, apptest.With(form, map[string]string{"numeroCarteira": card, "nomeBeneficiario": name}))
	}
	send("99990100001", "Marina Reis")
	send("99990400", "Dora Lima")
	b := MustBrowse(t, p, "422")
	b.watchKeys()
	b.logIn("recepcao")
	for _, tt := range []struct {
		name string
		most int
		way  func(y *typist)
	}{
		{"New", 87, func(y *typist) { // two procedures, one attachment
			y.fills("40304361", "40316521")
			y.chooses(pngFile(y.t, "pedido.png"))
			y.sends()
		}},
		{"Returning", 28, func(y *typist) { // the patient was here before, and asks for something else
			y.repeats("marina")
			y.to(firstCode)
			y.typeKeys("40304361")
			y.shows("[role=listbox]:not([hidden]) [data-value='40304361']")
			y.typeKeys("⏎")
			y.sends()
		}},
		{"Repeat", 18, func(y *typist) { // the same again
			y.repeats("marina")
			y.to(firstCode)
			y.sends()
		}},
		{"Correct", 30, func(y *typist) { // a denied request, with another card
			y.repeats("dora")
			y.to("#numeroCarteira")
			y.typeKeys("99990100001")
			y.sends()
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			y := &typist{browser: b.in(t)}
			y.begin()
			tt.way(y)
			got := y.pressed()
			t.Logf("%d keys", got)
			if got == 0 || got > tt.most {
				t.Errorf("%d keys, want at most %d", got, tt.most)
			}
		})
	}
}
