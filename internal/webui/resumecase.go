package webui

import (
	"net/http"
	"net/url"
	"strings"

	"guiche/internal/account"
	"guiche/internal/problem"
	"guiche/internal/webui/form"
	"guiche/web/page"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
)

// caseForms are the forms on a case in which people write, by the route that takes each; the
// value opens it, below the case.
var caseForms = map[string]string{
	"/casos/:uid/anotar":     "/" + page.NoteForm,
	"/casos/:uid/reanalise":  "/" + page.ReviewForm,
	"/casos/:uid/particular": "/" + page.PrivateForm,
	"/casos/:uid/cancelar":   "/cancelar",
	"/casos/:uid/retorno":    "/retorno",
	resendRoute:              "/retorno",
}

// writtenKey is where a session keeps what was typed into a form on a case before the login:
// the path of the form, "?", and its fields. The form takes it once.
const writtenKey = "escrito"

// carryWritten shows the entry page with what was typed into a form on a case.
func (s *deskHandlers) carryWritten(c echo.Context) error {
	uid, err := paramUID(c, "uid")
	if err != nil {
		return err
	}
	typed, err := postedValues(c)
	if err != nil {
		return err
	}
	view := page.LoginView{Return: "/casos/" + uid.String() + caseForms[c.Path()]}
	if len(typed) == 0 {
		return redirect(c, entryFor(view.Return))
	}
	return s.showCarried(c, view, typed)
}

// resumeWritten leads to the form on a case with what was typed into it. Nothing is recorded
// before the person has seen it there.
func (s *deskHandlers) resumeWritten(c echo.Context, user account.User, to string, typed url.Values) error {
	below, _ := strings.CutPrefix(to, "/casos/")
	id, _, _ := strings.Cut(below, "/")
	uid, err := uuid.Parse(id)
	if err != nil {
		return redirect(c, s.landing(user))
	}
	_, err = s.Desk.CaseState(c.Request().Context(), user.Actor(), uid)
	switch {
	case problem.Is(err, problem.NotFound), problem.Is(err, problem.Forbidden):
		return s.afterwards(c, nil,
			"O pedido que estava aberto não está ao seu alcance, e o que foi digitado nele não foi gravado.", s.landing(user))
	case err != nil:
		return err
	}
	session, err := s.sessions.Get(c.Request(), sessionName)
	if err != nil {
		return err
	}
	session.Values[writtenKey] = to + "?" + typed.Encode()
	return s.afterwards(c, nil, "Sua sessão tinha terminado. O que você digitou está aqui e ainda não foi gravado.", to)
}

// takeWritten returns once what was typed into the form of this page before the login, nil for
// nothing.
func (s *deskHandlers) takeWritten(c echo.Context) (*form.Form, error) {
	session, err := s.sessions.Get(c.Request(), sessionName)
	if err != nil {
		return nil, err
	}
	kept, _ := session.Values[writtenKey].(string)
	to, fields, _ := strings.Cut(kept, "?")
	if to != c.Request().URL.Path {
		return nil, nil
	}
	delete(session.Values, writtenKey)
	typed, err := url.ParseQuery(fields)
	if err != nil {
		return nil, err
	}
	return form.New(typed), ignoringPassing(session.Save(c.Request(), c.Response()))
}

// reopenWritten shows a case with what was typed into one of its forms before the login.
func (s *deskHandlers) reopenWritten(c echo.Context, uid uuid.UUID, typed *form.Form, name string) error {
	found, err := s.Desk.Case(c.Request().Context(), s.actor(c), uid, 0)
	if err != nil {
		return err
	}
	if name != page.NoteForm && !found.CanReview() {
		return s.showAsNote(c, uid, typed, name)
	}
	return s.showWritten(c, uid, typed, name, http.StatusOK)
}
