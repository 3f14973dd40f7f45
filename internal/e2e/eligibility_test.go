package e2e_test

import (
	"testing"

	"guiche/internal/apptest"

	"github.com/chromedp/chromedp/kb"
)

// TestEligibility asks about a card with one key: what the operator says stands beside it, fills
// what is empty and nothing else, and goes with the card that it is about.
func TestEligibility(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	v := p.LogIn(t, apptest.Reception)
	address, form := v.NewDraft()
	form.Set("numeroCarteira", "99990100001")
	form.Set("nomeBeneficiario", "Helena Duarte")
	form.Del("planoBeneficiario")
	v.Post(address, form)
	b := MustBrowse(t, p)
	b.logIn(apptest.Reception)
	b.open(address)
	b.focus("#numeroCarteira")
	const beside = `(() => {
		const at = id => document.getElementById(id).getBoundingClientRect().bottom
		return Math.abs(at('perguntar-elegibilidade') - at('planoBeneficiario')) < 1
	})()`
	b.waitFor("its button beside the field", beside)
	b.press(kb.F7)
	b.waitFor("the answer", "document.querySelector('#elegibilidade .tone-success') !== null")
	b.checkValues(map[string]string{"#nomeBeneficiario": "Helena Duarte", "#planoBeneficiario": "Plano de demonstração (simulação)"})
	b.look("nova-elegivel")
	b.waitFor("it is saved", "document.querySelector('#rascunho').innerText.includes('salvo às')")
	if got := b.focused(); got != "numeroCarteira" {
		t.Errorf("the focus went to %q", got)
	}

	b.fill("#planoBeneficiario", "Ouro")
	b.focus("#numeroCarteira")
	b.press(kb.F7)
	b.waitFor("it is answered", "!document.querySelector('#perguntar-elegibilidade.htmx-request')")
	b.checkValues(map[string]string{"#planoBeneficiario": "Ouro"})
	b.fill("#numeroCarteira", "99991600001")
	b.waitFor("the answer about the other card is gone", "document.querySelector('#elegibilidade').innerText === ''")
	b.press(kb.F7)
	b.waitFor("the operator's no", "document.querySelector('#elegibilidade .tone-error') !== null")
	b.look("nova-nao-elegivel")
	if !eval[bool](b, `document.querySelector('#elegibilidade p').after('Palavras da operadora, '.repeat(9)), `+beside) {
		t.Error("a long answer moves the button")
	}
}

// TestCancel asks for a cancelling by keyboard, and sees its end without touching anything.
func TestCancel(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	path := send2(p.LogIn(t, apptest.Reception), t, "99990100001")
	b := MustBrowse(t, p)
	b.logIn(apptest.Supervision)
	b.open(path)
	b.click(`a[href$="/cancelar#cancelamento"]`)
	b.see("#cancelamento")
	b.look("caso-cancelar")
	b.fill("#motivo", "Paciente desistiu")
	b.press(kb.Tab + kb.Enter)
	b.waitFor("it waits for the operator", "document.querySelector('#veredito .verdict').innerText === 'Aguardando cancelamento'")
	b.look("caso-cancelando")
}

// TestBiometrics gives the token that the operator sent, after a case opened on what waits for it;
// the answer is on the page without touching anything.
func TestBiometrics(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	path := send2(p.LogIn(t, apptest.Reception), t, "99991300001")
	b := MustBrowse(t, p)
	b.logIn(apptest.Reception)
	b.open(path)
	b.focusedIs("when the case opens", `a[href="#biometria"]`)
	b.look("caso-biometria")
	b.fill("#token", "771204")
	b.press(kb.Tab + kb.Enter)
	b.waitFor("it is authorized", "document.querySelector('#veredito .verdict').innerText === 'Autorizado'")
}
