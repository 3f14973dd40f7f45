package webui

import (
	"context"
	"net/http"

	"guiche/internal/audit"
	"guiche/internal/problem"

	"github.com/labstack/echo/v4"
)

// tellDenied tells the audit trail of a request that its sender may not make, by the
// pattern of its route. What lies outside somebody's units is told by the desk. Hanging up
// early does not keep it out of the trail.
func (s *server) tellDenied(c echo.Context, err error) {
	e := audit.Entry{Actor: s.current(c).UID}
	switch {
	case statusOf(err) == http.StatusForbidden:
		e.Event, e.Detail = audit.AccessDenied, "rota="+c.Path()
	case problem.Is(err, problem.Throttled) && searchRoutes[c.Path()]:
		e.Event = audit.SearchThrottled
	default:
		return
	}
	s.record(c.Request().Context(), e)
}

// tellForeignForm tells of a form that a page of another site posted.
func (s *server) tellForeignForm(r *http.Request) {
	ctx := audit.WithAddress(r.Context(), ClientAddress(r, s.TrustedProxies))
	s.record(ctx, audit.Entry{Event: audit.ForeignForm})
}

// record adds an entry about what was refused already: that it cannot be written is
// logged.
func (s *server) record(ctx context.Context, e audit.Entry) {
	if err := s.Trail.Record(context.WithoutCancel(ctx), e); err != nil {
		s.logger.ErrorContext(ctx, "a refused act is not in the audit trail", "event", e.Event, "error", err)
	}
}
