package console_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"guiche/internal/service"
	"guiche/internal/service/api"
	"guiche/internal/store/engine"
	"guiche/internal/webui/console"
	"guiche/web/layout"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
)

// failingWeb is a web server that fails in one of the things the console needs of it.
type failingWeb struct {
	web
	frame, posted error
}

func (w failingWeb) Frame(c echo.Context, title string) (layout.Page, error) {
	if w.frame != nil {
		return layout.Page{}, w.frame
	}
	return w.web.Frame(c, title)
}

func (w failingWeb) Posted(c echo.Context) (url.Values, error) {
	if w.posted != nil {
		return nil, w.posted
	}
	return w.web.Posted(c)
}

// full is a world with one of everything that can be administered, by the names of
// routes.
type full struct {
	*world
	ids     map[string]uuid.UUID
	traffic api.Traffic

	trafficErr error
}

func mustFill(t *testing.T) *full {
	t.Helper()
	ctx, w := t.Context(), MustMakeWorld(t)
	credential := service.Credential{ID: uuid.Must(uuid.NewV7()), EligibilityID: uuid.Must(uuid.NewV7()), Name: "Plano", Operator: "simulada"}
	professional := service.Professional{ID: uuid.Must(uuid.NewV7()), Name: "Ana",
		Specialties: []service.Specialty{{ID: 1, Name: "Cardiologia"}}}
	err := errors.Join(w.admin.PutCredential(ctx, credential), w.admin.PutProfessional(ctx, professional))
	client, _, clientErr := w.admin.AddClient(ctx, w.partner.ID, "Cliente", 0)
	user, _, userErr := w.admin.AddUser(ctx, w.partner.ID, "sistema", "")
	_, keyErr := w.admin.MintKey(ctx, w.partner.ID, 0)
	keys, keysErr := w.admin.Keys(ctx, w.partner.ID)
	if err := errors.Join(err, clientErr, userErr, keyErr, keysErr); err != nil {
		t.Fatal(err)
	}
	return &full{world: w, ids: map[string]uuid.UUID{"parceiros/:uid": w.partner.ID, "credenciais/:uid": credential.ID,
		"unidades/:uid": w.unit, "profissionais/:uid": professional.ID, ":cliente": client.ID, ":usuario": user.ID, ":chave": keys[0].ID}}
}

// address fills the identifiers of a route in, "" where there is no such thing.
func (w *full) address(route string) string {
	for name, id := range w.ids {
		route = strings.ReplaceAll(route, name, name[:max(0, strings.Index(name, ":"))]+id.String())
	}
	if strings.Contains(route, ":") {
		return ""
	}
	return route
}

// serve lets the console answer through that web server.
func (w *full) serve(web console.Web) []console.Route {
	w.echo = echo.New()
	w.echo.HTTPErrorHandler = func(err error, c echo.Context) { w.err = err; _ = c.NoContent(http.StatusInternalServerError) }
	routes := console.Routes(console.Config{Admin: w.admin, Trail: w.trail,
		Traffic: func(context.Context) (api.Traffic, error) { return w.traffic, w.trafficErr }}, web)
	for _, r := range routes {
		w.echo.Add(r.Method, r.Path, r.Handler)
	}
	return routes
}

// ask sends a request and returns how it failed, nil when it did not.
func (w *full) ask(method, path string) error {
	form := url.Values{"cliente": {"Outro"}, "usuario": {"outro-sistema"}}
	req := httptest.NewRequestWithContext(w.t.Context(), method, path, strings.NewReader(form.Encode()))
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w.err = nil
	w.echo.ServeHTTP(httptest.NewRecorder(), req)
	return w.err
}

// TestRoutes_FrameFails: no page is shown without its frame, such as the alerts in it.
func TestRoutes_FrameFails(t *testing.T) {
	t.Parallel()
	w, errFrame := mustFill(t), errors.New("no frame")
	for _, r := range w.serve(failingWeb{frame: errFrame}) {
		address := w.address(r.Path)
		shows := r.Method == http.MethodGet || slices.ContainsFunc([]string{"/chaves", "/clientes", "/usuarios", "/senha"},
			func(end string) bool { return strings.HasSuffix(address, end) })
		if address == "" || !shows {
			continue
		}
		if err := w.ask(r.Method, address); !errors.Is(err, errFrame) {
			t.Errorf("%s %s: got %v, want %v", r.Method, r.Path, err, errFrame)
		}
	}
}

// TestRoutes_UnreadableForm: a form that cannot be read is no act and no list.
func TestRoutes_UnreadableForm(t *testing.T) {
	t.Parallel()
	w, errPosted := mustFill(t), errors.New("no form")
	for _, r := range w.serve(failingWeb{posted: errPosted}) {
		address := w.address(r.Path)
		reads := r.Method == http.MethodPost && !slices.ContainsFunc([]string{"/desativar", "/reativar", "/revogar", "/encerrar", "/senha"},
			func(end string) bool { return strings.HasSuffix(address, end) })
		if address == "" || !reads {
			continue
		}
		if err := w.ask(r.Method, address); !errors.Is(err, errPosted) || len(w.trail.entries) > 0 {
			t.Errorf("%s %s: got %v with %v told, want %v", r.Method, r.Path, err, w.trail.events(), errPosted)
		}
	}
}

