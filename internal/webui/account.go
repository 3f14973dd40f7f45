package webui

import (
	"net/http"

	"guiche/internal/account"
	"guiche/internal/problem"
	"guiche/web/component"
	"guiche/web/layout"
	"guiche/web/page"

	"github.com/labstack/echo/v4"
)

// account serves GET /conta.
func (s *server) account(c echo.Context) error { return s.showAccount(c, http.StatusOK, nil) }

// showAccount renders the person's own page with the given status. After a refused
// password the field problems come along; typed passwords are not repeated in the page.
func (s *server) showAccount(c echo.Context, status int, fields []problem.Field) error {
	ctx, user := c.Request().Context(), s.current(c)
	units, err := s.product.workUnits(ctx)
	if err != nil {
		return err
	}
	sessions, err := s.Accounts.Sessions(ctx, user.UID)
	if err != nil {
		return err
	}
	view := page.AccountView{Name: user.Name, User: user.Login, Roles: roleNames(user.Roles), Units: unitWords(user, units),
		MinLen: account.MinPassword,
		Theme:  string(user.Theme), Keys: !user.KeysOff, Sessions: s.sessionRows(c, sessions, "/conta"),
		Fields: page.Fields{Problems: problems(fields)}}
	for _, t := range account.Themes() {
		view.Themes = append(view.Themes, component.Choice{Value: string(t), Label: t.Label()})
	}
	if view.Page, err = s.frame(c, "Minha conta", layout.NoTab); err != nil {
		return err
	}
	view.Failed = len(fields) > 0
	return s.render(c, status, page.AccountPage(view))
}

// changePassword serves POST /conta/senha; this browser gets a new session, every
// other one is out.
func (s *server) changePassword(c echo.Context) error {
	values, err := postedValues(c)
	if err != nil {
		return err
	}
	change := account.PasswordChange{Current: values.Get("atual"), New: values.Get("senha")}
	if change.New != values.Get("senha2") {
		return s.showAccount(c, http.StatusUnprocessableEntity,
			[]problem.Field{{Path: "senha2", Code: "formato", Message: "As duas senhas não são iguais."}})
	}
	token, err := s.Accounts.ChangePassword(c.Request().Context(), s.current(c).UID, change, s.client(c))
	if fields := problem.FieldsOf(err); len(fields) > 0 {
		return s.showAccount(c, http.StatusUnprocessableEntity, fields)
	}
	if err != nil {
		return err
	}
	if err := s.begin(c, s.current(c).Login, token); err != nil {
		return err
	}
	return s.afterwards(c, nil, "Senha trocada. As outras sessões terminaram.", "/conta")
}

// setPreferences serves POST /conta/preferencias.
func (s *server) setPreferences(c echo.Context) error {
	values, err := postedValues(c)
	if err != nil {
		return err
	}
	wanted := account.Preferences{Theme: account.Theme(values.Get("tema")), KeysOff: values.Get("teclas") != "S"}
	err = s.Accounts.SetPreferences(c.Request().Context(), s.current(c).UID, wanted)
	if fields := problem.FieldsOf(err); len(fields) > 0 {
		return s.showAccount(c, http.StatusUnprocessableEntity, fields)
	}
	return s.afterwards(c, err, "Preferências guardadas.", "/conta")
}

// endOwnSession serves POST /conta/sessoes/{sessao}/encerrar.
func (s *server) endOwnSession(c echo.Context) error {
	return s.endSession(c, s.current(c).UID, "/conta")
}

// endOtherSessions serves POST /conta/sessoes/encerrar.
func (s *server) endOtherSessions(c echo.Context) error {
	user := s.current(c)
	err := s.Accounts.RevokeSessions(c.Request().Context(), user.Actor(), user.UID, s.sessionUID(c))
	return s.afterwards(c, err, "As outras sessões terminaram.", "/conta")
}
