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

// TestSession_Case: a note that is being typed when the session ends stays in the page, which asks how its case
// stands meanwhile; saved, it comes back after the login, not recorded yet.
func TestSession_Case(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	path := p.LogIn(t, apptest.Reception).SubmitWith(map[string]string{"numeroCarteira": "99990300"}).Path + "/anotar"
	b := MustBrowse(t, p, "401")
	b.hurry()
	b.logIn(apptest.Supervision)
	b.open(path)
	b.fill("#anotar-observacao", "Falei com a operadora.")
	eval[int](b, "window.asked = 0")
	eval[bool](b, "Boolean(document.addEventListener('htmx:finally:request', () => { window.asked++; }))")
	p.Clock.Advance(time.Hour)
	b.waitFor("the page has asked twice", "window.asked > 1")
	if b.path() != path || b.value("#anotar-observacao") != "Falei com a operadora." {
		t.Fatalf("at %s with %q", b.path(), b.value("#anotar-observacao"))
	}
	b.press(kb.Enter, cd.KeyModifiers(cd.ModifierCtrl))
	b.see("#senha")
	b.look("entrar-anotacao")
	user, password := p.Login(apptest.Supervision)
	b.fill("#usuario", user)
	b.fill("#senha", password)
	b.press("\r")
	b.waitFor("back in the note", "location.pathname === '"+path+"' && document.activeElement?.value === 'Falei com a operadora.'")
	b.look("anotacao-de-volta")
	b.press(kb.Enter, cd.KeyModifiers(cd.ModifierCtrl))
	b.waitFor("the note stands", "document.querySelector('#tempo')?.innerText.includes('Falei com a operadora.')")
}
