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

// standalone is the product without a desk: the console, people and the audit trail
// are all that it has.
type standalone struct{}

var _ product = standalone{}

// productRoutes adds none: console, people and audit are served by every installation.
func (standalone) productRoutes() []route { return nil }

// readOn does nothing: no page of the console shows cases.
func (standalone) readOn(echo.Context) (end func()) { return func() {} }

// landing is the console for administrators. Other roles have no page of their own here
// and stay at "/", which says so.
func (standalone) landing(user account.User) string {
	if user.May(permission.ManagePeople) {
		return "/servico"
	}
	return "/"
}

// completeFrame marks the page as standalone, which leaves out what belongs to a desk.
func (standalone) completeFrame(_ context.Context, p *layout.Page, _ *account.User) error {
	p.Standalone = true
	return nil
}

// shortageText speaks of requests of partners and of what the console changes.
func (standalone) shortageText() string {
	return "Nada novo pode ser guardado por enquanto: nem pedidos de parceiros, nem mudanças aqui. " +
		"Consultar funciona, e o que já foi recebido segue normalmente."
}

// notFoundPage leaves out that a request may belong to another unit.
func (standalone) notFoundPage(view page.FailureView) page.FailureView {
	view.Text = "O endereço pode estar errado."
	return view
}

// askToLogIn redirects to the login page.
func (standalone) askToLogIn(c echo.Context) error { return redirect(c, entryFor(returnPath(c))) }

// afterLogin redirects to the page that was asked for, or else to the landing page.
func (s standalone) afterLogin(c echo.Context, user account.User, view page.LoginView) error {
	return redirect(c, returnAfterLogin(view, s.landing(user)))
}

// roleOffers offers the only useful role, and those that the person has already.
func (standalone) roleOffers(kept account.User) []roleOffer {
	var offers []roleOffer
	for _, role := range permission.Roles() {
		switch {
		case role == permission.Administration:
			offers = append(offers, roleOffer{role, "Console do serviço, pessoas e auditoria."})
		case kept.Has(role):
			offers = append(offers, roleOffer{role, "Vale só onde há balcão."})
		}
	}
	return offers
}

// sendsFiles admits nobody: there are no requests to send files to.
func (standalone) sendsFiles(echo.Context) (bool, error) { return false, nil }

// newRoles ticks administration, the only role with something to do here.
func (standalone) newRoles() []permission.Role { return []permission.Role{permission.Administration} }

// workUnits are none: there is no desk where people would work.
func (standalone) workUnits(context.Context) ([]directory.Unit, error) { return nil, nil }

// unitFields adds no units and marks the form, which then leaves the whole section out.
func (standalone) unitFields(_ context.Context, view *page.PersonFields, _ typedPerson, _ []uuid.UUID) error {
	view.Standalone = true
	return nil
}

// checkUnits leaves a person's units as they are.
func (standalone) checkUnits(_ context.Context, typed *typedPerson, kept []uuid.UUID) error {
	typed.units = kept
	return nil
}
