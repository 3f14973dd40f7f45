package webui

import (
	"net/url"
	"time"

	"guiche/internal/permission"
	"guiche/internal/webui/console"
	"guiche/web/layout"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"
)

// consoleRoutes are the addresses of the service's console, all of them for
// administrators.
func (s *server) consoleRoutes() []route {
	var routes []route
	for _, r := range console.Routes(s.Console, consoleWeb{s}) {
		routes = append(routes, route{r.Method, r.Path, permission.ManageService, r.Handler})
	}
	return routes
}

// consoleWeb is this server as the console needs it.
type consoleWeb struct{ s *server }

// Frame implements console.Web.
func (w consoleWeb) Frame(c echo.Context, title string) (layout.Page, error) {
	return w.s.frame(c, title, layout.ServiceTab)
}

// Render implements console.Web.
func (w consoleWeb) Render(c echo.Context, status int, view templ.Component) error {
	return w.s.render(c, status, view)
}

// Actor implements console.Web.
func (w consoleWeb) Actor(c echo.Context) permission.Actor { return w.s.actor(c) }

// Posted implements console.Web.
func (w consoleWeb) Posted(c echo.Context) (url.Values, error) { return postedValues(c) }

// Afterwards implements console.Web.
func (w consoleWeb) Afterwards(c echo.Context, words, path string) error {
	return w.s.afterwards(c, nil, words, path)
}

// Now implements console.Web.
func (w consoleWeb) Now() time.Time { return w.s.clock().In(w.s.Zone) }

// When implements console.Web.
func (w consoleWeb) When(t time.Time) string { return w.s.when(t) }
