package e2e_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"guiche/internal/apptest"

	cd "github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestSession_Browser types on after the session ended, logs in in another tab and
// finds everything saved.
func TestSession_Browser(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	b := MustBrowse(t, p, "401", "422")
	b.logIn("recepcao")
	b.open("/nova")
	b.fill("#nomeBeneficiario", "Antes")
	b.saved()
	p.Clock.Advance(time.Hour)
	b.fill("#nomeBeneficiario", "Antes e depois")
	b.fill("#planoBeneficiario", "Também")
	b.see("#sessao")
	b.look("nova-sessao-terminada")
	if got := b.text("#sessao"); !strings.Contains(got, "Sua sessão terminou") {
		t.Errorf("the page says %q", got)
	}
	t.Run("SearchAndFiles", func(t *testing.T) {
		b.fill("#Busca", "aroeira")
		b.waitFor("the list says so", "document.querySelector('#credenciais').innerText.includes('Sua sessão terminou')")
		b.upload(pngFile(t, "pedido.png"))
		b.waitFor("the row says so", "document.querySelector('#anexos .error')?.innerText.includes('sua sessão terminou')")
	})
	t.Run("LogInElsewhere", func(t *testing.T) {
		b.logInElsewhere("recepcao")
		b.waitFor("the notice goes", "document.querySelector('#sessao').hidden")
		v := p.LogIn(t, apptest.Reception)
		draft := v.Get(b.path())
		if name, plan := draft.Value("#nomeBeneficiario"), draft.Value("#planoBeneficiario"); name != "Antes e depois" || plan != "Também" {
			t.Errorf("the draft holds %q and %q", name, plan)
		}
	})
	t.Run("ReviewAfterTheEnd", func(t *testing.T) {
		address := b.path()
		p.Clock.Advance(time.Hour)
		b.fill("#nomeSolicitante", "Dr. Caio Leme")
		b.press(kb.F8)
		b.see("#senha")
		b.look("entrar-sessao-terminada")
		user, password := p.Login(apptest.Reception)
		b.fill("#usuario", user)
		b.fill("#senha", password)
		b.press("\r")
		b.waitFor("back on the draft", "location.pathname === '"+address+
			"' && document.querySelector('#nomeSolicitante')?.value === 'Dr. Caio Leme'")
	})
}

// saved waits until autosave says so.
func (b *browser) saved() {
	b.t.Helper()
	b.waitFor("saved", "document.querySelector('#rascunho')?.innerText.includes('salvo às')")
}

// logInElsewhere logs in as a second tab of the same browser does: by the same
// cookies, without leaving the page.
func (b *browser) logInElsewhere(role string) {
	b.t.Helper()
	user, password := b.p.Login(role)
	body := url.Values{"usuario": {user}, "senha": {password}}.Encode()
	if at := eval[string](b, `fetch('/entrar', {method: 'POST', body: new URLSearchParams('`+body+
		`')}).then(r => new URL(r.url).pathname)`); at != "/fila" {
		b.t.Fatalf("logged in elsewhere and at %s", at)
	}
}

// upload chooses files without waiting for what becomes of them.
func (b *browser) upload(paths ...string) {
	b.t.Helper()
	b.do("choose files", cd.SetUploadFiles(cd.CSS("#arquivo"), paths))
}
