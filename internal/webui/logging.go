package webui

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime"
	"runtime/debug"
	"time"

	"guiche/internal/problem"
	"guiche/internal/requestid"

	"github.com/labstack/echo/v4"
)

const statusClientGone = 499 // the browser went away; nothing failed

// requestID gives each request an id: it stands in the log and on error pages, so
// that a person can quote it, and goes on to the service with what follows from the
// request.
func requestID(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		id := requestid.New()
		c.SetRequest(c.Request().WithContext(requestid.With(c.Request().Context(), id)))
		c.Response().Header().Set(requestid.Header, id)
		return next(c)
	}
}

// idOf is the identifier of the request, which the log and the error page share.
func idOf(c echo.Context) string { return requestid.From(c.Request().Context()) }

// access logs one line per request: the pattern of the route, never the path or
// its query, which hold identifiers and one-time secrets.
func (s *server) access(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		started := s.clock()
		err := next(c)
		if err != nil {
			c.Error(err)
		}
		took := s.clock().Sub(started)
		if s.Observe != nil {
			s.Observe(s.pattern(c), c.Response().Status, took)
		}
		level := slog.LevelInfo
		if c.Response().Status == statusClientGone {
			level = slog.LevelDebug
		}
		s.logger.Log(c.Request().Context(), level, "request", "id", idOf(c), "method", c.Request().Method, "route", c.Path(),
			"status", c.Response().Status, "bytes", c.Response().Size, "ms", took.Round(time.Millisecond).Milliseconds())
		return nil
	}
}

// pattern is that of the request's route, "" for an address that does not exist.
func (s *server) pattern(c echo.Context) string {
	if s.patterns[c.Path()] {
		return c.Path()
	}
	return ""
}

// recover turns a panic into an internal error; its stack is only in the log.
func (s *server) recover(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) (err error) {
		defer func() {
			if v := recover(); v != nil && v != http.ErrAbortHandler { //nolint:errorlint // the value panicked with
				s.logger.ErrorContext(c.Request().Context(), "panic", "id", idOf(c), "route", c.Path(), "value", panicValue(v), "stack",
					string(debug.Stack()))
				err = errors.New("panic in a handler")
			}
		}()
		return next(c)
	}
}

// panicValue is what a log may say of a panic: the runtime's own words, and only
// the type of anything else, which may quote what somebody typed.
func panicValue(v any) string {
	if err, ok := v.(runtime.Error); ok { // the value panicked with
		return err.Error()
	}
	return fmt.Sprintf("%T", v)
}

// asProblem returns the application error inside err.
func asProblem(err error) (*problem.Error, bool) {
	var p *problem.Error
	ok := errors.As(err, &p)
	return p, ok
}

// statuses maps the application error's codes to HTTP statuses.
var statuses = map[problem.Code]int{
	problem.Invalid: http.StatusUnprocessableEntity, problem.Unreadable: http.StatusBadRequest,
	problem.Unauthorized: http.StatusUnauthorized, problem.Forbidden: http.StatusForbidden, problem.NotFound: http.StatusNotFound,
	problem.Conflict: http.StatusConflict, problem.TooLarge: http.StatusRequestEntityTooLarge,
	problem.Unsupported: http.StatusUnsupportedMediaType, problem.Throttled: http.StatusTooManyRequests,
	problem.Unavailable: http.StatusServiceUnavailable, problem.NoSpace: http.StatusInsufficientStorage,
	problem.Busy: http.StatusServiceUnavailable, problem.Unsure: http.StatusServiceUnavailable,
	problem.Damaged: http.StatusInternalServerError,
}

// statusOf is the one table from error to HTTP status.
func statusOf(err error) int {
	var httpError *echo.HTTPError
	var application *problem.Error
	switch {
	case errors.Is(err, context.Canceled):
		return statusClientGone
	case errors.As(err, &application) && statuses[application.Code] != 0:
		return statuses[application.Code]
	case errors.As(err, &httpError):
		return httpError.Code
	}
	return http.StatusInternalServerError
}
