package e2e_test

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"guiche/internal/app"
	"guiche/internal/apptest"
	fs "guiche/internal/client/faultservice"
)

// serviceEnds takes the service down: its address refuses connections.
func (c *clinic) serviceEnds() {
	c.t.Helper()
	if err := c.Faults.Close(); err != nil {
		c.t.Fatal(err)
	}
}

// serviceReturns brings another service up at the same address.
func (c *clinic) serviceReturns() {
	c.t.Helper()
	address, err := url.Parse(c.Config.Connection.BaseURL)
	if err != nil {
		c.t.Fatal(err)
	}
	l, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", address.Host)
	if err != nil {
		c.t.Fatal(err)
	}
	c.Faults = fs.New(fs.Config{Key: "k"})
	go func() { _ = c.Faults.Serve(l) }() // ends with Close
}

// TestTrouble_ServiceDown: without a connection the request waits, and leaves
// once when the service is back.
func TestTrouble_ServiceDown(t *testing.T) {
	t.Parallel()
	c := MustClinic(t, fs.Config{})
	draft, _ := c.reviewed()
	c.serviceEnds()
	c.press(draft)
	apptest.Eventually(t, "the history tells of an attempt that sent nothing", func() bool {
		return strings.Contains(c.becomes(draft, queued).Text("#tempo"), "nada saiu daqui")
	})
	c.checkLedger(0, 0)
	c.serviceReturns()
	c.becomes(draft, authorized)
	c.stop()
	c.checkLedger(1, 1)
}

// TestTrouble_Withdrawn: what never left can be taken out of the queue, and then
// never leaves.
func TestTrouble_Withdrawn(t *testing.T) {
	t.Parallel()
	c := MustClinic(t, fs.Config{})
	draft, _ := c.reviewed()
	remove := c.fault(fs.Rule{Fault: fs.Answer(http.StatusServiceUnavailable, "", "Retry-After", "600")})
	page := c.v.Post(draft+"/enviar", nil)
	if got := page.Text("#veredito .verdict"); got != queued {
		t.Errorf("without an answer the page says %q", got)
	}
	way, _ := page.Find(`form[action$="/retirar"]`).Attr("action")
	if got := c.v.Post(way, nil).Text("#veredito .verdict"); got != "Retirado da fila" {
		t.Errorf("taken out: %q", got)
	}
	remove()
	second, _ := c.reviewed()
	if got := c.v.Post(second+"/enviar", nil).Text("#veredito .verdict"); got != authorized {
		t.Errorf("the next request: %q", got)
	}
	c.stop()
	c.checkLedger(2, 1)
}

// TestTrouble_NeverLeft: what could not leave in time is refused, and is sent
// again by one key, linked to the first.
func TestTrouble_NeverLeft(t *testing.T) {
	t.Parallel()
	c := MustClinic(t, fs.Config{}, func(c *app.Config) { c.Connection.Deadline = 100 * time.Millisecond })
	draft, _ := c.reviewed()
	c.serviceEnds()
	c.press(draft)
	page := c.becomes(draft, "Não saiu a tempo")
	c.checkLedger(0, 0)
	c.restart(func(c *app.Config) { c.Connection.Deadline = 0 })
	c.serviceReturns()
	way, _ := page.Find(`form[action$="/copiar"]`).Attr("action")
	copied := c.v.Post(way, nil)
	if copied.Value("#nomeBeneficiario") != "Beneficiária de Teste" {
		t.Fatalf("the copy at %s has name %q", copied.Path, copied.Value("#nomeBeneficiario"))
	}
	review := c.v.Post(copied.Path+"/revisar", formOf(copied))
	if review.Count("#revisao") != 1 {
		t.Fatalf("review of the copy: %d %s", review.Status, review.Text("#erros"))
	}
	again := c.v.Post(copied.Path+"/enviar", nil)
	link, _ := again.Find(`#pedido-enviado a[href^="/casos/"]`).Attr("href")
	if again.Text("#veredito .verdict") != authorized || link != page.Path {
		t.Errorf("sent again: %q, linked to %q, want %s", again.Text("#veredito .verdict"), link, page.Path)
	}
	c.checkLedger(1, 1)
}

// formOf is what the page's form would send as it stands.
func formOf(page *apptest.Page) url.Values {
	form := url.Values{}
	fields := page.Find(`[form="pedido"], #pedido input, #pedido select, #pedido textarea`)
	for i := range fields.Nodes {
		field := fields.Eq(i)
		name := field.AttrOr("name", "")
		kind := field.AttrOr("type", "")
		_, checked := field.Attr("checked")
		if name == "" || kind == "file" || (kind == "checkbox" || kind == "radio") && !checked {
			continue
		}
		form.Add(name, page.Value(`[name="`+name+`"]`))
	}
	return form
}

// TestTrouble_HeldUntilRestart: a refused key holds the request; a start with a
// key that is accepted sends it, once.
func TestTrouble_HeldUntilRestart(t *testing.T) {
	t.Parallel()
	c := MustClinic(t, fs.Config{})
	draft, _ := c.reviewed()
	c.restart(func(c *app.Config) { c.APIKey = "outra" })
	if got := c.v.Post(draft+"/enviar", nil).Text("#veredito .verdict"); got != held {
		t.Fatalf("got %q, want %q", got, held)
	}
	c.checkLedger(2, 0) // a key is tried once more
	if got := c.LogIn(t, apptest.Administration).Get("/conta").Text(".banner"); !strings.Contains(got, "1 pedido com envio suspenso") {
		t.Errorf("administração is told %q", got)
	}
	c.restart(nil)
	c.becomes(draft, authorized)
	c.stop()
	c.checkLedger(3, 1)
}
