package webui

import (
	"net/http"

	"guiche/internal/account"
	"guiche/internal/permission"
	"guiche/internal/problem"
	"guiche/internal/webui/form"
	"guiche/web/layout"
	"guiche/web/page"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
)

// people serves GET and POST /pessoas with those found, or with everybody when nothing is searched for. Names are
// searched for by POST, so that they stand in no address.
func (s *server) people(c echo.Context) error {
	f, err := posted(c)
	if err != nil {
		return err
	}
	view, err := s.peopleView(c.Request().Context(), s.actor(c), f.Text("texto"))
	if err != nil {
		return err
	}
	if view.Page, err = s.frame(c, "Pessoas", layout.PeopleTab); err != nil {
		return err
	}
	return s.render(c, http.StatusOK, page.PeoplePage(view))
}

// typedPerson is what a person's form sent.
type typedPerson struct {
	name, login string
	roles       []permission.Role
	units       []uuid.UUID
}

// readPerson reads a person's form; a unit that is not an identifier comes from no
// page of ours.
func readPerson(c echo.Context) (typedPerson, error) {
	f, err := posted(c)
	if err != nil {
		return typedPerson{}, err
	}
	units, err := f.UUIDs("unidades")
	if err != nil {
		return typedPerson{}, problem.Wrap(problem.Unreadable, "Não deu para ler as unidades.", err)
	}
	return typedPerson{name: f.Raw("nome"), login: f.Raw("usuario"), roles: form.Words[permission.Role](f, "papeis"), units: units}, nil
}

// newPersonForm serves GET /pessoas/nova.
func (s *server) newPersonForm(c echo.Context) error {
	return s.showNewPerson(c, http.StatusOK, typedPerson{roles: s.product.newRoles()}, nil)
}

// showNewPerson renders the form of a new person, and shows it again with what was typed
// when fields were refused.
func (s *server) showNewPerson(c echo.Context, status int, typed typedPerson, fields []problem.Field) error {
	shown, err := s.personFields(c, typed, account.User{}, fields)
	if err != nil {
		return err
	}
	view := page.NewPersonView{PersonFields: shown}
	if view.Page, err = s.frame(c, "Nova pessoa", layout.PeopleTab); err != nil {
		return err
	}
	view.Failed = len(fields) > 0
	return s.render(c, status, page.NewPersonPage(view))
}

// addPerson serves POST /pessoas/nova. The page of the new person is the answer
// itself: the link stands there once and nowhere else.
func (s *server) addPerson(c echo.Context) error {
	typed, err := readPerson(c)
	if err != nil {
		return err
	}
	ctx, actor := c.Request().Context(), s.actor(c)
	err = s.product.checkUnits(ctx, &typed, nil)
	var user account.User
	var token string
	if err == nil {
		user, token, err = s.Accounts.AddUser(ctx, actor, account.NewUser{Login: typed.login, Name: typed.name, Roles: typed.roles,
			Units: typed.units})
	}
	if fields := problem.FieldsOf(err); len(fields) > 0 {
		return s.showNewPerson(c, http.StatusUnprocessableEntity, typed, fields)
	}
	if err != nil {
		return err
	}
	return s.showPerson(c, http.StatusOK, user.UID, shownPerson{token: token, flash: "Pessoa criada." + unitMissing(user)})
}

// unitMissing says that a person has no unit, nothing of one who has or needs none.
func unitMissing(u account.User) string {
	if !unitless(u) {
		return ""
	}
	return " Falta escolher a unidade: sem ela, a pessoa não vê nem envia pedidos."
}

// unitless reports whether a person who works with requests has none within reach, for
// want of a unit.
func unitless(u account.User) bool {
	return u.May(permission.SeePatients) && !u.May(permission.SeeAllUnits) && len(u.Units) == 0
}

// person serves GET /pessoas/{uid}.
func (s *server) person(c echo.Context) error {
	uid, err := paramUID(c, "uid")
	if err != nil {
		return err
	}
	return s.showPerson(c, http.StatusOK, uid, shownPerson{})
}

