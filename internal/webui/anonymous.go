package webui

import (
	"errors"
	"io"
	"net/http"
	"strings"

	"guiche/internal/ingress"
	"guiche/internal/problem"

	"github.com/labstack/echo/v4"
)

// errFull says that too many people who are not logged in send something.
var errFull = problem.New(problem.Unavailable, "Há entradas demais ao mesmo tempo. Espere alguns segundos e tente de novo.")

// bounded gives people who are logged in, and phones that they let in, the time that their files take. Anybody else
// gets a small body and one of few places; beyond them the answer comes at once, and the
// connection ends with it.
func (s *server) bounded(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		w, r := c.Response(), c.Request()
		body := watch(c)
		if user, err := s.authenticate(c); err == nil && user != nil {
			ingress.Known(w, r)
			return next(c)
		}
		if known, err := s.product.sendsFiles(c); err != nil {
			return err
		} else if known {
			ingress.Known(w, r)
			return next(c)
		}
		leave, ok := s.Anonymous.Enter(r, c.RealIP(), ingress.AnonymousBody)
		if !ok {
			ingress.CloseAfter(w, ingress.RefusedTime)
			return errFull
		}
		defer leave()
		w.Before(func() {
			if r.ContentLength != 0 && !body.over {
				ingress.CloseAfter(w, ingress.RefusedTime)
			}
		})
		if r.ContentLength > ingress.AnonymousBody && !carriesForm(c) {
			return textTooLong()
		}
		r.Body = http.MaxBytesReader(w, r.Body, ingress.AnonymousBody)
		return next(c)
	}
}

// carriesForm reports whether a request is a form whose session may have ended. As much
// of it as is read from anybody goes on to the entry page; the rest are files.
func carriesForm(c echo.Context) bool {
	return c.Request().Method == http.MethodPost && strings.HasPrefix(c.Path(), "/nova/:uid") &&
		strings.HasPrefix(c.Request().Header.Get(echo.HeaderContentType), echo.MIMEMultipartForm)
}

// watchedBody knows whether a body came to its end, or was cut on its way.
type watchedBody struct {
	io.ReadCloser
	over bool // its end was read, or no more of it comes
	cut  bool
}

// Read implements io.Reader.
func (b *watchedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.over = err != nil
	b.cut = err != nil && !errors.Is(err, io.EOF)
	return n, err
}

// bodyKey is where the context of a request has its watched body.
const bodyKey = "body"

// watch makes the request's body one that is watched.
func watch(c echo.Context) *watchedBody {
	body := &watchedBody{ReadCloser: c.Request().Body}
	c.Request().Body = body
	c.Set(bodyKey, body)
	return body
}

// hungUp reports whether a request's sender left, or stopped in the middle of its body.
func hungUp(c echo.Context) bool {
	body, ok := c.Get(bodyKey).(*watchedBody)
	return ok && body.cut || c.Request().Context().Err() != nil
}
