package webui

import (
	"net/http"

	"github.com/labstack/echo/v4"
)

// Content security policies: of pages, and of files that people or operators
// handed in, which get nothing at all and may be framed by our pages only.
const (
	pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; " +
		"frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
	filePolicy = "default-src 'none'; form-action 'none'; sandbox; frame-ancestors 'self'"
)

// secureHeaders sets the headers of every page; what is no page changes them.
func (s *server) secureHeaders(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		s.pageHeaders(c.Response().Header())
		return next(c)
	}
}

// pageHeaders sets the headers of a page, or of what is answered in place of one.
func (s *server) pageHeaders(h http.Header) {
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", pagePolicy)
	// Not no-referrer: with it browsers send "Origin: null" on forms, and the
	// origin check over plain http has nothing else to go by.
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
	if s.secure {
		h.Set("Strict-Transport-Security", "max-age=31536000; includeSubDomains")
	}
}

// allowCamera lets a page that takes pictures use the camera of its computer.
func allowCamera(h http.Header) {
	h.Set("Permissions-Policy", "camera=(self), microphone=(), geolocation=()")
}

// fileHeaders sets the headers of an attachment or a guide.
func fileHeaders(h http.Header) {
	h.Set("Content-Security-Policy", filePolicy)
}
