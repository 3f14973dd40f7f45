package webui

import (
	"net/http"

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
	return s.render(c, http.StatusOK, page.HelpPage(page.HelpView{Page: frame, DemoCards: s.DemoCards}))
}
