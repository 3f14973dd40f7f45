package e2e_test

import (
	"bytes"
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"guiche/internal/app"
	"guiche/internal/apptest"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	cd "github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestBrowser_Restart types on while the program is down and after it came back:
// autosave, review and sending go on, and the person is still logged in.
func TestBrowser_Restart(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	b := MustBrowse(t, p, "422", "ERR_CONNECTION", "Failed to fetch")
	b.logIn("recepcao")
	b.open("/nova")
	b.chooseCredential("aroeira")
	b.fillRequest()
	b.click("#atendimentoRN") // off again
	b.saved()
	here := func(c *app.Config) { c.Addr = p.Address() }
	p.Stop()
	b.fill("#nomeBeneficiario", "Escrito durante a queda")
	b.waitFor("the page says that it was not saved", "document.querySelector('#rascunho').innerText.includes('Ainda não salvo')")
	p.Restart(here)
	b.saved()
	b.fill("#planoBeneficiario", "Depois da volta")
	b.press(kb.F8)
	b.see("#revisao")
	p.Restart(here) // under the open review
	b.press(kb.Enter)
	b.waitFor("the case", "location.pathname.startsWith('/casos/') && document.querySelector('#veredito "+
		".verdict')?.innerText === 'Autorizado'")
	if got := b.text("h1"); got != "Escrito durante a queda" {
		t.Errorf("the case is of %q", got)
	}
	p.Restart(here) // under the open case
	b.do("reload", cd.Reload())
	b.waitFor("the case again", "document.querySelector('#veredito .verdict')?.innerText === 'Autorizado'")
}

// TestBrowser_TwoTabs: the later tab is told and overwrites nothing; what it holds
// stays on its screen.
func TestBrowser_TwoTabs(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	first, second := MustBrowse(t, p), MustBrowse(t, p, "409")
	first.logIn("recepcao")
	second.logIn("recepcao")
	first.open("/nova")
	first.fill("#nomeBeneficiario", "Começo")
	first.saved()
	address := first.path()
	second.open(address)
	first.fill("#nomeBeneficiario", "Primeira aba")
	first.savedAs("Primeira aba", address)
	second.fill("#nomeBeneficiario", "Segunda aba")
	second.see("#rascunho [data-conflict]")
	if got := second.text("#antes"); !strings.Contains(got, "Pelo menos um procedimento") {
		t.Errorf("what is still to do is gone: %q", got)
	}
	second.look("nova-conflito")
	second.press(kb.F8)
	second.waitFor("told again", "document.querySelector('[data-conflict]') !== null && "+
		"document.querySelector('#nomeBeneficiario').value === 'Segunda aba'")
	if got := p.LogIn(t, apptest.Reception).Get(address).Value("#nomeBeneficiario"); got != "Primeira aba" {
		t.Errorf("the draft holds %q, want the first tab's", got)
	}
	second.click("[data-conflict] a")
	second.waitFor("the newer one", "document.querySelector('#nomeBeneficiario')?.value === 'Primeira aba'")
}

// savedAs waits until a draft holds that name.
func (b *browser) savedAs(name, address string) {
	b.t.Helper()
	v := b.p.LogIn(b.t, apptest.Reception)
	apptest.Eventually(b.t, "the draft holds "+name, func() bool { return v.Get(address).Value("#nomeBeneficiario") == name })
}

// TestBrowser_WithoutScript is the whole way with JavaScript off.
func TestBrowser_WithoutScript(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	b := MustBrowse(t, p, "422", "413")
	b.scripts(false)
	b.enterByForm("recepcao")
	b.click("a[href='/nova']")
	b.waitFor("the form", "document.querySelector('#pedido') !== null")
	b.fill("#Busca", "aroeira")
	b.follow("button[name=acao][value=buscar]", ".search-results input[type=radio]")
	b.click(".search-results input[type=radio]")
	b.fill("#procedimentos-0-codigoProcedimento", "hormônio tireo")
	b.follow("button[name=acao][value=procedimentos]", "#procedimentos .search-results")
	b.scripts(true) // of the checker
	b.look("sem-script-procedimentos")
	b.scripts(false)
	b.click("#procedimentos [value='40316521']")
	b.follow("#procedimentos .search-results button", "#procedimentos [readonly]")
	for field, text := range map[string]string{
		"#nomeBeneficiario": "Iara Sem Script", "#numeroCarteira": "0310 0045 1206 3345", "#validadeCarteira": "31122027",
		"#nomeSolicitante": "Dr. Caio Leme", "#crmSolicitante": "104552",
	} {
		b.fill(field, text)
	}
	for _, list := range []string{"#profissionalExecutanteId", "#especialidadeExecutanteId", "#unidadeId", "#pontoAtendimentoId"} {
		b.choose(list, "")
	}
	t.Run("ProblemsAreTold", func(t *testing.T) {
		b.follow("button[data-shortcut=F8]", "#erros")
		if got := b.text("#ufSolicitante-error"); !strings.Contains(got, "UF") || b.value("#nomeBeneficiario") != "Iara Sem Script" {
			t.Errorf("beside the field %q, the name is %q", got, b.value("#nomeBeneficiario"))
		}
	})
	b.choose("#ufSolicitante", "SP")
	t.Run("Attach", func(t *testing.T) {
		b.upload(pngFile(t, "pedido.png"), writeFile(t, "falso.pdf", []byte("MZ")))
		b.follow("#soltar button.no-js", "#anexos .error")
		if got := b.text("#anexos"); !strings.Contains(got, "pedido.png") || b.value("#ufSolicitante") != "SP" {
			t.Errorf("attached %q, UF %q", got, b.value("#ufSolicitante"))
		}
		b.upload(sparse(t, "ressonancia.pdf", huge))
		b.follow("#soltar button.no-js", "#anexos .error")
		b.waitFor("the large file is refused", "document.querySelector('#anexos .error').innerText.includes('15 MB')")
		if got := b.value("#nomeBeneficiario"); got != "Iara Sem Script" {
			t.Errorf("the name is %q after a file that is too large", got)
		}
	})
	t.Run("Row", func(t *testing.T) {
		b.follow("#procedimentos-mais", "#procedimentos-1-codigoProcedimento")
	})
	b.follow("button[data-shortcut=F8]", "#revisao")
	b.scripts(true) // of the checker; the page's own never ran
	b.look("sem-script-revisao")
	b.scripts(false)
	b.follow("#enviar-confirma", "#veredito")
	if got := b.text("#veredito .verdict"); got != "Autorizado" || b.text("h1") != "Iara Sem Script" {
		t.Errorf("%s of %s", got, b.text("h1"))
	}
	t.Run("Leave", func(t *testing.T) {
		b.click("details.user-menu summary")
		b.follow("form[action='/sair'] button", "#senha")
	})
}

// scripts turns JavaScript on or off.
func (b *browser) scripts(on bool) {
	b.t.Helper()
	b.do("turn scripts on or off", cd.Func(func(ctx context.Context, _ *cd.Target) error {
		_, err := cd.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !on})
		return err
	}))
}

