package console_test

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"guiche/internal/audit"
	"guiche/internal/permission"
	"guiche/internal/problem"
	"guiche/internal/service"
	"guiche/internal/service/access"
	"guiche/internal/service/admin"
	"guiche/internal/sqlite"
	"guiche/internal/store/accessstore"
	"guiche/internal/store/servicestore"
	"guiche/internal/webui/console"
	"guiche/migrations"
	"guiche/web/layout"

	"github.com/a-h/templ"
	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
)

// trail notes what it is told, or refuses it.
type trail struct {
	entries []audit.Entry
	err     error
	told    func() // called when an entry comes
}

func (t *trail) Record(_ context.Context, e audit.Entry) error {
	if t.told != nil {
		t.told()
	}
	if t.err == nil {
		t.entries = append(t.entries, e)
	}
	return t.err
}

func (t *trail) RecordLook(ctx context.Context, e audit.Entry) error { return t.Record(ctx, e) }

func (t *trail) events() []audit.Event {
	var all []audit.Event
	for _, e := range t.entries {
		all = append(all, e.Event)
	}
	return all
}

var administrator = uuid.MustParse("01970000-0000-7000-8000-0000000000aa")

// web is a web server in which somebody with a role is logged in.
type web struct{ role permission.Role }

func (web) Frame(_ echo.Context, title string) (layout.Page, error) {
	return layout.Page{Title: title}, nil
}
func (web) Render(c echo.Context, status int, view templ.Component) error {
	c.Response().WriteHeader(status)
	return view.Render(c.Request().Context(), c.Response())
}
func (w web) Actor(echo.Context) permission.Actor {
	return permission.Actor{User: administrator, Roles: []permission.Role{cmp.Or(w.role, permission.Administration)}}
}
func (web) Posted(c echo.Context) (url.Values, error) {
	err := c.Request().ParseForm()
	return c.Request().PostForm, err
}
func (web) Afterwards(c echo.Context, _, path string) error {
	return c.Redirect(http.StatusSeeOther, path)
}
func (web) Now() time.Time          { return time.Date(2026, 11, 20, 14, 0, 0, 0, time.UTC) }
func (web) When(t time.Time) string { return t.Format(time.DateTime) }

// world is a console over a real service.
type world struct {
	t       *testing.T
	db      *sqlite.DB
	admin   *admin.Admin
	trail   *trail
	echo    *echo.Echo
	err     error // of the last request
	partner access.Profile
	unit    uuid.UUID
}

func MustMakeWorld(t *testing.T) *world {
	t.Helper()
	folder := t.TempDir()
	db, err := sqlite.Open(t.Context(), sqlite.Options{Path: filepath.Join(folder, "service.db"), Migrations: migrations.Service})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	ledger := servicestore.New(db)
	adm := admin.New(admin.Config{Directory: ledger, Ledger: ledger, Access: accessstore.New(db)})
	w := &world{t: t, db: db, admin: adm, trail: &trail{}, echo: echo.New(), unit: uuid.MustParse("01970000-0000-7000-8000-0000000000cc"),
		partner: access.Profile{ID: uuid.MustParse("01970000-0000-7000-8000-0000000000bb"), Name: "Parceiro",
			Methods: access.Methods(), Scopes: access.Scopes()}}
	if err := w.admin.PutProfile(t.Context(), w.partner); err != nil {
		t.Fatal(err)
	}
	if err := w.admin.PutUnit(t.Context(), service.Unit{ID: w.unit, Name: "Centro"}); err != nil {
		t.Fatal(err)
	}
	w.echo.HTTPErrorHandler = func(err error, c echo.Context) { w.err = err; _ = c.NoContent(http.StatusInternalServerError) }
	for _, r := range console.Routes(console.Config{Admin: w.admin, Trail: w.trail}, web{}) {
		w.echo.Add(r.Method, r.Path, r.Handler)
	}
	return w
}

func (w *world) post(path string, form url.Values) int {
	w.t.Helper()
	req := httptest.NewRequestWithContext(w.t.Context(), http.MethodPost, path, strings.NewReader(form.Encode()))
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	rec := httptest.NewRecorder()
	w.err = nil
	w.echo.ServeHTTP(rec, req)
	return rec.Code
}

func (w *world) keys() int {
	w.t.Helper()
	keys, err := w.admin.Keys(w.t.Context(), w.partner.ID)
	if err != nil {
		w.t.Fatal(err)
	}
	return len(keys)
}

func (w *world) path(rest string) string { return "/servico/parceiros/" + w.partner.ID.String() + rest }

const (
	unitsPath         = "/servico/unidades"
	professionalsPath = "/servico/profissionais"
)

func (w *world) unitPath() string { return unitsPath + "/" + w.unit.String() }

