package webui_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
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

// TestAudit_Filter_Address: administração finds who acted from one place, and the
// address is in no URL.
func TestAudit_Filter_Address(t *testing.T) {
	t.Parallel()
	const home, elsewhere = "203.0.113.9", "2001:db8::7"
	p := apptest.Start(t, apptest.Options{Configure: func(c *app.Config) { c.TrustedProxies = apptest.Loopback }})
	stranger, rui := p.Client(t), p.Client(t)
	stranger.Header, rui.Header = http.Header{"X-Forwarded-For": {home}}, http.Header{"X-Forwarded-For": {elsewhere}}
	stranger.Post("/entrar", url.Values{"usuario": {"ana"}, "senha": {"errada"}})
	rui.LogIn(p.Login(apptest.Administration))

	got := rui.Post("/auditoria", url.Values{"endereco": {home}})
	rows := got.Rows("table.audit-table")
	if len(rows) != 1 || !strings.Contains(rows[0], " | Entrada recusada | ninguém identificado "+home+" | Pessoa Ana Prado") {
		t.Errorf("got %q", rows)
	}
	to := rui.Twin().StayOnRedirect().Post("/auditoria", url.Values{"endereco": {home}}).Header.Get("Location")
	if got.Value("#endereco") != home || !strings.HasPrefix(to, "/auditoria?mesmo=") || strings.Contains(to, "203") {
		t.Errorf("got %q in the field, %q in the address", got.Value("#endereco"), to)
	}
	link := rui.Get("/auditoria").Attrs("tbody td a", "href")
	if again := rui.Get(link[len(link)-1]); again.Value("#endereco") != home || again.Count("tbody tr") != 1 {
		t.Errorf("by its link: got %q with %d rows", again.Value("#endereco"), again.Count("tbody tr"))
	}
	for typed, want := range map[string]string{"casa": "Informe um endereço IP, como 192.0.2.7.",
		"192.0.2.1": "Nenhum registro tem este endereço, ou ele já foi apagado."} {
		got := rui.Post("/auditoria", url.Values{"endereco": {typed}})
		if got.Status != http.StatusUnprocessableEntity || got.Text("#endereco-error") != "Erro: "+want || got.Value("#endereco") != typed {
			t.Errorf("%s: got %d, %q", typed, got.Status, got.Text("#endereco-error"))
		}
	}
	if got := rui.Get("/auditoria?mesmo=x"); got.Status != http.StatusNotFound {
		t.Errorf("nonsense: got %d", got.Status)
	}
	told := rui.Get("/auditoria?evento=auditoria.consultada").Rows("table.audit-table")
	if all := strings.Join(told, "\n"); !strings.Contains(all, "endereco-do-registro=") || strings.Contains(all, home) {
		t.Errorf("the reading is told as %q", told)
	}
}

// TestAudit_Filter_Denied: what was refused is one choice of the filter.
func TestAudit_Filter_Denied(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	ana := p.LogIn(t, apptest.Reception)
	ana.Get("/pessoas/01a1fd53-a165-77ef-a4fa-dae39f9cda2f")
	p.Client(t).Post("/entrar", url.Values{"usuario": {"ana"}, "senha": {"errada"}})
	rui := p.LogIn(t, apptest.Administration)
	got := rui.Post("/auditoria", url.Values{"evento": {"recusas"}})
	rows := got.Rows("table.audit-table")
	if len(rows) != 2 || !strings.Contains(rows[0], " | Entrada recusada | ninguém identificado 127.0.0.1 | Pessoa Ana Prado") ||
		!strings.Contains(rows[1], " | Acesso negado | Ana Prado 127.0.0.1 |  | em /pessoas/… | ") {
		t.Errorf("got %q", rows)
	}
	if got.Value("#evento") != "recusas" || !strings.Contains(got.Text("main"), "apagados depois de 90 dias") {
		t.Errorf("got %q", got.Value("#evento"))
	}
}