// enterByForm logs in without waiting for anything that a script does.
func (b *browser) enterByForm(role string) {
	b.t.Helper()
	user, password := b.p.Login(role)
	b.open("/entrar")
	b.fill("#usuario", user)
	b.fill("#senha", password)
	b.follow(".login-card button", "#fila")
}

// follow presses a button that loads a page, and waits for what is on it. A page that
// is still scrolling to its focus would move the button away below the pointer.
func (b *browser) follow(button, wanted string) {
	b.t.Helper()
	b.waitFor(button+" in reach", fmt.Sprintf(`(() => {
		const button = document.querySelector(%q)
		button?.scrollIntoView({block: 'center', behavior: 'instant'})
		const box = button?.getBoundingClientRect()
		return box && button.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2))
	})() === true`, button))
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if _, err := cd.Run(ctx, cd.WaitEvent(page.LoadEventFired, nil, cd.Click(cd.CSS(button)))); err != nil {
		b.t.Fatalf("press %s: %v; the page says:\n%s", button, err, b.text("body"))
	}
	b.see(wanted)
}

// TestPages_Panic pictures the page of a failure of ours.
func TestPages_Panic(t *testing.T) {
	t.Parallel()
	var armed atomic.Bool
	p := apptest.Start(t, apptest.Options{Configure: func(c *app.Config) {
		c.Clock = func() time.Time {
			// Below the handlers' own guard, and only there.
			if armed.Load() && bytes.Contains(debug.Stack(), []byte("(*server).guarded")) && armed.CompareAndSwap(true, false) {
				panic("on purpose")
			}
			return time.Now()
		}
	}})
	b := MustBrowse(t, p, "500")
	b.logIn(apptest.Reception)
	armed.Store(true)
	b.open("/nova")
	b.see("main .code")
	b.look("erro-500")
	b.click("main a.btn")
	b.waitFor("a way on", "location.pathname === '/fila'")
}

// TestBrowser_ConsoleIsHeard: what the policy of a page blocks, and what its scripts
// complain of, fails the browser tests.
func TestBrowser_ConsoleIsHeard(t *testing.T) {
	t.Parallel()
	b := MustBrowse(t, apptest.Start(t, apptest.Options{}))
	b.open("/entrar")
	heard := func(word string) bool {
		b.mu.Lock()
		defer b.mu.Unlock()
		at := slices.IndexFunc(b.troubles, func(s string) bool { return strings.Contains(s, word) })
		if at >= 0 {
			b.troubles = slices.Delete(b.troubles, at, at+1)
		}
		return at >= 0
	}
	eval[bool](b, "document.body.append(Object.assign(document.createElement('script'), {textContent: 'window.ran = true'})), true")
	apptest.Eventually(t, "the blocked script is reported", func() bool { return heard("Content Security Policy") })
	if eval[bool](b, "window.ran === true") {
		t.Error("an inline script ran")
	}
	eval[bool](b, "setTimeout(() => { throw new Error('quebrou') }), true")
	apptest.Eventually(t, "the exception is reported", func() bool { return heard("quebrou") })
}
