package webui

import (
	"fmt"
	"net/http"
	"strconv"

	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/web/layout"

	"github.com/labstack/echo/v4"
)

// tourSuffix makes of the session cookie's name that of a browser which has had the tour.
const tourSuffix = "-apresentacao"

// tourStep is the step of the tour that an address asks for, 0 for none.
func tourStep(c echo.Context) int {
	step, err := strconv.Atoi(c.QueryParam("apresentacao"))
	if err != nil || step < 1 || step > layout.TourSteps() {
		return 0
	}
	return step
}

// openTour is where the tour is on the first page that a person of the demo sees: open once
// in each browser.
func (s *deskHandlers) openTour(c echo.Context, asked int) int {
	name := s.sessions.cookie + tourSuffix
	if _, err := c.Cookie(name); err == nil || !s.Tour || asked > 0 {
		return asked
	}
	http.SetCookie(c.Response(), &http.Cookie{ //nolint:gosec // Secure wherever the pages come over https
		Name: name, Value: "1", Path: "/", HttpOnly: true, Secure: s.secure, SameSite: http.SameSiteLaxMode, MaxAge: browserCookieLife})
	return 1
}

// exampleCase serves GET /ajuda/exemplo: the case that the tour shows. It is a simulated one;
// where there is none, the tour goes on in the queue.
func (s *deskHandlers) exampleCase(c echo.Context) error {
	found, err := s.Desk.Cases(c.Request().Context(), s.actor(c), desk.Query{Group: authorization.Ready, Limit: 1})
	if err != nil {
		return err
	}
	to := "/fila"
	for _, one := range found.Cases {
		if one.Simulated && !one.Damaged {
			to = "/casos/" + one.UID.String()
		}
	}
	return redirect(c, fmt.Sprintf("%s?apresentacao=%d", to, layout.TourCase))
}
