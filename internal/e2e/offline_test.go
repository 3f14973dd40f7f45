package e2e_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"guiche/internal/apptest"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	cd "github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// offline unplugs the window's network, or plugs it in again.
func (b *browser) offline(off bool) {
	b.t.Helper()
	b.do("network", cd.Func(func(ctx context.Context, _ *cd.Target) error {
		_, conditions := cd.Call(ctx, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{
			MatchedNetworkConditions: []*network.Conditions{{Offline: off, DownloadThroughput: -1, UploadThroughput: -1}}})
		_, state := cd.Call(ctx, network.OverrideNetworkState, network.OverrideNetworkStateParams{
			Offline: off, DownloadThroughput: -1, UploadThroughput: -1})
		return errors.Join(conditions, state)
	}))
}

// kept is what the tab keeps of requests.
func (b *browser) kept() string {
	b.t.Helper()
	return eval[string](b, "Object.values(sessionStorage).join(' ')")
}

// unplugged is what the console says of requests that fail.
const unplugged = "ERR_INTERNET_DISCONNECTED"

// reviewedInPage fills a request and opens its review.
func (b *browser) reviewedInPage() {
	b.t.Helper()
	b.open("/nova")
	b.chooseCredential("aroeira")
	b.fillRequest()
	b.click("#atendimentoRN") // not a newborn after all
	b.press(kb.F8)
	b.see("#revisao")
}

// TestOffline_Confirm: without a network the review stays, says that nothing was
// sent, and sends when tried again.
func TestOffline_Confirm(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	b := MustBrowse(t, p, unplugged, "Failed to fetch", "422", "502")
	b.logIn("recepcao")
	b.reviewedInPage()
	b.offline(true)
	b.press(kb.Enter)
	b.waitFor("the panel says so", "document.querySelector('#revisao [role=alert]')?.innerText.includes('Nada foi enviado')")
	if got := b.text("#enviar-confirma"); !strings.HasPrefix(got, "Tentar de novo") {
		t.Errorf("the button says %q", got)
	}
	if got := b.focused(); got != "enviar-confirma" {
		t.Errorf("the focus is on %q", got)
	}
	b.offline(false)
	b.look("revisao-sem-rede")
	b.press(kb.Enter)
	b.waitFor("the case", "location.pathname.startsWith('/casos/')")
	if rows := p.LogIn(t, apptest.Reception).Get("/fila").Count("#fila tbody tr"); rows != 1 {
		t.Errorf("%d cases, want 1", rows)
	}
}

// TestOffline_AnswerLost: the request arrives and its answer does not. Nobody can know
// here what became of it; trying again leads to the one case.
func TestOffline_AnswerLost(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	l := MustLine(t, p)
	b := l.browse(t, p, "Failed to fetch", "ERR_", "422")
	b.logIn("recepcao")
	b.reviewedInPage()
	l.lose("/enviar")
	b.press(kb.Enter)
	b.waitFor("the panel says so", "document.querySelector('#revisao [role=alert]')?.innerText.includes('nunca é enviado duas vezes')")
	if got := b.text("#revisao [role=alert]"); strings.Contains(got, "Nada foi enviado") {
		t.Errorf("it claims what it cannot know: %s", got)
	}
	l.lose("")
	b.press(kb.Enter)
	b.waitFor("the case", "location.pathname.startsWith('/casos/')")
	if rows := p.LogIn(t, apptest.Reception).Get("/fila").Count("#fila tbody tr"); rows != 1 {
		t.Errorf("%d cases, want 1", rows)
	}
}

// TestOffline_Review: F8 and "Salvar rascunho" without a network stay on the page.
func TestOffline_Review(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	b := MustBrowse(t, p, unplugged, "Failed to fetch", "422")
	b.logIn("recepcao")
	b.open("/nova")
	b.fill("#nomeBeneficiario", "Helena")
	b.saved()
	b.offline(true)
	for _, press := range []func(){func() { b.press(kb.F8) }, func() { b.click("button[value=rascunho]") }} {
		b.fill("#planoBeneficiario", "Essencial")
		press()
		b.waitFor("the page says so", "document.querySelector('#sem-conexao:not([hidden])')?.innerText.includes('Nada foi enviado')")
		b.checkValues(map[string]string{"#nomeBeneficiario": "Helena", "#planoBeneficiario": "Essencial"})
	}
	b.look("nova-sem-rede")
	b.press(kb.F8)
	b.waitFor("still says so", "document.querySelector('#sem-conexao:not([hidden]) [data-try-again]') !== null")
	b.offline(false)
	b.click("[data-try-again]")
	b.see("#erros")
	b.checkValues(map[string]string{"#nomeBeneficiario": "Helena", "#planoBeneficiario": "Essencial"})
	if got := b.kept(); got != "" {
		t.Errorf("the tab still keeps %s", got)
	}
}

// TestOffline_Told: that there is no network is told on a page that the script has put in the place of another, too.
func TestOffline_Told(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	b := MustBrowse(t, p, unplugged, "Failed to fetch", "422")
	b.logIn("recepcao")
	b.open("/nova")
	b.fill("#nomeBeneficiario", "Helena")
	b.press(kb.F8)
	b.see("#erros")
	b.offline(true)
	b.waitFor("it is told", "document.querySelector('#rede:not([hidden])')?.innerText.includes('Sem rede')")
	b.offline(false)
	b.waitFor("it is over", "!document.querySelector('#rede:not([hidden])')")
}

