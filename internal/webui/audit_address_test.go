package webui_test

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"guiche/internal/app"
	"guiche/internal/apptest"
)

// addressesOf returns where the entries about an event came from, oldest first.
func addressesOf(trail []apptest.Event, event string) (all []string) {
	for _, e := range trail {
		if e.Name == event {
			all = append(all, e.Address)
		}
	}
	return all
}

// TestAudit_Address: the trail tells from where, and behind a proxy that is the browser.
func TestAudit_Address(t *testing.T) {
	t.Parallel()
	const browser = "203.0.113.9"
	for name, tt := range map[string]struct {
		configure func(c *app.Config)
		want      string
	}{
		"Direct":      {nil, "127.0.0.1"},
		"TrustedSays": {func(c *app.Config) { c.TrustedProxies = apptest.Loopback }, browser},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := apptest.Start(t, apptest.Options{Configure: tt.configure})
			ana := p.Client(t)
			ana.Header = http.Header{"X-Forwarded-For": {"192.0.2.1, " + browser}}
			ana.LogIn(p.Login(apptest.Reception))
			ana.Submit(ana.NewDraft())
			for _, event := range []string{"entrada.feita", "credencial.buscada", "pedido.enviado", "caso.visto"} {
				if got := addressesOf(p.Trail(t), event); len(got) == 0 || slices.ContainsFunc(got, func(a string) bool { return a != tt.want }) {
					t.Errorf("%s: got %q, want %s", event, got, tt.want)
				}
			}
		})
	}
}

// TestAudit_AddressForgotten: with a start after its time an address is gone, and the
// chain is whole.
func TestAudit_AddressForgotten(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{Configure: func(c *app.Config) { c.AuditAddressLife = 30 * 24 * time.Hour }})
	p.LogIn(t, apptest.Reception)
	p.Clock.Advance(29 * 24 * time.Hour)
	p.Restart(nil)
	if got := addressesOf(p.Trail(t), "entrada.feita"); !slices.Equal(got, []string{"127.0.0.1"}) {
		t.Errorf("after 29 days: got %q", got)
	}
	p.Clock.Advance(2 * 24 * time.Hour)
	p.Restart(nil)
	apptest.Eventually(t, "the address is forgotten", func() bool {
		return slices.Equal(addressesOf(p.Trail(t), "entrada.feita"), []string{""})
	})
	rui := p.LogIn(t, apptest.Administration)
	if got := rui.Post("/auditoria/conferir", nil).Text("#corrente b"); got != "Corrente inteira." {
		t.Errorf("got %q", got)
	}
}
