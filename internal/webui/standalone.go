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

func (standalone) productRoutes() []route { return nil }

func (standalone) landing(user account.User) string {
	if user.May(permission.ManagePeople) {
		return "/servico"
	}
	return "/"
}

func (standalone) completeFrame(_ context.Context, p *layout.Page, _ *account.User) error {
	p.Standalone = true
	return nil
}

// notFoundPage leaves out that a request may belong to another unit.
func (standalone) notFoundPage(view page.FailureView) page.FailureView {
	view.Text = "O endereço pode estar errado."
	return view
}

func (standalone) askToLogIn(c echo.Context) error { return redirect(c, entryFor(returnPath(c))) }

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

func (standalone) newRoles() []permission.Role { return []permission.Role{permission.Administration} }

func (standalone) workUnits(context.Context) ([]directory.Unit, error) { return nil, nil }

func (standalone) unitFields(_ context.Context, view *page.PersonFields, _ typedPerson, _ []uuid.UUID) error {
	view.Standalone = true
	return nil
}

// checkUnits leaves a person's units as they are.
func (standalone) checkUnits(_ context.Context, typed *typedPerson, kept []uuid.UUID) error {
	typed.units = kept
	return nil
}
