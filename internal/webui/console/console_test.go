package console_test

import (
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
	"guiche/internal/blob/files"
	"guiche/internal/service"
	"guiche/internal/sqlite"
	"guiche/internal/sqlite/servicestore"
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

func (t *trail) events() []audit.Event {
	var all []audit.Event
	for _, e := range t.entries {
		all = append(all, e.Event)
	}
	return all
}

var administrator = uuid.MustParse("01970000-0000-7000-8000-0000000000aa")

// door is a browser's door without sessions.
type door struct{}

func (door) Frame(_ echo.Context, title string) (layout.Page, error) {
	return layout.Page{Title: title}, nil
}
func (door) Render(c echo.Context, status int, view templ.Component) error {
	c.Response().WriteHeader(status)
	return view.Render(c.Request().Context(), c.Response())
}
func (door) Actor(echo.Context) uuid.UUID { return administrator }
func (door) Posted(c echo.Context) (url.Values, error) {
	err := c.Request().ParseForm()
	return c.Request().PostForm, err
}
func (door) Afterwards(c echo.Context, _, path string) error {
	return c.Redirect(http.StatusSeeOther, path)
}
func (door) Now() time.Time          { return time.Date(2026, 11, 20, 14, 0, 0, 0, time.UTC) }
func (door) When(t time.Time) string { return t.Format(time.DateTime) }

// world is a console over a real service.
type world struct {
	t       *testing.T
	db      *sqlite.DB
	admin   *service.Admin
	trail   *trail
	echo    *echo.Echo
	err     error // of the last request
	partner service.Profile
}

func MustMakeWorld(t *testing.T) *world {
	t.Helper()
	folder := t.TempDir()
	db, err := sqlite.Open(t.Context(), sqlite.Options{Path: filepath.Join(folder, "service.db"), Migrations: migrations.Service})
	if err != nil {
		t.Fatal(err)
	}
	blobs, err := files.Open(files.Options{Dir: folder})
	if err != nil {
		t.Fatal(err)
	}
	s := service.New(service.Config{Store: servicestore.New(db), Blobs: blobs})
	t.Cleanup(func() { _ = errors.Join(s.Close(context.Background()), blobs.Close(), db.Close()) })
	w := &world{t: t, db: db, admin: s.Admin(), trail: &trail{}, echo: echo.New(),
		partner: service.Profile{ID: uuid.MustParse("01970000-0000-7000-8000-0000000000bb"), Name: "Parceiro", Methods: service.Methods(), Scopes: service.Scopes()}}
	if err := w.admin.PutProfile(t.Context(), w.partner); err != nil {
		t.Fatal(err)
	}
	w.echo.HTTPErrorHandler = func(err error, c echo.Context) { w.err = err; _ = c.NoContent(http.StatusInternalServerError) }
	for _, r := range console.Routes(console.Config{Admin: w.admin, Trail: w.trail}, door{}) {
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

func TestRoutes_IntentFirst(t *testing.T) {
	w := MustMakeWorld(t)
	before := -1
	w.trail.told = func() { before = w.keys() }
	if got := w.post(w.path("/chaves"), nil); got != http.StatusOK || before != 0 || w.keys() != 1 {
		t.Errorf("got %d; %d keys when the trail was told, %d afterwards, want 0 and 1", got, before, w.keys())
	}
	want := audit.Entry{Actor: administrator, Event: audit.ServiceKeyMinted, Object: audit.ObjectPartner, ObjectID: w.partner.ID}
	if len(w.trail.entries) != 1 || w.trail.entries[0] != want {
		t.Errorf("got %+v, want %+v", w.trail.entries, want)
	}
}

// What the trail does not take is not done.
func TestRoutes_NoTrailNoAct(t *testing.T) {
	w := MustMakeWorld(t)
	w.trail.err = errors.New("no room")
	for _, path := range []string{w.path("/chaves"), w.path("/clientes"), w.path("/usuarios"), w.path("/desativar"), w.path(""), "/servico/parceiros/novo"} {
		form := url.Values{"cliente": {"x"}, "usuario": {"sistema"}, "nome": {"Outro"}, "metodos": {"chave"}, "escopos": {"cadastros:ler"}}
		if got := w.post(path, form); got != http.StatusInternalServerError || !errors.Is(w.err, w.trail.err) {
			t.Errorf("%s: got %d, %v", path, got, w.err)
		}
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
	if want := []audit.Event{audit.PartnerDisabled, audit.ServiceActFailed}; !slices.Equal(w.trail.events(), want) || w.trail.entries[1].Detail != string(audit.PartnerDisabled) {
		t.Errorf("got %+v, want %v", w.trail.entries, want)
	}
}

// What is wrong with a form is no act.
func TestRoutes_ProblemIsNoAct(t *testing.T) {
	w := MustMakeWorld(t)
	for path, form := range map[string]url.Values{
		"/servico/parceiros/novo": {}, w.path(""): {}, w.path("/clientes"): {}, w.path("/usuarios"): {"usuario": {"x"}},
		w.path("/chaves"): {"validade-chave": {"7"}}, "/servico/credenciais/nova": {},
	} {
		if got := w.post(path, form); got != http.StatusUnprocessableEntity || len(w.trail.entries) != 0 {
			t.Errorf("%s: got %d with %v told", path, got, w.trail.events())
		}
	}
}
