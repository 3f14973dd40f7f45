package webui

import (
	"context"

	"guiche/internal/account"
	"guiche/internal/directory"
	"guiche/internal/permission"
	"guiche/web/layout"
	"guiche/web/page"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
)

// Installation is what this program is here: Guichê with a desk, or the authorization
// service alone. The wiring says which. Routes, navigation and whatever else depends on
// it are methods of product.
type Installation struct{ product func(*server) product }

// WithDesk is Guichê with a desk.
func WithDesk(d DeskConfig) Installation {
	return Installation{func(s *server) product { return &deskHandlers{server: s, DeskConfig: d} }}
}

// Standalone is the authorization service without a desk.
func Standalone() Installation {
	return Installation{func(*server) product { return standalone{} }}
}

// product is what differs between the installations.
type product interface {
	// productRoutes are the addresses beside those that every installation has.
	productRoutes() []route
	// readOn has a page read together with its session, up to what around reads or until end.
	readOn(c echo.Context) (end func())
	// landing is where a person starts.
	landing(account.User) string
	// completeFrame adds what the frame around every page shows here; user is nil
	// outside a session, and so is p.Person.
	completeFrame(ctx context.Context, p *layout.Page, user *account.User) error
	// shortageText is what everybody is told while nothing new can be stored.
	shortageText() string
	// notFoundPage is the page for an address that does not exist.
	notFoundPage(page.FailureView) page.FailureView
	// askToLogIn sends to the login page, and back here afterwards.
	askToLogIn(c echo.Context) error
	// sendsFiles reports whether somebody who is not logged in may bring files.
	sendsFiles(c echo.Context) (bool, error)
	// afterLogin leads to the page that was asked for before the login.
	afterLogin(c echo.Context, user account.User, view page.LoginView) error

	// roleOffers are the roles that are offered for a person who has some already.
	roleOffers(kept account.User) []roleOffer
	// newRoles are ticked for a new person.
	newRoles() []permission.Role
	// workUnits are the units that people work in.
	workUnits(ctx context.Context) ([]directory.Unit, error)
	// unitFields adds the units that a person's page offers.
	unitFields(ctx context.Context, view *page.PersonFields, typed typedPerson, kept []uuid.UUID) error
	// checkUnits checks the units that were typed for a person who has those already.
	checkUnits(ctx context.Context, typed *typedPerson, kept []uuid.UUID) error
}

// roleOffer is a role that a person's page offers, with what it is for.
type roleOffer struct {
	role   permission.Role
	detail string
}

// Route is one row of the table of routes, for tests of who may do what.
type Route struct {
	Method  string
	Pattern string // "/casos/:uid"
	Access  string // "open", "person" (logged in), or the permission it asks for
	Confirm bool   // asks for the password again when it was given a while ago
}

// Routes lists all addresses of the installation, with the console of an embedded
// service, for administrators.
func (i Installation) Routes() []Route {
	s := &server{}
	s.product = i.product(s)
	table := s.routes()
	routes := make([]Route, len(table))
	for i, r := range table {
		routes[i] = Route{Method: r.method, Pattern: r.path, Access: string(r.access), Confirm: r.isSensitive()}
	}
	return routes
}