// TestRoutes_StoreFails: what a page cannot read is an error, never an empty list.
func TestRoutes_StoreFails(t *testing.T) {
	t.Parallel()
	w := mustFill(t)
	w.serve(web{})
	for table, paths := range map[string]string{
		"profile":      "/servico /servico/parceiros /servico/parceiros/:uid /servico/registro",
		"credential":   "/servico /servico/credenciais /servico/credenciais/:uid",
		"unit":         "/servico /servico/unidades /servico/unidades/:uid",
		"professional": "/servico /servico/profissionais /servico/profissionais/:uid",
		"care_point":   "/servico/unidades /servico/unidades/:uid",
		"specialty":    "/servico/profissionais /servico/profissionais/:uid",
		"api_key":      "/servico/parceiros/:uid",
		"oauth_client": "/servico/parceiros/:uid",
		"service_user": "/servico/parceiros/:uid",
		"token_family": "/servico/parceiros/:uid /servico/parceiros/:uid/sessoes",
		"request":      "/servico/registro",
	} {
		rename := func(from, to string) {
			err := w.db.Write(t.Context(), func(tx *engine.Tx) error {
				_, err := tx.Exec(t.Context(), fmt.Sprintf(`ALTER TABLE %s RENAME TO %s`, from, to))
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		rename(table, table+"_hidden")
		for path := range strings.FieldsSeq(paths) {
			if err := w.ask(http.MethodGet, w.address(path)); err == nil {
				t.Errorf("%s without %s: got a page", path, table)
			}
		}
		rename(table+"_hidden", table)
	}
	for path := range strings.FieldsSeq("/servico /servico/parceiros /servico/parceiros/:uid /servico/registro") {
		if err := w.ask(http.MethodGet, w.address(path)); err != nil {
			t.Errorf("%s with every table: got %v", path, err)
		}
	}
}

// TestRoutes_TrailFails: an act that fails is an error even where the trail cannot say
// that it did.
func TestRoutes_TrailFails(t *testing.T) {
	t.Parallel()
	w, told, errTrail := mustFill(t), 0, errors.New("no room")
	w.serve(web{})
	w.trail.told = func() {
		if told++; told == 2 {
			w.trail.err = errTrail
		}
		_ = w.db.Close()
	}
	for _, act := range []string{"/desativar", "/chaves", "/chaves/:chave/revogar", "/clientes/:cliente/revogar", "/usuarios/:usuario/senha"} {
		if err := w.ask(http.MethodPost, w.address("/servico/parceiros/:uid"+act)); err == nil {
			t.Errorf("%s: got no error", act)
		} else if act == "/desativar" && (!errors.Is(err, errTrail) || told != 2) {
			t.Errorf("%s: got %v after %d entries, want the trail's too", act, err, told)
		}
	}
}

// TestRoutes_TrafficFails: counts that cannot be read are not none.
func TestRoutes_TrafficFails(t *testing.T) {
	t.Parallel()
	w := mustFill(t)
	w.trafficErr = errors.New("out of reach")
	w.serve(web{})
	for _, path := range []string{"/servico", "/servico/trafego"} {
		if err := w.ask(http.MethodGet, path); !errors.Is(err, w.trafficErr) {
			t.Errorf("%s: got %v", path, err)
		}
	}
}

// TestRoutes_Words: what is missing is said in the place where it would stand.
func TestRoutes_Words(t *testing.T) {
	t.Parallel()
	w := mustFill(t)
	w.serve(web{})
	if err := w.admin.PutProfessional(t.Context(), service.Professional{ID: uuid.Must(uuid.NewV7()), Name: "Bia"}); err != nil {
		t.Fatal(err)
	}
	disabled := service.Credential{ID: uuid.Must(uuid.NewV7()), EligibilityID: uuid.Must(uuid.NewV7()), Name: "Fora", Disabled: true}
	if err := w.admin.PutCredential(t.Context(), disabled); err != nil {
		t.Fatal(err)
	}
	w.traffic = api.Traffic{Routes: []api.RouteTraffic{{Route: "/api/v2/credenciais", Total: 3,
		Statuses: []api.StatusTraffic{{Status: 0, Count: 1}, {Status: 200, Count: 2}}}}}
	for _, tt := range []struct{ path, want string }{
		{"/servico/credenciais", "simulada (não conectado)"},
		{"/servico/profissionais", "nenhuma: ainda não serve para pedidos"},
		{"/servico/unidades", "nenhum: ainda não serve para pedidos"},
		{"/servico/trafego", "cortado 1 vez"},
		{"/servico", "2 credenciais"},
		{"/servico", "3 pedidos"},
	} {
		rec := httptest.NewRecorder()
		w.echo.ServeHTTP(rec, httptest.NewRequestWithContext(t.Context(), http.MethodGet, tt.path, nil))
		doc, err := goquery.NewDocumentFromReader(rec.Body)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(strings.Fields(doc.Text()), " "); !strings.Contains(got, tt.want) {
			t.Errorf("%s says %q, want %q", tt.path, got, tt.want)
		}
	}
}
