package e2e_test

import (
	"context"
	"io"
	"log"
	"net"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"guiche/internal/app"
	"guiche/internal/apptest"

	"github.com/chromedp/cdproto/security"
	cd "github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// publicName is a name that every window finds on this machine.
const publicName = "guiche.example"

// publicDesk is a desk behind a proxy that ends TLS, at an address that phones reach.
func publicDesk(t *testing.T) (p *apptest.Server, browse func(tolerated ...string) *browser) {
	t.Helper()
	var front httputil.ReverseProxy
	proxy := httptest.NewUnstartedServer(&front)
	_, port, err := net.SplitHostPort(proxy.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	public := "https://" + net.JoinHostPort(publicName, port)
	p = apptest.Start(t, apptest.Options{Configure: func(c *app.Config) {
		c.PublicURL, c.TrustedProxies = public, apptest.Loopback
	}})
	behind, err := url.Parse(p.URL)
	if err != nil {
		t.Fatal(err)
	}
	front.Rewrite = func(r *httputil.ProxyRequest) {
		r.Out.URL.Scheme, r.Out.URL.Host = behind.Scheme, behind.Host
		r.SetXForwarded()
	}
	proxy.Config.ErrorLog = log.New(io.Discard, "", 0) // a window doubts the certificate before it is told not to
	proxy.StartTLS()
	t.Cleanup(proxy.Close)
	return p, func(tolerated ...string) *browser {
		b := MustBrowse(t, p, tolerated...)
		b.base = public
		b.do("the test's certificate", cd.Func(func(ctx context.Context, _ *cd.Target) error {
			_, err := cd.Call(ctx, security.SetIgnoreCertificateErrors, security.SetIgnoreCertificateErrorsParams{Ignore: true})
			return err
		}))
		return b
	}
}

// TestPhone: two windows, the desk's and the phone's, from the code to the files in the
// form; the phone's line breaks on the way, and nothing is lost or doubled.
func TestPhone(t *testing.T) {
	t.Parallel()
	p, browse := publicDesk(t)
	desk, phone := browse("422"), browse(unplugged, "Failed to fetch", "422", "409")
	desk.logIn("recepcao")
	desk.open("/nova")
	desk.look("nova-com-celular")
	desk.fill("#nomeBeneficiario", "Helena Duarte")
	desk.saved()
	desk.focus("#celular-abrir")
	desk.press(kb.Enter)
	desk.see("#celular svg")
	desk.focusedIs("after the code came", "#celular-title")
	desk.look("nova-celular-codigo")
	address := desk.text("#celular-endereco")

	phone.size(390, 844)
	phone.open("/celular")
	phone.look("celular-sem-codigo")
	phone.open(strings.TrimPrefix(address, phone.base))
	phone.see("#camera")
	if got := eval[string](phone, "location.href"); strings.Contains(got, "#") {
		t.Error("the code stays in the address")
	}
	phone.look("celular")
	desk.waitFor("it is told", "document.querySelector('#celular-estado').innerText.includes('conectado')")
	if eval[bool](desk, "document.querySelector('#celular svg') !== null") {
		t.Error("the code is still shown")
	}
	desk.look("nova-celular-conectado")
	first, second := writeFile(t, "pedido 1.png", apptest.PNG()), writeFile(t, "laudo.pdf", apptest.PDF(300_000))
	phone.attachTo("#camera", first)
	phone.waitFor("received", "document.querySelectorAll('#anexos li').length === 1 && document.body.innerText.includes('recebido')")
	phone.offline(true)
	phone.attachTo("#arquivo", second)
	phone.waitFor("it waits", "document.querySelector('#anexos [data-retry]') !== null")
	phone.look("celular-sem-rede")
	phone.click("#anexos [data-retry]")
	phone.waitFor("it still waits", "document.querySelector('#anexos [data-retry]') !== null")
	phone.offline(false)
	phone.waitFor("received", "document.querySelectorAll('#anexos li').length === 2 && !document.querySelector('#anexos .error')")
	phone.attachTo("#arquivo", writeFile(t, "virus.pdf", []byte("MZ nothing")))
	phone.see("#anexos .tone-error")
	phone.look("celular-recebidos")
	phone.size(320, 568)
	if eval[bool](phone, "document.documentElement.scrollWidth > 320") {
		t.Error("something sticks out at 320")
	}
	phone.picture("celular-320")
	desk.waitFor("both files", "document.querySelectorAll('#anexos [data-attachment]').length === 2 && "+
		"document.querySelector('#celular-estado').innerText.includes('2 arquivos')")
	desk.saved()
	desk.look("nova-celular-recebidos")
	if got := desk.value("#nomeBeneficiario"); got != "Helena Duarte" {
		t.Errorf("the name is %q", got)
	}
	desk.click("#celular-encerrar")
	desk.see("#celular-abrir")
	phone.attachTo("#arquivo", first)
	phone.waitFor("it is told", "document.querySelector('#anexos').innerText.includes('terminou')")

	another := browse("422")
	another.open(strings.TrimPrefix(address, another.base))
	another.waitFor("the code is over", "document.querySelector('[data-phone-message]').innerText.includes('não vale')")
	another.look("celular-codigo-recusado")
	if got := len(p.LogIn(t, apptest.Reception).Get(desk.path()).Texts("#anexos [data-attachment]")); got != 2 {
		t.Errorf("%d attachments, want 2", got)
	}
}

// attachTo gives files to a field.
func (b *browser) attachTo(field string, paths ...string) {
	b.t.Helper()
	b.do("choose "+filepath.Base(paths[0]), cd.SetUploadFiles(cd.CSS(field), paths))
}
