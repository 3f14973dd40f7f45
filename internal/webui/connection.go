package webui

import (
	"guiche/internal/connection"
	"guiche/internal/problem"
	"guiche/internal/webui/form"
	"guiche/web/layout"
	"guiche/web/page"

	"github.com/labstack/echo/v4"
)

const connectionPath = "/servico/conexao"

// connection serves GET /servico/conexao.
func (s *deskHandlers) connection(c echo.Context) error {
	return s.showConnection(c, nil, nil, page.ConnectionTest{})
}

// setConnection serves POST /servico/conexao.
func (s *deskHandlers) setConnection(c echo.Context) error {
	f, err := posted(c)
	if err != nil {
		return err
	}
	change := readConnection(f)
	change.Seen = seenVersion(c)
	err = s.Connection.Change(c.Request().Context(), s.actor(c), change)
	if fields := problem.FieldsOf(err); len(fields) > 0 {
		return s.showConnection(c, f, fields, page.ConnectionTest{})
	}
	return s.afterwards(c, err, "Guardado. Vale já para o próximo envio.", connectionPath)
}

// testConnection serves POST /servico/conexao/testar: what is typed is tried and
// not kept.
func (s *deskHandlers) testConnection(c echo.Context) error {
	f, err := posted(c)
	if err != nil {
		return err
	}
	steps, err := s.Connection.Test(c.Request().Context(), s.actor(c), readConnection(f))
	fields := problem.FieldsOf(err)
	if err != nil && len(fields) == 0 {
		return err
	}
	test := page.ConnectionTest{Problems: problems(fields), Steps: connectionSteps(steps)}
	if isHTMX(c) {
		return s.render(c, form.Status(fields), page.ConnectionTestResult(test))
	}
	test.Retype = true
	return s.showConnection(c, f, fields, test)
}

// readConnection reads the form.
func readConnection(f *form.Form) connection.Change {
	s := connection.ReadForm(f.Raw)
	return connection.Change{Settings: s, Secret: connection.Secret(f.Raw(connection.FieldSecret(s.Method)))}
}

// showConnection shows the page: what is in force, or what was typed.
func (s *deskHandlers) showConnection(c echo.Context, typed *form.Form, fields []problem.Field, test page.ConnectionTest) error {
	state, err := s.Connection.State(c.Request().Context())
	if err != nil {
		return err
	}
	view := s.connectionView(state, typed)
	view.Problems, view.Test, view.Version = problems(fields), test, form.VersionToSend(seenVersion(c), state.Version(), fields)
	if len(fields) > 0 {
		view.Test.Problems = nil // they stand above the form
	}
	if view.Page, err = s.frame(c, "Conexão com o serviço", layout.ConnectionTab); err != nil {
		return err
	}
	view.Failed = len(fields) > 0
	return s.render(c, form.Status(fields), page.ConnectionPage(view))
}
