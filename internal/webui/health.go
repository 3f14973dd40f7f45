package webui

import (
	"net/http"

	"github.com/labstack/echo/v4"
)

// isProbe reports whether a route tells of the program itself: whoever asks there with a session is told the same also
// while nobody's session can be read.
func (r route) isProbe() bool { return r.path == "/healthz" || r.path == "/readyz" }

// health serves GET /healthz: the process lives. While its database is away it waits for that, and nobody is to end
// it at its work.
func (*server) health(c echo.Context) error { return c.String(http.StatusOK, "ok\n") }

// readiness serves GET /readyz: requests can be answered wholly, and none is to be sent
// elsewhere.
func (s *server) readiness(c echo.Context) error {
	word, ok := s.Ready(c.Request().Context())
	if !ok {
		return c.String(http.StatusServiceUnavailable, word+"\n")
	}
	return c.String(http.StatusOK, word+"\n")
}
