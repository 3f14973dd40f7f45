package e2e_test

import (
	"testing"

	"guiche/internal/apptest"

	"github.com/chromedp/chromedp/kb"
)

// typist presses keys one by one, and counts them.
type typist struct {
	*browser
	pressed int
}

func (y *typist) keys(text string) {
	y.t.Helper()
	for _, key := range keys(text) {
		y.press(key)
		y.pressed++
	}
}

func (y *typist) key(key string) {
	y.t.Helper()
	y.press(key)
	y.pressed++
}

// to goes to a field with Tab.
func (y *typist) to(css string) {
	y.t.Helper()
	for range 90 {
		if eval[bool](y.browser, "document.activeElement.matches(`"+css+"`)") {
			return
		}
		y.key(kb.Tab)
	}
	y.t.Fatalf("no Tab leads to %s", css)
}

// leads presses a key that leads to another page.
func (y *typist) leads(key, css string) {
	y.t.Helper()
	eval[bool](y.browser, "window.earlier = true")
	y.key(key)
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
	y.key(kb.F4)
	y.keys(text)
	y.leads(kb.Enter, "tbody a.item-name")
	y.to("a.item-name")
	y.leads(kb.Enter, "form[action$='/copiar'] button")
	y.to("form[action$='/copiar'] button")
	y.leads(kb.Enter, "#pedido")
}

func (y *typist) sends() {
	y.t.Helper()
	y.key(kb.F8)
	y.shows("#enviar-confirma:focus")
	y.leads(kb.Enter, "#veredito")
}

// fills types a whole request for a patient whom nobody knows here.
func (y *typist) fills(procedures ...string) {
	y.t.Helper()
	y.leads(kb.F2, "#pedido")
	y.keys("aro")
	y.shows("#credenciais:not([hidden]) [data-value]")
	y.keys("⏎Ana Luz")
	y.to("#numeroCarteira")
	y.keys("99990100001")
	y.to("#nomeSolicitante")
	y.keys("Caio Leme")
	y.to("#crmSolicitante")
	y.keys("104552")
	y.to("#ufSolicitante")
	y.keys("sp")
	y.to("#profissionalExecutanteId")
	y.keys("↓")
	y.to("#especialidadeExecutanteId")
	y.keys("↓")
	y.to("#pontoAtendimentoId")
	y.keys("↓")
	y.to(firstCode)
	for i, code := range procedures {
		if i > 0 {
			y.keys("⏎")
		}
		y.keys(code)
		y.shows("[role=listbox]:not([hidden]) [data-value='" + code + "']")
		y.keys("⏎")
	}
}

// TestKeys counts the keys of four ways to a verdict, so that none gets longer.
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
	b.logIn("recepcao")
	for _, tt := range []struct {
		name string
		most int
		way  func(y *typist)
	}{
		{"New", 87, func(y *typist) { // two procedures, one attachment
			y.fills("40304361", "40316521")
			y.to("#arquivo")
			y.pressed++ // the key that opens the choice of files
			y.attach(pngFile(y.t, "pedido.png"))
			y.sends()
		}},
		{"Returning", 28, func(y *typist) { // the patient was here before, and asks for something else
			y.repeats("marina")
			y.to(firstCode)
			y.keys("40304361")
			y.shows("[role=listbox]:not([hidden]) [data-value='40304361']")
			y.keys("⏎")
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
			y.keys("99990100001")
			y.sends()
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			y := &typist{browser: b.in(t)}
			y.open("/fila")
			tt.way(y)
			t.Logf("%d keys", y.pressed)
			if y.pressed > tt.most {
				t.Errorf("%d keys, want at most %d", y.pressed, tt.most)
			}
		})
	}
}
