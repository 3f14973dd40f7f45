package webui

import (
	"errors"
	"io"
	"time"

	"guiche/internal/account"
	"guiche/internal/problem"

	"github.com/labstack/echo/v4"
)

// slowBody is how long a body may be under way before its sender is looked up once more.
const slowBody = time.Second

// checkedBody is a body that does not end where its end is refused.
type checkedBody struct {
	io.ReadCloser
	atEnd func() error
}

// Read implements io.Reader.
func (b *checkedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		if refused := b.atEnd(); refused != nil {
			err = refused
		}
	}
	return n, err
}

// lookAgain lets nobody do anything with a body who was put out, or lost the right to it, while it
// came: people whom the program knows have minutes for it.
func (s *server) lookAgain(c echo.Context, r route) {
	begun := s.clock()
	c.Request().Body = &checkedBody{c.Request().Body, func() error {
		if s.clock().Sub(begun).Abs() < slowBody {
			return nil
		}
		user, err := s.sessions.readAgain(c.Request())
		if err != nil {
			return err
		}
		return r.admits(user)
	}}
}

// admits refuses who may not use the route.
func (r route) admits(user account.User) error {
	if r.access != person && !user.May(r.access) {
		return problem.New(problem.Forbidden, "Seu acesso não inclui esta página.")
	}
	return nil
}

// unreadable is the error of a body that was not read to its end: about who sends it, or else about
// what was sent.
func unreadable(err error, message string) error {
	if _, told := asProblem(err); told {
		return err
	}
	return problem.Wrap(problem.Unreadable, message, err)
}
