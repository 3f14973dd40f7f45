package webui

import (
	"maps"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"guiche/internal/account"
	"guiche/internal/problem"
	"guiche/internal/webui/form"
	"guiche/web/page"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
)

// A form whose session ended goes to the entry page as hidden fields and comes
// back with the password. Until the person is known again it is nowhere but in
// the browser that it was typed in.
const (
	carriedPrefix = "rascunho:" // of the carried fields' names on the entry page
	carriedDraft  = "rascunho"  // the uid of their draft
)

// askToLogIn sends to the entry page, and back here afterwards. What was typed
// into a request comes along; a page whose script asks is told, and stays.
func (s *deskHandlers) askToLogIn(c echo.Context) error {
	onDraft := c.Request().Method == http.MethodPost && strings.HasPrefix(c.Path(), "/nova/:uid")
	switch {
	case c.Path() == "/nova/:uid/enviar": // the review saved everything
		return redirect(c, entryFor("/nova/"+c.Param("uid")))
	case isHTMX(c) && (onDraft || strings.HasPrefix(c.Path(), "/busca/")):
		c.Response().Header().Set("HX-Reswap", "none")
		return c.NoContent(http.StatusUnauthorized)
	case onDraft:
		return s.carryDraft(c)
	case c.Request().Method == http.MethodPost && caseForms[c.Path()] != "":
		return s.carryWritten(c)
	}
	return redirect(c, entryFor(returnPath(c)))
}

// entryFor is the login page that leads back afterwards, to paths of this site only: a
// login must not send people to an address from a crafted link.
func entryFor(back string) string {
	return "/entrar?" + url.Values{"volta": {localPath(back)}}.Encode()
}

// carryDraft shows the entry page with what was typed.
func (s *deskHandlers) carryDraft(c echo.Context) error {
	uid, err := paramUID(c, "uid")
	if err != nil {
		return err
	}
	typed, err := s.typedValues(c)
	if err != nil {
		return err
	}
	view := page.LoginView{Return: "/nova/" + uid.String()}
	if !typed.Has("versao") {
		return redirect(c, entryFor(view.Return))
	}
	view.Carried = append(view.Carried, page.Carried{Name: carriedDraft, Value: uid.String()})
	return s.showCarried(c, view, typed)
}

// showCarried shows the entry page with the fields of a form.
func (s *server) showCarried(c echo.Context, view page.LoginView, typed url.Values) error {
	for _, name := range slices.Sorted(maps.Keys(typed)) {
		for _, value := range typed[name] {
			view.Carried = append(view.Carried, page.Carried{Name: carriedPrefix + name, Value: value})
		}
	}
	return s.showLogin(c, http.StatusUnauthorized, view)
}

// typedValues reads a posted form; of one with files its fields only.
func (s *deskHandlers) typedValues(c echo.Context) (url.Values, error) {
	if !strings.HasPrefix(c.Request().Header.Get(echo.HeaderContentType), echo.MIMEMultipartForm) {
		return postedValues(c)
	}
	fields := url.Values{}
	err := s.walkUpload(c, fields, func(*multipart.Part) error { return nil })
	if isTooLarge(err) {
		err = nil // what came before is what there is
	}
	return fields, err
}

// carried reads back what showCarried put into the entry page.
func carried(values url.Values) []page.Carried {
	var all []page.Carried
	for name := range values {
		if name != carriedDraft && name != carriedForm && !strings.HasPrefix(name, carriedPrefix) {
			continue
		}
		for _, value := range values[name] {
			all = append(all, page.Carried{Name: name, Value: value})
		}
	}
	slices.SortStableFunc(all, func(a, b page.Carried) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// resume keeps the carried form as the draft of the person who has just logged
// in, and leads to it; what was written on a case waits in its form.
func (s *deskHandlers) resume(c echo.Context, user account.User, view page.LoginView) error {
	session, err := s.sessions.Get(c.Request(), sessionName)
	if err != nil {
		return err
	}
	session.Values[userKey{}] = user
	typed := url.Values{}
	for _, f := range view.Carried {
		typed.Add(strings.TrimPrefix(f.Name, carriedPrefix), f.Value)
	}
	uid, err := uuid.Parse(typed.Get(carriedDraft))
	if err != nil {
		return s.resumeWritten(c, user, localPath(view.Return), typed)
	}
	in := form.ReadRequest(typed)
	draft, err := s.Desk.SaveDraft(c.Request().Context(), s.actor(c), uid, in.Form, in.Version)
	switch {
	case problem.Is(err, problem.NotFound), problem.Is(err, problem.Forbidden):
		return s.afterwards(c, nil, "O rascunho que estava aberto é de outra pessoa e ficou como ela o salvou.", s.landing(user))
	case err != nil:
		return s.draftUnsaved(c, uid, in, draft, err)
	}
	return s.afterwards(c, nil, "Sua sessão tinha terminado. O que você digitou está guardado neste rascunho.", "/nova/"+uid.String())
}
