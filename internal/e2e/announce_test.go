package e2e_test

import (
	"context"
	"net/http"
	"net/url"
	"testing"

	"guiche/internal/apptest"

	"github.com/chromedp/cdproto/page"
	cd "github.com/chromedp/chromedp"
)

// hurry makes the pages of a window refresh themselves soon.
func (b *browser) hurry() {
	b.t.Helper()
	b.do("hurry", cd.Func(func(ctx context.Context, _ *cd.Target) error {
		_, err := cd.Call(ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: hurries})
		return err
	}))
}

// says waits for what the page tells screen readers.
func (b *browser) says(text string) {
	b.t.Helper()
	b.waitFor("screen readers are told "+text, "document.querySelector('#aviso').textContent.includes("+quoted(text)+")")
}

// TestAnnounced: what a page changes by itself is told to screen readers.
func TestAnnounced(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	v := p.LogIn(t, apptest.Reception)
	b := MustBrowse(t, p, "frame-ancestors", "404") // the guide of an answer that is no longer the latest when its frame asks
	b.hurry()
	b.logIn(apptest.Reception)
	t.Run("Queue", func(t *testing.T) {
		b := b.in(t)
		b.open("/fila")
		v.SubmitWith(map[string]string{"numeroCarteira": "99990400"})
		b.says("Negado: 1")
	})
	t.Run("Verdict", func(t *testing.T) {
		b := b.in(t)
		path := v.SubmitWith(map[string]string{"numeroCarteira": "99990300"}).Path
		b.open(path)
		celia := p.LogIn(t, apptest.Supervision)
		celia.Post(path+"/retorno", url.Values{"situacao": {"A"}, "senha": {"48201"}, "contato": {"Marta"}, "visto": {"1"}})
		b.says("O pedido mudou: Autorizado")
	})
	t.Run("File", func(t *testing.T) {
		b := b.in(t)
		b.open("/nova")
		b.upload(pngFile(t, "pedido.png"))
		b.says("pedido.png guardado")
	})
}

// TestSentFiles_StayOpen: what was sent before stays open, and the focus in it, while the
// draft saves itself.
func TestSentFiles_StayOpen(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	v := p.LogIn(t, apptest.Reception)
	address, form := v.NewDraft()
	v.PostHTMX(address, form).Check(t, apptest.Want{Status: http.StatusOK})
	v.Upload(address+"/anexos", nil, map[string][]byte{"pedido.pdf": apptest.PDF(1000)})
	form.Set("versao", v.Get(address).Value("#versao"))
	v.Submit(address, form)
	next, form := v.NewDraft()
	v.PostHTMX(next, form).Check(t, apptest.Want{Status: http.StatusOK})
	b := MustBrowse(t, p)
	b.logIn(apptest.Reception)
	b.open(next)
	before := b.value("#versao")
	b.fill("#planoBeneficiario", "Pleno")
	b.focus("#enviados summary")
	b.press("\r")
	b.tabTo("[name=enviado]")
	eval[bool](b, `window.toggled = 0, new MutationObserver(records => toggled += records.length)
		.observe(document.querySelector('#enviados'), {subtree: true, attributeFilter: ['open']}), true`)
	b.waitFor("the plan is saved", "document.querySelector('#versao').value !== "+quoted(before))
	b.waitFor("the list is still open", "document.querySelector('#enviados details').open")
	b.focusedIs("after the draft was saved", "[name=enviado]")
	if n := eval[int](b, "toggled"); n != 0 {
		t.Errorf("the list was closed or opened %d times, and a browser takes the focus from what is closed", n)
	}
}