func TestRoutes_IntentFirst(t *testing.T) {
	w := MustMakeWorld(t)
	before := -1
	w.trail.told = func() { before = w.keys() }
	if got := w.post(w.path("/chaves"), nil); got != http.StatusOK || before != 0 || w.keys() != 1 {
		t.Errorf("got %d; %d keys when the trail was told, %d afterwards, want 0 and 1", got, before, w.keys())
	}
	want := audit.Entry{Actor: administrator, Event: audit.ServiceKeyCreated, Object: audit.ObjectPartner, ObjectID: w.partner.ID}
	if len(w.trail.entries) != 1 || w.trail.entries[0] != want {
		t.Errorf("got %+v, want %+v", w.trail.entries, want)
	}
}

// What the trail does not take is not done.
func TestRoutes_NoTrailNoAct(t *testing.T) {
	w := MustMakeWorld(t)
	w.trail.err = errors.New("no room")
	for _, path := range []string{w.path("/chaves"), w.path("/clientes"), w.path("/usuarios"), w.path("/desativar"), w.path(""),
		"/servico/parceiros/novo",
		unitsPath + "/nova", w.unitPath(), w.unitPath() + "/desativar", professionalsPath + "/novo", w.path("/sessoes/encerrar")} {
		form := url.Values{"cliente": {"x"}, "usuario": {"sistema"}, "nome": {"Outro"}, "metodos": {"chave"}, "escopos": {"cadastros:ler"},
			"especialidades[0].id": {"1"}, "especialidades[0].nome": {"Cardiologia"}}
		if got := w.post(path, form); got != http.StatusInternalServerError || !errors.Is(w.err, w.trail.err) {
			t.Errorf("%s: got %d, %v", path, got, w.err)
		}
	}
	units, unitsErr := w.admin.Units(t.Context(), service.DirectoryQuery{Disabled: true})
	professionals, professionalsErr := w.admin.Professionals(t.Context(), service.DirectoryQuery{Disabled: true})
	if err := errors.Join(unitsErr, professionalsErr); err != nil || units.Total != 1 || units.Items[0].Name != "Centro" ||
		units.Items[0].Disabled || professionals.Total != 0 {
		t.Errorf("got units %+v, %d professionals, error %v", units.Items, professionals.Total, err)
	}
	profiles, err := w.admin.Profiles(t.Context())
	if err != nil || len(profiles) != 1 || profiles[0].Name != "Parceiro" || profiles[0].Disabled || w.keys() != 0 {
		t.Errorf("got %+v, %d keys, error %v", profiles, w.keys(), err)
	}
}

// What did not come about is told after its intent.
func TestRoutes_FailedAct(t *testing.T) {
	w := MustMakeWorld(t)
	first := true
	w.trail.told = func() {
		if first {
			_ = w.db.Close()
		}
		first = false
	}
	if got := w.post(w.path("/desativar"), nil); got != http.StatusInternalServerError || w.err == nil {
		t.Errorf("got %d, %v", got, w.err)
	}
	if want := []audit.Event{audit.PartnerDisabled, audit.ServiceActionFailed}; !slices.Equal(w.trail.events(), want) ||
		w.trail.entries[1].Detail != string(audit.PartnerDisabled) {
		t.Errorf("got %+v, want %v", w.trail.entries, want)
	}
}

// What is wrong with a form is no act.
func TestRoutes_ProblemIsNoAct(t *testing.T) {
	w := MustMakeWorld(t)
	for path, form := range map[string]url.Values{
		"/servico/parceiros/novo": {}, w.path(""): {}, w.path("/clientes"): {}, w.path("/usuarios"): {"usuario": {"x"}},
		w.path("/chaves"): {"validade-chave": {"7"}}, "/servico/credenciais/nova": {}, unitsPath + "/nova": {}, w.unitPath(): {},
		professionalsPath + "/novo": {"nome": {"Ana"}},
	} {
		if got := w.post(path, form); got != http.StatusUnprocessableEntity || len(w.trail.entries) != 0 {
			t.Errorf("%s: got %d with %v told", path, got, w.trail.events())
		}
	}
}

