package e2e_test

import (
	"strings"
	"testing"

	"guiche/internal/apptest"

	cd "github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

func TestSearch_States(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	b := MustBrowse(t, p)
	b.logIn("recepcao")
	b.open("/nova")
	t.Run("FoldedAndByCode", func(t *testing.T) {
		for typed, want := range map[string]string{"JEQUITIBA": "Jequitibá Saúde", "0310": "Vale Sereno"} {
			b.fill("#Busca", typed)
			b.waitFor(typed, "document.querySelector('#credenciais [role=option]')?.innerText.includes('"+want+
				"') && !document.querySelector('#credenciais').hidden")
		}
	})
	t.Run("Empty", func(t *testing.T) {
		b.fill("#Busca", "zzz")
		b.waitFor("nothing found", "document.querySelector('#credenciais').innerText.includes('Nenhuma credencial com “zzz”')")
	})
	t.Run("Arrows", func(t *testing.T) {
		b.fill("#Busca", "a")
		b.waitFor("five found", "document.querySelectorAll('#credenciais [data-value]').length === 5 && "+
			"!document.querySelector('#credenciais').hidden")
		b.press(kb.ArrowDown)
		b.press(kb.ArrowDown)
		active := eval[string](b,
			"document.getElementById(document.querySelector('#Busca').getAttribute('aria-activedescendant'))?.dataset.label ?? ''")
		if active != "Boa Guarida" {
			t.Errorf("two arrows down lead to %q", active)
		}
		b.press(kb.Escape)
		if !eval[bool](b, "document.querySelector('#credenciais').hidden") {
			t.Error("Esc does not close the list")
		}
		if got := b.value("#Busca"); got != "a" {
			t.Errorf("Esc changed what was typed to %q", got)
		}
	})
}

// TestSend_Once presses everything twice: Enter, the button, Back, reload, and
// sends from two tabs. There is one case.
func TestSend_Once(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	b := MustBrowse(t, p, "422")
	b.logIn("recepcao")
	b.open("/nova")
	b.chooseCredential("aroeira")
	b.fillRequest()
	b.click("#atendimentoRN") // not a newborn after all
	b.press(kb.F8)
	b.see("#revisao")
	address := b.path()
	b.do("press Enter five times", cd.KeyEvent(kb.Enter+kb.Enter+kb.Enter+kb.Enter+kb.Enter))
	b.waitFor("the case", "location.pathname.startsWith('/casos/')")
	first := b.path()
	b.do("back", cd.NavigateBack())
	b.waitFor("back leads to a page", "document.querySelector('main') !== null")
	b.open(strings.TrimSuffix(address, "/revisar"))
	b.waitFor("the draft leads to its case", "location.pathname === '"+first+"'")
	v := p.LogIn(t, apptest.Reception)
	for range 3 {
		if got := v.Post(strings.TrimSuffix(address, "/revisar")+"/enviar", nil); got.Path != first {
			t.Errorf("sending again led to %s, want %s", got.Path, first)
		}
	}
	if rows := v.Get("/fila").Count("#fila tbody tr"); rows != 1 {
		t.Errorf("%d cases, want 1", rows)
	}
}

// TestTabs_Still: a tab is in the same place on every page.
func TestTabs_Still(t *testing.T) {
	t.Parallel()
	b := MustBrowse(t, apptest.Start(t, apptest.Options{}))
	b.logIn("recepcao")
	places := map[string]string{}
	for _, path := range []string{"/fila", "/nova", "/historico"} {
		b.open(path)
		places[eval[string](b, "Array.from(document.querySelectorAll('.header .tabs a'), a => a.offsetLeft).join(' ')")] = path
	}
	if len(places) != 1 {
		t.Errorf("the tabs are at %v", places)
	}
}

// TestSend_Back: Back leads from a case that was just sent to where its form was opened.
func TestSend_Back(t *testing.T) {
	t.Parallel()
	b := MustBrowse(t, apptest.Start(t, apptest.Options{}), "422")
	b.logIn("recepcao")
	b.open("/fila")
	b.reviewedInPage()
	b.press(kb.Enter)
	b.waitFor("the case", "location.pathname.startsWith('/casos/') && document.readyState === 'complete'")
	b.do("back", cd.NavigateBack())
	b.waitFor("the queue", "location.pathname === '/fila'")
}

// TestSend_PageUpdatesItself sends to an operator that takes longer than the page
// waits for it.
func TestSend_PageUpdatesItself(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	b := MustBrowse(t, p)
	b.logIn("recepcao")
	b.open(sendSlow(p.LogIn(t, apptest.Reception), t))
	if got := b.text("#veredito .verdict"); got != "Enviando…" {
		t.Fatalf("the page says %q while the answer is awaited", got)
	}
	b.waitFor("the answer", "document.querySelector('#veredito .verdict')?.innerText === 'Autorizado'")
	b.seesPDF()
}
