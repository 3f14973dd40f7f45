package webui

import (
	"net/http"
	"net/url"

	"guiche/internal/account"
	"guiche/internal/problem"
	"guiche/web/component"
	"guiche/web/layout"
	"guiche/web/page"

	"github.com/labstack/echo/v4"
)

// home serves GET /. Whoever has nothing to do here is told so.
func (s *server) home(c echo.Context) error {
	if to := s.product.landing(s.current(c)); to != "/" {
		return redirect(c, to)
	}
	view := page.NoDesk()
	var err error
	if view.Page, err = s.frame(c, view.Heading, layout.NoTab); err != nil {
		return err
	}
	return s.render(c, http.StatusOK, page.FailurePage(view))
}

// loginForm serves GET /entrar.
func (s *server) loginForm(c echo.Context) error {
	if user, err := s.authenticate(c); err != nil || user != nil {
		if err != nil {
			return err
		}
		return redirect(c, s.product.landing(*user))
	}
	return s.showLogin(c, http.StatusOK, page.LoginView{Return: c.QueryParam("volta")})
}

// showLogin renders the login page. After a failed attempt the user name, the page asked
// for and a carried form come back with it; the password does not.
func (s *server) showLogin(c echo.Context, status int, view page.LoginView) error {
	frame, err := s.frame(c, "Entrar", layout.NoTab)
	if err != nil {
		return err
	}
	if len(view.Carried) > 0 {
		noCompression(c) // what was typed may be a secret
	}
	frame.Failed = view.Problem != ""
	view.Page, view.Demo = frame, s.DemoLogins
	return s.render(c, status, page.LoginPage(view))
}

// login serves POST /entrar.
func (s *server) login(c echo.Context) error {
	values, err := postedUpTo(c, 2*maxFormBytes) // the names in a carried form are longer
	if err != nil {
		return err
	}
	view := page.LoginView{User: values.Get("usuario"), Return: values.Get("volta"), Carried: carried(values)}
	token, user, err := s.Accounts.Login(c.Request().Context(), view.User, values.Get("senha"), s.client(c))
	if p, ok := asProblem(err); ok {
		view.Problem = p.Message
		return s.showLogin(c, statusOf(err), view)
	}
	if err != nil {
		return err
	}
	if err := s.begin(c, user.Login, token); err != nil {
		return err
	}
	if offered, err := s.offerTyped(c, user, view); offered || err != nil {
		return err
	}
	return s.product.afterLogin(c, user, view)
}

// returnAfterLogin is the page that was asked for before the login, or else where the
// person starts.
func returnAfterLogin(view page.LoginView, landing string) string {
	if to := localPath(view.Return); to != "/" {
		return to
	}
	return landing
}

// client is where a request comes from.
func (s *server) client(c echo.Context) account.Client {
	from := account.Client{Address: c.RealIP(), UserAgent: c.Request().UserAgent()}
	if cookie, err := c.Cookie(s.sessions.cookie + browserSuffix); err == nil {
		from.Browser = cookie.Value
	}
	return from
}

// logout serves POST /sair.
func (s *server) logout(c echo.Context) error {
	session, err := s.sessions.Get(c.Request(), sessionName)
	if err != nil {
		return err
	}
	session.Options.MaxAge = -1
	if err := session.Save(c.Request(), c.Response()); err != nil {
		return err
	}
	c.Response().Header().Set("Clear-Site-Data", `"storage"`)
	return redirect(c, "/entrar")
}

// activationForm serves GET /ativar/{token}.
func (s *server) activationForm(c echo.Context) error {
	owner, err := s.Accounts.ActivationOwner(c.Request().Context(), c.Param("token"))
	if err != nil {
		return err
	}
	return s.showActivation(c, http.StatusOK, page.ActivateView{First: isFirst(owner), Name: owner.Name, User: owner.Login})
}

// showActivation renders the page behind a one-time link, for GET and again, with 422,
// for a POST whose fields were refused: a refused password does not use the link up.
func (s *server) showActivation(c echo.Context, status int, view page.ActivateView) error {
	frame, err := s.frame(c, "Escolher a senha", layout.NoTab)
	if err != nil {
		return err
	}
	frame.Failed = len(view.Problems) > 0
	view.Page, view.Token, view.MinLen = frame, c.Param("token"), account.MinPassword
	return s.render(c, status, page.ActivatePage(view))
}

// activate serves POST /ativar/{token}.
func (s *server) activate(c echo.Context) error {
	owner, err := s.Accounts.ActivationOwner(c.Request().Context(), c.Param("token"))
	if err != nil {
		return err
	}
	values, err := postedValues(c)
	if err != nil {
		return err
	}
	view := page.ActivateView{First: isFirst(owner), Name: owner.Name, User: owner.Login}
	if view.First {
		view.Name, view.User = values.Get("nome"), values.Get("usuario")
	}
	user, err := s.useLink(c, view, values)
	if fields := problem.FieldsOf(err); len(fields) > 0 {
		view.Problems = problems(fields)
		return s.showActivation(c, http.StatusUnprocessableEntity, view)
	}
	if err != nil {
		return err
	}
	return s.enterActivated(c, user.Login, values.Get("senha"))
}

// enterActivated logs in whoever has just used a link. The link is no more: where the login
// does not succeed, trying again is the login page's.
func (s *server) enterActivated(c echo.Context, login, password string) error {
	token, user, err := s.Accounts.Login(c.Request().Context(), login, password, s.client(c))
	if p, ok := asProblem(err); ok {
		return s.showLogin(c, statusOf(err), page.LoginView{User: login, Problem: "Sua senha foi guardada. Falta entrar com ela. " + p.Message})
	}
	if err != nil {
		return err
	}
	if err := s.begin(c, user.Login, token); err != nil {
		return err
	}
	return redirect(c, s.product.landing(user))
}

// useLink sets the password and uses the link up. For the first administrator it creates
// the account as well. Two different passwords are a problem of the second field.
func (s *server) useLink(c echo.Context, view page.ActivateView, values url.Values) (account.User, error) {
	ctx, password := c.Request().Context(), values.Get("senha")
	if password != values.Get("senha2") {
		return account.User{}, problem.InvalidFields([]problem.Field{{Path: "senha2", Code: "formato",
			Message: "As duas senhas não são iguais."}})
	}
	if view.First {
		return s.Accounts.ActivateFirstAdministrator(ctx, c.Param("token"), account.FirstAdministrator{Login: view.User,
			Name: view.Name, Password: password})
	}
	return s.Accounts.Activate(ctx, c.Param("token"), password)
}

// isFirst reports whether the link is that of the installation's first administrator,
// who has no account and so no login yet.
func isFirst(owner account.User) bool { return owner.Login == "" }

// problems turns field problems into what forms show.
func problems(fields []problem.Field) []component.Problem {
	shown := make([]component.Problem, len(fields))
	for i, f := range fields {
		shown[i] = component.Problem{Name: f.Path, Message: f.Message}
	}
	return shown
}
