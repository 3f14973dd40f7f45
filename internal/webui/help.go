package webui

import (
	"net/http"

	"guiche/internal/account"
	"guiche/web/layout"
	"guiche/web/page"

	"github.com/labstack/echo/v4"
)

// help serves GET /ajuda.
func (s *server) help(c echo.Context) error {
	frame, err := s.frame(c, "Ajuda", layout.NoTab)
	if err != nil {
		return err
	}
	view := page.HelpView{Page: frame, DemoCards: s.DemoCards}
	for _, o := range s.product.roleOffers(account.User{}) {
		view.Roles = append(view.Roles, page.Option{Label: o.role.Label(), Detail: o.detail})
	}
	return s.render(c, http.StatusOK, page.HelpPage(view))
}
