package console_test

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"guiche/internal/apptest"
	"guiche/internal/service/access"
	"guiche/internal/version"
)

func TestConsole_Partners(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	admin := p.LogIn(t, apptest.Administration)
	address := admin.AddPartner("Hospital  da Serra")
	t.Run("Listed", func(t *testing.T) {
		if names := admin.Get("/servico/parceiros").Names(); !strings.Contains(names, "Hospital da Serra") ||
			!strings.Contains(names, "Guichê desta instalação") {
			t.Errorf("got %q", names)
		}
	})
	t.Run("ShownAsKept", func(t *testing.T) {
		page := admin.Get(address)
		if page.Value("#nome") != "Hospital da Serra" || page.Value("#limite") != "0" || page.Count("[name=escopos][checked]") != 6 {
			t.Errorf("got %q, %q", page.Value("#nome"), page.Value("#limite"))
		}
	})
	t.Run("ChangeIsInForce", func(t *testing.T) {
		key := p.Partner(t, admin.Mint(t, address+"/chaves", nil, 1)[0])
		if got := key.Credentials(); got != http.StatusOK {
			t.Fatalf("before: got %d", got)
		}
		form := apptest.PartnerForm("Hospital da Serra")
		form["escopos"] = []string{"autorizacoes:ler"}
		if got := admin.Post(address, form); got.Status != http.StatusOK || key.Credentials() != http.StatusForbidden {
			t.Errorf("without the scope: page %d, service %d, want 403", got.Status, key.Credentials())
		}
		form["escopos"], form["metodos"] = apptest.AllScopes, []string{"oauth"}
		if admin.Post(address, form); key.Credentials() != http.StatusForbidden {
			t.Errorf("without the method: got %d, want 403", key.Credentials())
		}
		form["metodos"], form["limite"] = []string{"chave"}, []string{"1"}
		admin.Post(address, form)
		if key.Credentials(); key.Credentials() != http.StatusTooManyRequests {
			t.Error("a second request in the minute was not refused")
		}
		admin.Post(address, apptest.PartnerForm("Hospital da Serra"))
		if admin.Post(address+"/desativar", nil); key.Credentials() != http.StatusUnauthorized {
			t.Errorf("disabled: got %d, want 401", key.Credentials())
		}
		if admin.Post(address+"/reativar", nil); key.Credentials() != http.StatusOK {
			t.Errorf("enabled: got %d, want 200", key.Credentials())
		}
	})
}

func TestConsole_PartnerProblems(t *testing.T) {
	t.Parallel()
	admin := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Administration)
	address := admin.AddPartner("Laboratório Lua")
	for name, c := range map[string]struct {
		change url.Values
		fields string
	}{
		"Empty":   {url.Values{"nome": {" "}, "metodos": nil, "escopos": nil}, "nome metodos escopos"},
		"Long":    {url.Values{"nome": {strings.Repeat("é", 101)}}, "nome"},
		"Taken":   {url.Values{"nome": {"guichê DESTA instalação"}}, "nome"},
		"Rate":    {url.Values{"limite": {"muitos"}}, "limite"},
		"Less":    {url.Values{"limite": {"-1"}}, "limite"},
		"TooMany": {url.Values{"limite": {"60001"}}, "limite"},
		"Foreign": {url.Values{"metodos": {"palavra"}, "escopos": {"tudo"}}, "metodos escopos"},
	} {
		t.Run(name, func(t *testing.T) {
			form := apptest.PartnerForm("Outro")
			for k, v := range c.change {
				form[k] = v
			}
			for _, path := range []string{"/servico/parceiros/novo", address} {
				got := admin.Post(path, form)
				if got.Status != http.StatusUnprocessableEntity || got.Value("#limite") != form.Get("limite") {
					t.Fatalf("%s: got %d with %q kept", path, got.Status, got.Value("#limite"))
				}
				for _, field := range strings.Fields(c.fields) {
					if got.Text("#"+field+"-error") == "" || got.Count("#erros a[href='#"+field+"']") != 1 {
						t.Errorf("%s: nothing about %s: %q", path, field, got.Text("#erros"))
					}
				}
			}
			if kept := admin.Get(address).Value("#nome"); kept != "Laboratório Lua" {
				t.Errorf("kept %q", kept)
			}
		})
	}
}

// The desk's own profile is shown and refuses every change.
func TestConsole_OwnProfile(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	admin := p.LogIn(t, apptest.Administration)
	own := admin.Entry("/servico/parceiros", "Guichê desta instalação")
	if page := admin.Get(own); page.Status != http.StatusOK || page.Count("main form") != 0 || page.Count("#chaves tbody tr") == 0 {
		t.Errorf("got %d with %d forms", page.Status, page.Count("main form"))
	}
	for path, form := range map[string]url.Values{
		own: {"nome": {"Outro"}, "metodos": {"oauth"}, "escopos": {"cadastros:ler"}}, own + "/desativar": nil, own + "/reativar": nil,
		own + "/chaves": nil, own + "/clientes": {"cliente": {"x"}}, own + "/usuarios": {"usuario": {"xis"}},
		own + "/chaves/01970000-0000-7000-8000-00000000dead/revogar": nil,
	} {
		if got := admin.Post(path, form); got.Status != http.StatusConflict {
			t.Errorf("POST %s: got %d, want 409", path, got.Status)
		}
	}
	v := p.LogIn(t, apptest.Reception)
	if got := v.Submit(v.NewDraft()); !strings.Contains(got.Text("main"), "Autorizado") {
		t.Errorf("the desk after that: %s", got.Text("main"))
	}
}

// TestRoutes_Partner_Meanwhile: a partner that is disabled, or changed, at the very moment when its form is kept
// stays so, and one that is switched keeps what was changed at that moment.
func TestRoutes_Partner_Meanwhile(t *testing.T) {
	w := MustMakeWorld(t)
	meanwhile := func(change func(*access.Profile)) {
		w.trail.told = func() {
			w.trail.told = nil
			p, err := w.admin.Profile(t.Context(), w.partner.ID)
			change(&p)
			if err = errors.Join(err, w.admin.PutProfile(t.Context(), p)); err != nil {
				t.Error(err)
			}
		}
	}
	wants := func(what, name string, disabled bool) {
		t.Helper()
		if p, err := w.admin.Profile(t.Context(), w.partner.ID); err != nil || p.Name != name || p.Disabled != disabled {
			t.Errorf("%s: got %q, disabled %t, error %v", what, p.Name, p.Disabled, err)
		}
	}
	form := url.Values{"nome": {"Digitado"}, "limite": {"0"}, "metodos": {"chave"}, "escopos": {"cadastros:ler"}}
	meanwhile(func(p *access.Profile) { p.Disabled = true })
	w.post(w.path(""), form)
	wants("disabled before it is kept", "Digitado", true)

	seen := w.partner
	seen.Name = "Visto"
	if err := w.admin.PutProfile(t.Context(), seen); err != nil {
		t.Fatal(err)
	}
	form.Set("versao", version.Of(seen))
	meanwhile(func(p *access.Profile) { p.Name = "De outra pessoa" })
	if got := w.post(w.path(""), form); got != http.StatusConflict {
		t.Errorf("changed before it is kept: got %d", got)
	}
	wants("changed before it is kept", "De outra pessoa", false)

	meanwhile(func(p *access.Profile) { p.Name = "De mais alguém" })
	w.post(w.path("/desativar"), nil)
	wants("changed before it is disabled", "De mais alguém", true)
}