// TestOffline_Typed: what is typed offline comes back in this tab and is saved.
func TestOffline_Typed(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	for name, saved := range map[string]bool{"NeverSaved": false, "SavedBefore": true} {
		t.Run(name, func(t *testing.T) {
			b := MustBrowse(t, p, unplugged, "Failed to fetch", "404")
			b.logIn("recepcao")
			b.open("/nova")
			if saved {
				b.fill("#planoBeneficiario", "Essencial")
				b.saved()
			}
			b.offline(true)
			b.fill("#nomeBeneficiario", "Helena Duarte")
			b.click("#atendimentoRN")
			b.fill(firstCode, "40304361")
			b.fill("#procedimentos-0-quantidade", "2")
			b.click("#procedimentos-mais")
			b.fill(secondCode, "40316521")
			b.fill("#procedimentos-1-quantidade", "3")
			b.choose("#unidadeId", "")
			unit := b.value("#unidadeId")
			b.leave("/ajuda")
			b.offline(false)
			b.do("back", cd.NavigateBack())
			b.waitFor("it is back", "document.querySelector('#nomeBeneficiario')?.value === 'Helena Duarte'")
			b.checkValues(map[string]string{firstCode: "40304361", "#procedimentos-0-quantidade": "2", secondCode: "40316521",
				"#procedimentos-1-quantidade": "3", "#unidadeId": unit})
			if !eval[bool](b, "document.querySelector('#atendimentoRN').checked && "+
				"!document.querySelector('#nomeRecemNascido').closest('[hidden]')") {
				t.Error("the newborn is no longer ticked")
			}
			b.saved()
			b.waitFor("nothing stays in the tab", "Object.keys(sessionStorage).length === 0")
			if got := p.LogIn(t, apptest.Reception).Get(b.path()).Value("#nomeBeneficiario"); got != "Helena Duarte" {
				t.Errorf("the draft holds %q", got)
			}
		})
	}
}

// TestOffline_SaveLost: a save arrives and its answer does not; what is typed after it
// is no other tab's.
func TestOffline_SaveLost(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	l := MustLine(t, p)
	b := l.browse(t, p, "Failed to fetch", "ERR_", "422")
	b.logIn("recepcao")
	for name, then := range map[string]func(b *browser){
		"GoesOn":  func(*browser) {},
		"Reviews": func(b *browser) { b.press(kb.F8) },
	} {
		t.Run(name, func(t *testing.T) {
			b := b.in(t)
			b.open("/nova")
			b.fill("#nomeBeneficiario", "Helena")
			l.lose(strings.TrimPrefix(b.path(), "/nova"))
			b.waitFor("it failed", "document.querySelector('#rascunho').innerText.includes('Ainda não salvo')")
			b.fill("#nomeBeneficiario", "Helena Duarte")
			l.lose("")
			then(b)
			b.saved()
			b.waitFor("all is saved", "Object.keys(sessionStorage).length === 0")
			if got := p.LogIn(t, apptest.Reception).Get(b.path()).Value("#nomeBeneficiario"); got != "Helena Duarte" {
				t.Errorf("the draft holds %q", got)
			}
		})
	}
}

// leave goes to a page as a person who presses a link, network or not.
func (b *browser) leave(path string) {
	b.t.Helper()
	eval[bool](b, fmt.Sprintf("setTimeout(() => location.assign(%q)), true", path))
	b.waitFor("the browser's own page", "location.protocol === 'chrome-error:'")
}

// TestOffline_NothingStays: health data does not outlive the draft, the session or
// the person at the desk.
func TestOffline_NothingStays(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	open := func(t *testing.T) *browser {
		t.Helper()
		b := MustBrowse(t, p, unplugged, "Failed to fetch", "401", "404", "422", "Clear-Site-Data")
		b.logIn("recepcao")
		b.open("/nova")
		b.offline(true)
		b.fill("#nomeBeneficiario", "Helena Duarte")
		b.waitFor("it is kept", "Object.values(sessionStorage).join().includes('Helena')")
		return b
	}
	gone := "Object.keys(sessionStorage).length === 0"
	t.Run("Logout", func(t *testing.T) {
		b := open(t)
		eval[bool](b, "document.querySelector('form[action=\"/sair\"]').requestSubmit(), true")
		b.waitFor("the browser's own page", "location.protocol === 'chrome-error:'")
		b.offline(false)
		b.open("/ajuda")
		b.waitFor("nothing stays", gone)
	})
	t.Run("Discarded", func(t *testing.T) {
		b := open(t)
		b.offline(false)
		eval[bool](b, "(window.confirm = () => true, true)")
		b.click("button[formaction$='/descartar']")
		b.waitFor("discarded", "location.pathname === '/fila'")
		if got := b.kept(); got != "" {
			t.Errorf("the tab keeps %s", got)
		}
	})
	t.Run("SessionEnded", func(t *testing.T) {
		b := open(t)
		eval[bool](b, `Object.defineProperty(navigator, 'onLine', {value: true}), true`)
		p.LogIn(t, apptest.Reception).Post("/conta/sessoes/encerrar", nil)
		b.offline(false)
		b.fill("#planoBeneficiario", "Essencial")
		b.see("#sessao")
		b.waitFor("nothing stays", gone)
		b.fill("#planoBeneficiario", "Outro")
		if got := b.kept(); got != "" {
			t.Errorf("the tab keeps %s", got)
		}
	})
	t.Run("NextPerson", func(t *testing.T) {
		b := open(t)
		b.leave("/ajuda")
		b.offline(false)
		b.do("forget the session", cd.Func(func(ctx context.Context, _ *cd.Target) error {
			_, err := cd.Call(ctx, network.ClearBrowserCookies, cdp.Empty{})
			return err
		}))
		b.logIn("supervisao")
		b.waitFor("nothing stays", gone)
		b.open("/nova")
		b.checkValues(map[string]string{"#nomeBeneficiario": ""})
		if got := b.kept(); got != "" {
			t.Errorf("the tab keeps %s", got)
		}
	})
}