// changePerson serves POST /pessoas/{uid}.
func (s *server) changePerson(c echo.Context) error {
	uid, err := paramUID(c, "uid")
	if err != nil {
		return err
	}
	typed, err := readPerson(c)
	if err != nil {
		return err
	}
	ctx := c.Request().Context()
	user, err := s.Accounts.User(ctx, uid)
	if err == nil {
		err = s.product.checkUnits(ctx, &typed, user.Units)
	}
	if err == nil {
		err = s.Accounts.ChangeUser(ctx, s.actor(c), uid, account.Change{Name: typed.name, Roles: typed.roles, Units: typed.units,
			Seen: seenVersion(c)})
	}
	if fields := problem.FieldsOf(err); len(fields) > 0 {
		return s.showPerson(c, form.Status(fields), uid, shownPerson{typed: &typed, fields: fields})
	}
	user.Roles, user.Units = typed.roles, typed.units
	return s.afterwards(c, err, "Guardado. Já vale."+unitMissing(user), "/pessoas/"+uid.String())
}

// invitePerson serves POST /pessoas/{uid}/convite: the password is taken away and
// the answer shows the link for a new one, once.
func (s *server) invitePerson(c echo.Context) error {
	uid, err := paramUID(c, "uid")
	if err != nil {
		return err
	}
	token, err := s.Accounts.ResetPassword(c.Request().Context(), s.actor(c), uid)
	if err != nil {
		return err
	}
	return s.showPerson(c, http.StatusOK, uid, shownPerson{token: token, flash: "Convite gerado. A senha anterior não vale mais."})
}

// disablePerson serves POST /pessoas/{uid}/desativar.
func (s *server) disablePerson(c echo.Context) error {
	uid, err := paramUID(c, "uid")
	if err != nil {
		return err
	}
	err = s.Accounts.Disable(c.Request().Context(), s.actor(c), uid)
	return s.afterwards(c, err, "Pessoa desativada. Ela já está fora.", "/pessoas/"+uid.String())
}

// enablePerson serves POST /pessoas/{uid}/reativar.
func (s *server) enablePerson(c echo.Context) error {
	uid, err := paramUID(c, "uid")
	if err != nil {
		return err
	}
	err = s.Accounts.Enable(c.Request().Context(), s.actor(c), uid)
	return s.afterwards(c, err, "Pessoa reativada.", "/pessoas/"+uid.String())
}

// endSessionOf serves POST /pessoas/{uid}/sessoes/{sessao}/encerrar.
func (s *server) endSessionOf(c echo.Context) error {
	uid, err := paramUID(c, "uid")
	if err != nil {
		return err
	}
	return s.endSession(c, uid, "/pessoas/"+uid.String())
}

// endSessionsOf serves POST /pessoas/{uid}/sessoes/encerrar. One's own browser
// stays in: leaving has its own button.
func (s *server) endSessionsOf(c echo.Context) error {
	uid, err := paramUID(c, "uid")
	if err != nil {
		return err
	}
	ctx := c.Request().Context()
	if _, err := s.Accounts.User(ctx, uid); err != nil {
		return err
	}
	err = s.Accounts.RevokeSessions(ctx, s.actor(c), uid, s.sessionUID(c))
	return s.afterwards(c, err, "Sessões encerradas.", "/pessoas/"+uid.String())
}

// endSession ends the session that the address names, of its owner only.
func (s *server) endSession(c echo.Context, owner uuid.UUID, back string) error {
	session, err := paramUID(c, "sessao")
	if err != nil {
		return err
	}
	err = s.Accounts.RevokeSession(c.Request().Context(), s.actor(c), owner, session)
	return s.afterwards(c, err, "Sessão encerrada.", back)
}

// afterwards says what was done on the page that shows it.
func (s *server) afterwards(c echo.Context, err error, words, path string) error {
	if err != nil {
		return err
	}
	return s.redirectTelling(c, path, words)
}
