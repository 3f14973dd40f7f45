// Package console is the administration of the embedded service in the browser:
// partner profiles with their keys, OAuth clients, users and sessions, credentials,
// units and professionals, the ledger and live traffic.
//
// Every act commits its intent to the audit trail before the service's own
// database changes; where the change then fails, the trail says that too.
package console

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"

	"guiche/internal/audit"
	"guiche/internal/permission"
	"guiche/internal/problem"
	"guiche/internal/service/admin"
	"guiche/internal/service/api"
	"guiche/web/component"
	"guiche/web/layout"

	"github.com/a-h/templ"
	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
)

// Trail takes what was done.
type Trail interface {
	Record(ctx context.Context, e audit.Entry) error
	// RecordLook is Record for what was only read.
	RecordLook(ctx context.Context, e audit.Entry) error
}

// Installation is what the console is for.
type Installation int

// The installations.
const (
	Standalone   Installation = iota // the embedded service alone, with units and professionals of its own
	WithDesk                         // the embedded service, which follows the directory of a desk
	OtherService                     // a desk with another service, which has its own console
)

// Config is what the console is about.
type Config struct {
	Installation Installation
	Admin        Administration                             // of the embedded service, not of OtherService
	Traffic      func(context.Context) (api.Traffic, error) // what the embedded service was asked, not of OtherService
	Trail        Trail
	// DeskService returns the host of the service that the desk sends to, "" when that
	// is the embedded one. Not called where there is no desk.
	DeskService func(context.Context) (string, error)
	// DirectoryPath is where the desk's directory is administered, WithDesk.
	DirectoryPath string
	Desk          DeskDirectory // WithDesk
}

// DeskDirectory tells what the desk's directory keeps, active or not. Units and professionals
// that are not in it were registered here, before there was a desk.
type DeskDirectory interface {
	UnitIDs(ctx context.Context) (map[uuid.UUID]bool, error)
	ProfessionalIDs(ctx context.Context) (map[uuid.UUID]bool, error)
}

// Administration is the service's administration, for whoever may use it.
type Administration interface {
	For(by permission.Actor) (*admin.Admin, error)
}

// followsDesk reports whether units and professionals come from a desk.
func (c Config) followsDesk() bool { return c.Installation == WithDesk }

// Web is what the console needs of the web server that it is part of: sessions, layout
// and the installation's time zone.
type Web interface {
	Frame(c echo.Context, title string) (layout.Page, error)
	Render(c echo.Context, status int, view templ.Component) error
	Actor(c echo.Context) permission.Actor
	// Posted reads a form.
	Posted(c echo.Context) (url.Values, error)
	// Afterwards sends the browser on to a page that says what was done.
	Afterwards(c echo.Context, words, path string) error
	// Now is the time in the desk's zone.
	Now() time.Time
	// When returns a time as pages show it.
	When(t time.Time) string
}

// Route is one address of the console.
type Route struct {
	Method  string
	Path    string
	Handler echo.HandlerFunc
}

// Addresses of the console.
const (
	homePath          = "/servico"
	partnersPath      = "/servico/parceiros"
	credentialsPath   = "/servico/credenciais"
	unitsPath         = "/servico/unidades"
	professionalsPath = "/servico/profissionais"
	ledgerPath        = "/servico/registro"
	trafficPath       = "/servico/trafego"
	descriptionPath   = "/servico/descricao"
)

// console serves one request, or stands for all while there is none.
type console struct {
	Config
	web   Web
	admin *admin.Admin // as the user of this request may use it
}

// handler serves one request with a console that acts as the person who asks.
type handler func(k *console, c echo.Context) error

// serve is a handler with the administration for the user who asks.
func (k *console) serve(h handler) echo.HandlerFunc {
	return func(c echo.Context) error {
		own := *k
		var err error
		if own.admin, err = k.Admin.For(k.web.Actor(c)); err != nil {
			return err
		}
		return h(&own, c)
	}
}

