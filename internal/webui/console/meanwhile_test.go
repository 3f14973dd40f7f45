package console_test

import (
	"net/http"
	"net/url"
	"testing"

	"guiche/internal/service"
	"guiche/internal/version"

	"github.com/google/uuid"
)

// register is one of the service's registers, as TestRoutes_Meanwhile needs it: the entry's page,
// how it is changed behind its back, and what is kept.
type register struct {
	path   string
	form   url.Values
	change func(t *testing.T, w *full, name string, disabled bool)
	kept   func(t *testing.T, w *full) (name string, disabled bool, seen string)
}

var registers = map[string]register{
	"Credential": {"/servico/credenciais/:uid", url.Values{"nome": {"Digitado"}, "operadora": {"simulada"}},
		func(t *testing.T, w *full, name string, disabled bool) {
			c, err := w.admin.Credential(t.Context(), w.ids["credenciais/:uid"])
			must(t, err)
			c.Name, c.Disabled = name, disabled
			must(t, w.admin.PutCredential(t.Context(), c))
		},
		func(t *testing.T, w *full) (string, bool, string) {
			c, err := w.admin.Credential(t.Context(), w.ids["credenciais/:uid"])
			must(t, err)
			return c.Name, c.Disabled, version.Of(c)
		}},
	"Unit": {"/servico/unidades/:uid", url.Values{"nome": {"Digitado"}},
		func(t *testing.T, w *full, name string, disabled bool) {
			u, err := w.admin.Unit(t.Context(), w.unit)
			must(t, err)
			u.Name, u.Disabled = name, disabled
			must(t, w.admin.PutUnit(t.Context(), u))
		},
		func(t *testing.T, w *full) (string, bool, string) {
			u, err := w.admin.Unit(t.Context(), w.unit)
			must(t, err)
			return u.Name, u.Disabled, version.Of(u)
		}},
	"Professional": {"/servico/profissionais/:uid", url.Values{"nome": {"Digitado"}},
		func(t *testing.T, w *full, name string, disabled bool) {
			p, err := w.admin.Professional(t.Context(), w.ids["profissionais/:uid"])
			must(t, err)
			p.Name, p.Disabled = name, disabled
			must(t, w.admin.PutProfessional(t.Context(), p))
		},
		func(t *testing.T, w *full) (string, bool, string) {
			p, err := w.admin.Professional(t.Context(), w.ids["profissionais/:uid"])
			must(t, err)
			return p.Name, p.Disabled, version.Of(p)
		}},
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestRoutes_Meanwhile: an entry that is disabled, or changed, at the very moment when its form is
// kept stays so, and one that is switched keeps what was changed at that moment.
func TestRoutes_Meanwhile(t *testing.T) {
	for name, r := range registers {
		t.Run(name, func(t *testing.T) {
			w := mustFill(t)
			meanwhile := func(name string, disabled bool) {
				w.trail.told = func() {
					w.trail.told = nil
					r.change(t, w, name, disabled)
				}
			}
			wants := func(what, name string, disabled bool) {
				t.Helper()
				if got, off, _ := r.kept(t, w); got != name || off != disabled {
					t.Errorf("%s: got %q, disabled %t, error %v", what, got, off, w.err)
				}
			}
			meanwhile("De outra pessoa", true)
			w.post(w.address(r.path), r.form)
			wants("disabled before it is kept", "Digitado", true)

			_, _, seen := r.kept(t, w)
			r.form.Set("versao", seen)
			meanwhile("De mais alguém", false)
			if got := w.post(w.address(r.path), r.form); got != http.StatusConflict {
				t.Errorf("changed before it is kept: got %d", got)
			}
			wants("changed before it is kept", "De mais alguém", false)

			meanwhile("De ainda outra pessoa", false)
			w.post(w.address(r.path+"/desativar"), nil)
			wants("changed before it is disabled", "De ainda outra pessoa", true)
		})
	}
}

// TestRoutes_Meanwhile_Points: care points that are added at the very moment when the unit's form
// is kept stay in use.
func TestRoutes_Meanwhile_Points(t *testing.T) {
	w := mustFill(t)
	w.trail.told = func() {
		w.trail.told = nil
		must(t, w.admin.PutUnit(t.Context(), service.Unit{ID: w.unit, Name: "Centro",
			Points: []service.CarePoint{{ID: uuid.New(), Name: "Coleta"}}}))
	}
	w.post(w.unitPath(), url.Values{"nome": {"Centro"}, "pontosAtendimento[0].nome": {"Recepção"}})
	u, err := w.admin.Unit(t.Context(), w.unit)
	if err != nil || len(u.Points) != 2 || u.Points[0].Disabled || u.Points[1].Disabled {
		t.Errorf("got %+v, error %v", u.Points, err)
	}
}