// TestRoutes_Told: each act on units, professionals and sessions is told by its own
// name, about the thing itself.
func TestRoutes_Told(t *testing.T) {
	w := MustMakeWorld(t)
	professional := service.Professional{ID: uuid.MustParse("01970000-0000-7000-8000-0000000000dd"), Name: "Ana"}
	if err := w.admin.PutProfessional(t.Context(), professional); err != nil {
		t.Fatal(err)
	}
	of := professionalsPath + "/" + professional.ID.String()
	specialty := url.Values{"nome": {"Ana Luz"}, "especialidades[0].id": {"1"}, "especialidades[0].nome": {"Cardiologia"}}
	for _, c := range []struct {
		path string
		form url.Values
		want audit.Entry
	}{
		{w.unitPath(), url.Values{"nome": {"Centro Novo"}}, audit.Entry{Event: audit.ServiceUnitChanged,
			Object: audit.ObjectServiceUnit, ObjectID: w.unit}},
		{w.unitPath() + "/desativar", nil, audit.Entry{Event: audit.ServiceUnitDisabled, Object: audit.ObjectServiceUnit, ObjectID: w.unit}},
		{w.unitPath() + "/reativar", nil, audit.Entry{Event: audit.ServiceUnitEnabled, Object: audit.ObjectServiceUnit, ObjectID: w.unit}},
		{of, specialty, audit.Entry{Event: audit.ServiceProfessionalChanged, Object: audit.ObjectServiceProfessional,
			ObjectID: professional.ID}},
		{of + "/desativar", nil, audit.Entry{Event: audit.ServiceProfessionalDisabled, Object: audit.ObjectServiceProfessional,
			ObjectID: professional.ID}},
		{of + "/reativar", nil, audit.Entry{Event: audit.ServiceProfessionalEnabled, Object: audit.ObjectServiceProfessional,
			ObjectID: professional.ID}},
		{w.path("/sessoes/encerrar"), nil, audit.Entry{Event: audit.ServiceSessionsEnded, Object: audit.ObjectPartner, ObjectID: w.partner.ID}},
	} {
		w.trail.entries = nil
		c.want.Actor = administrator
		if got := w.post(c.path, c.form); got != http.StatusSeeOther || len(w.trail.entries) != 1 || w.trail.entries[0] != c.want {
			t.Errorf("%s: got %d, %+v (error %v), want %+v", c.path, got, w.trail.entries, w.err, c.want)
		}
	}
	w.trail.entries = nil
	for path, form := range map[string]url.Values{unitsPath + "/nova": {"nome": {"Outra"}}, professionalsPath + "/novo": specialty} {
		if got := w.post(path, form); got != http.StatusSeeOther {
			t.Errorf("%s: got %d, %v", path, got, w.err)
		}
	}
	events := w.trail.events()
	slices.Sort(events)
	if want := []audit.Event{audit.ServiceProfessionalAdded, audit.ServiceUnitAdded}; !slices.Equal(events, want) {
		t.Errorf("got %v, want %v", events, want)
	}
}

// deskOf is a desk with these units.
type deskOf map[uuid.UUID]bool

func (d deskOf) UnitIDs(context.Context) (map[uuid.UUID]bool, error)       { return d, nil }
func (deskOf) ProfessionalIDs(context.Context) (map[uuid.UUID]bool, error) { return nil, nil }

// TestRoutes_Followed: what follows the desk's registers is not changed here.
func TestRoutes_Followed(t *testing.T) {
	w := MustMakeWorld(t)
	w.echo = echo.New()
	w.echo.HTTPErrorHandler = func(err error, c echo.Context) { w.err = err; _ = c.NoContent(http.StatusInternalServerError) }
	for _, r := range console.Routes(console.Config{Installation: console.WithDesk, Admin: w.admin, Trail: w.trail,
		DirectoryPath: "/cadastros", Desk: deskOf{w.unit: true}}, web{}) {
		w.echo.Add(r.Method, r.Path, r.Handler)
	}
	for _, path := range []string{unitsPath + "/nova", w.unitPath(), w.unitPath() + "/desativar", w.unitPath() + "/reativar",
		professionalsPath + "/novo"} {
		if w.post(path, url.Values{"nome": {"Outro"}}); !problem.Is(w.err, problem.Conflict) || len(w.trail.entries) != 0 {
			t.Errorf("%s: got %v with %v told, want %s", path, w.err, w.trail.events(), problem.Conflict)
		}
	}
	if u, err := w.admin.Unit(t.Context(), w.unit); err != nil || u.Name != "Centro" || u.Disabled {
		t.Errorf("got %+v, %v", u, err)
	}
}

// TestRoutes_Forbidden: the administration itself refuses whoever may not manage the
// service, on every route.
func TestRoutes_Forbidden(t *testing.T) {
	w := MustMakeWorld(t)
	for _, role := range []permission.Role{permission.Reception, permission.Supervision} {
		for _, installation := range []console.Installation{console.Standalone, console.WithDesk} {
			config := console.Config{Installation: installation, Admin: w.admin, Trail: w.trail, DirectoryPath: "/cadastros"}
			for _, r := range console.Routes(config, web{role}) {
				c := echo.New().NewContext(httptest.NewRequestWithContext(t.Context(), r.Method, "/", nil), httptest.NewRecorder())
				if err := r.Handler(c); !problem.Is(err, problem.Forbidden) {
					t.Errorf("%s: %s %s: got %v, want %s", role, r.Method, r.Path, err, problem.Forbidden)
				}
			}
		}
	}
	if len(w.trail.entries) > 0 {
		t.Errorf("got %v in the trail", w.trail.events())
	}
}