// Routes is the whole surface of the console, for administração.
func Routes(config Config, web Web) []Route {
	const get, post = http.MethodGet, http.MethodPost
	k := &console{Config: config, web: web}
	routes := []Route{
		{get, partnersPath, k.serve((*console).partners)},
		{get, partnersPath + "/novo", k.serve((*console).newPartner)},
		{post, partnersPath + "/novo", k.serve((*console).addPartner)},
		{get, partnersPath + "/:uid", k.serve((*console).partner)},
		{post, partnersPath + "/:uid", k.serve((*console).changePartner)},
		{post, partnersPath + "/:uid/chaves", k.serve((*console).mintKey)},
		{post, partnersPath + "/:uid/chaves/:chave/revogar", k.serve((*console).revokeKey)},
		{post, partnersPath + "/:uid/clientes", k.serve((*console).addClient)},
		{post, partnersPath + "/:uid/clientes/:cliente/revogar", k.serve((*console).revokeClient)},
		{post, partnersPath + "/:uid/usuarios", k.serve((*console).addUser)},
		{post, partnersPath + "/:uid/usuarios/:usuario/senha", k.serve((*console).renewPassword)},
		{get, partnersPath + "/:uid/sessoes", k.serve((*console).sessions)},
		{post, partnersPath + "/:uid/sessoes", k.serve((*console).sessions)},
		{post, partnersPath + "/:uid/sessoes/encerrar", k.serve((*console).endSessions)},
		{post, partnersPath + "/:uid/sessoes/:sessao/encerrar", k.serve((*console).endSession)},
		{get, credentialsPath, k.serve((*console).credentials)},
		{post, credentialsPath, k.serve((*console).credentials)},
		{get, credentialsPath + "/nova", k.serve((*console).newCredential)},
		{post, credentialsPath + "/nova", k.serve((*console).addCredential)},
		{get, credentialsPath + "/:uid", k.serve((*console).credential)},
		{post, credentialsPath + "/:uid", k.serve((*console).changeCredential)},
		{get, ledgerPath, k.serve((*console).ledger)},
		{post, ledgerPath, k.serve((*console).ledger)},
		{get, ledgerPath + "/:uid", k.serve((*console).ledgerEntry)},
		{get, trafficPath, k.serve((*console).traffic)},
		{get, descriptionPath, k.serve((*console).description)},
		{post, descriptionPath, k.serve((*console).description)},
	}
	routes = slices.Concat(routes, k.partnerSwitches(partnersPath+"/:uid"), k.userSwitches(partnersPath+"/:uid/usuarios/:usuario"),
		k.credentialSwitches(credentialsPath+"/:uid"), unitRegister.routes(k), professionalRegister.routes(k))
	if config.Installation == OtherService {
		for i := range routes {
			routes[i].Handler = elsewhere
		}
	}
	home := k.serve((*console).home)
	if config.Installation == OtherService {
		home = k.home
	}
	return append(routes, Route{get, homePath, home})
}

// elsewhere answers for what another service administers in its own console.
func elsewhere(echo.Context) error {
	return problem.New(problem.NotFound,
		"Este Guichê usa outro serviço de autorização; parceiros, credenciais e registro ficam no console dele.")
}

// act commits the intent, then acts. What did not come about is told as well.
func (k *console) act(c echo.Context, intent audit.Entry, do func(context.Context) error) error {
	ctx := c.Request().Context()
	intent.Actor = k.web.Actor(c).User
	if err := k.Trail.Record(ctx, intent); err != nil {
		return fmt.Errorf("console: note the intent: %w", err)
	}
	err := do(ctx)
	if err == nil {
		return nil
	}
	failed := intent
	failed.Event, failed.Detail = audit.ServiceActionFailed, string(intent.Event)
	if trailErr := k.Trail.Record(context.WithoutCancel(ctx), failed); trailErr != nil {
		return fmt.Errorf("console: %w; and the trail does not say so: %w", err, trailErr)
	}
	return err
}

// param reads an identifier of the address.
func param(c echo.Context, name string) (uuid.UUID, error) {
	uid, err := uuid.Parse(c.Param(name))
	if err != nil || len(c.Param(name)) != 36 {
		return uuid.Nil, problem.New(problem.NotFound, "")
	}
	return uid, nil
}

// problems shapes field problems for a page.
func problems(fields []problem.Field) []component.Problem {
	var all []component.Problem
	for _, f := range fields {
		all = append(all, component.Problem{Name: f.Path, Message: f.Message})
	}
	return all
}

// count says how many: "1 parceiro", "3 parceiros".
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// The states of what is in use and what is not; the ordinary one has no colour.
var (
	inUse  = component.Situation{Label: "em uso"}
	turned = component.Situation{Tone: component.ToneNeutral, Icon: "dash-lg", Label: "Desativado"}
)

// stateOf is how a list shows whether an entry is in use.
func stateOf(disabled bool) component.Situation {
	if disabled {
		return turned
	}
	return inUse
}
