package webui

import (
	"net/http"

	"github.com/labstack/echo/v4"
)

// isHTMX reports whether htmx asks for a piece of a page.
func isHTMX(c echo.Context) bool { return c.Request().Header.Get("HX-Request") == "true" }

// redirect sends the browser on: 303 so that a reload does not post again, and
// HX-Redirect where htmx asked, which follows redirects out of sight.
func redirect(c echo.Context, path string) error {
	if isHTMX(c) {
		c.Response().Header().Set("HX-Redirect", path)
		return c.NoContent(http.StatusNoContent)
	}
	return c.Redirect(http.StatusSeeOther, path)
}
