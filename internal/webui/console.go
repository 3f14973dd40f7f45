package webui

import (
	"net/url"
	"time"

	"guiche/internal/permission"
	"guiche/internal/webui/console"
	"guiche/web/layout"

	"github.com/a-h/templ"
	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
)

// consoleRoutes are the addresses of the service's console, administração's all
// of them.
func (s *server) consoleRoutes() []route {
	var routes []route
	for _, r := range console.Routes(s.Console, consoleDoor{s}) {
		routes = append(routes, route{r.Method, r.Path, permission.ManageService, r.Handler})
	}
	return routes
}

// consoleDoor is what the console needs of this door.
type consoleDoor struct{ s *server }

// Frame implements console.Door.
func (d consoleDoor) Frame(c echo.Context, title string) (layout.Page, error) {
	return d.s.frame(c, title, layout.ServiceTab)
}

// Render implements console.Door.
func (d consoleDoor) Render(c echo.Context, status int, view templ.Component) error {
	return d.s.render(c, status, view)
}

// Actor implements console.Door.
func (d consoleDoor) Actor(c echo.Context) uuid.UUID { return d.s.current(c).UID }

// Posted implements console.Door.
func (d consoleDoor) Posted(c echo.Context) (url.Values, error) { return postedValues(c) }

// Afterwards implements console.Door.
func (d consoleDoor) Afterwards(c echo.Context, words, path string) error {
	return d.s.afterwards(c, nil, words, path)
}

// Now implements console.Door.
func (d consoleDoor) Now() time.Time { return d.s.clock().In(d.s.Zone) }

// When implements console.Door.
func (d consoleDoor) When(t time.Time) string { return d.s.when(t) }
