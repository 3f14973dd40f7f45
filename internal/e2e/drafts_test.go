package e2e_test

import (
	"net/url"
	"strings"
	"testing"

	"guiche/internal/app"
	"guiche/internal/apptest"

	"github.com/chromedp/chromedp/kb"
)

// TestDrafts_Upload: a file that goes up is in "Antes de enviar" and saved, also before
// the first letter; so is one that is removed.
func TestDrafts_Upload(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	b := MustBrowse(t, p)
	b.logIn("recepcao")
	b.open("/nova")
	b.upload(pngFile(t, "pedido.png"))
	b.waitFor("the file is counted", "document.querySelector('#antes').innerText.includes('1 anexo')")
	b.saved()
	b.waitFor("the summary", "document.querySelector('#resumo').textContent === '1 anexo'")
	b.fill("#nomeBeneficiario", "Lia")
	b.savedAs("Lia", b.path())
	b.click("[data-remove-attachment]")
	b.waitFor("the file is missing again", "document.querySelector('#antes').innerText.includes('Pedido médico')")
	if b.text("[data-conflict]") != "" {
		t.Error("the tab disturbs itself")
	}
}

// TestDrafts_Dates: what was typed as a date becomes one as the field is left.
func TestDrafts_Dates(t *testing.T) {
	t.Parallel()
	b := MustBrowse(t, apptest.Start(t, apptest.Options{}))
	b.logIn("recepcao")
	b.open("/nova")
	for typed, want := range map[string]string{"12/2027": "31/12/2027", "02-2028": "29/02/2028", "2027-12-31": "31/12/2027",
		"311227": "31/12/2027", "13/2027": "13/2027", "2027-02-30": "2027-02-30"} {
		b.fill("#validadeCarteira", typed)
		b.press(kb.Tab)
		if got := b.value("#validadeCarteira"); got != want {
			t.Errorf("%s: got %q, want %q", typed, got, want)
		}
	}
}

// TestDrafts_SecondTab: looking at a draft in a second tab, reviewing it and leaving it
// keep nobody from typing on in the first.
func TestDrafts_SecondTab(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	first, second := MustBrowse(t, p), MustBrowse(t, p, "422")
	first.logIn("recepcao")
	second.logIn("recepcao")
	first.open("/nova")
	first.fill("#nomeBeneficiario", "Começo")
	first.saved()
	address := first.path()
	second.open(address)
	second.press(kb.F8)
	second.see("#erros")
	second.open("/fila")
	first.fill("#nomeBeneficiario", "Primeira aba")
	first.savedAs("Primeira aba", address)
	if first.text("#rascunho [data-conflict]") != "" {
		t.Error("the first tab is told of another")
	}
}

// TestDrafts_Discard throws a draft away in the list, after the question.
func TestDrafts_Discard(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	b, v := MustBrowse(t, p), p.LogIn(t, apptest.Reception)
	for range 2 {
		address, form := v.NewDraft()
		v.Post(address, form)
	}
	v.Post(v.DraftPath(), url.Values{"observacoes": {"x"}, "versao": {"0"}})
	b.logIn("recepcao")
	b.look("fila-rascunhos")
	const drafts = "document.querySelectorAll('aside .item-name').length"
	eval[bool](b, "(window.confirm = () => false, true)")
	b.click("aside form button.js-only")
	if got := eval[int](b, drafts); got != 3 {
		t.Errorf("after No there are %d drafts", got)
	}
	eval[bool](b, "(window.confirm = () => true, true)")
	b.click("aside form button.js-only")
	b.waitFor("one less", drafts+" === 2")
	b.scripts(false)
	b.open("/fila")
	b.click("aside form details summary")
	b.scripts(true) // of the checker; the page's own never ran
	b.look("fila-rascunhos-sem-script")
	b.scripts(false)
	b.follow("aside form details[open] button", "aside .item-name")
	b.waitFor("one left", drafts+" === 1")
}

// TestDrafts_Quota: what a person's drafts have no room for stays in the tab, which says
// why, until there is room.
func TestDrafts_Quota(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{Configure: func(c *app.Config) { c.DraftBytes = 4000 }})
	v := p.LogIn(t, apptest.Reception)
	full, form := v.NewDraft()
	form.Set("observacoes", strings.Repeat("a", 3000))
	v.Post(full, form)
	b := MustBrowse(t, p, "413", "404")
	b.logIn("recepcao")
	b.open("/nova")
	name := "Helena " + strings.Repeat("x", 1000)
	const told = "document.querySelector('#rascunho').innerText.includes('limite por pessoa')"
	eval[bool](b, `(() => {
		const field = document.querySelector('#nomeBeneficiario');
		field.value = '`+name+`';
		return field.dispatchEvent(new Event('input', {bubbles: true}));
	})()`) // too long to be typed
	b.waitFor("it says why", told)
	if !strings.Contains(b.kept(), name) {
		t.Error("the tab does not keep what was typed")
	}
	b.look("nova-rascunhos-cheios")
	b.press(kb.F8)
	b.focusedIs("in the form that was not saved", "#erros")
	b.checkValues(map[string]string{"#nomeBeneficiario": name})
	b.look("nova-rascunhos-cheios-revisar")
	b.open(b.path())
	b.waitFor("it says so again", told)
	b.checkValues(map[string]string{"#nomeBeneficiario": name})
	v.Post(full+"/descartar", nil)
	b.fill("#planoBeneficiario", "Essencial")
	b.savedAs(name, b.path())
	b.waitFor("nothing stays in the tab", "Object.keys(sessionStorage).length === 0")
}
