package webui

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"guiche/internal/account"
	"guiche/internal/permission"
	"guiche/internal/problem"
	"guiche/web/layout"

	"github.com/google/uuid"
	"github.com/gorilla/sessions"
	"github.com/labstack/echo/v4"
)

// sessionName is the cookie; over https it carries the __Host- prefix, which
// browsers accept on Secure cookies only.
const sessionName = "guiche"

// Keys of a session's values: text keys are kept in the database, these are not.
type (
	tokenKey struct{}
	userKey  struct{}
	uidKey   struct{}

	confirmedKey struct{} // whether the password was given lately
)

// What is kept for the next page: a sentence, and where what it is about is taken back.
const (
	flashKey = "flash"
	undoKey  = "desfazer"
)

// sessionStore is a gorilla sessions.Store over account's sessions: the cookie
// holds a random secret, the database its hash.
type sessionStore struct {
	accounts *account.Service
	clock    func() time.Time
	cookie   string
	secure   bool
}

// newSessionStore returns the store. Over TLS the cookie carries the __Host- prefix,
// with which browsers refuse one set by another host or sent in the clear.
func newSessionStore(accounts *account.Service, secure bool, clock func() time.Time) *sessionStore {
	s := &sessionStore{accounts: accounts, clock: clock, cookie: sessionName, secure: secure}
	if secure {
		s.cookie = "__Host-" + sessionName
	}
	return s
}

// Get implements sessions.Store: one session for each request.
func (s *sessionStore) Get(r *http.Request, name string) (*sessions.Session, error) {
	return sessions.GetRegistry(r).Get(s, name)
}

// New implements sessions.Store: the session of the cookie, or an empty one.
func (s *sessionStore) New(r *http.Request, name string) (*sessions.Session, error) {
	session := sessions.NewSession(s, name)
	session.IsNew = true
	session.Options = &sessions.Options{Path: "/", HttpOnly: true, Secure: s.secure, SameSite: http.SameSiteLaxMode}
	token := s.token(r)
	if token == "" {
		return session, nil
	}
	found, user, err := s.accounts.Authenticate(r.Context(), token, isActivity(r))
	if problem.Is(err, problem.Unauthorized) {
		return session, nil
	}
	if err != nil {
		return session, fmt.Errorf("read session: %w", err)
	}
	session.IsNew = false
	session.Values[tokenKey{}], session.Values[userKey{}], session.Values[uidKey{}] = token, user, found.UID
	session.Values[confirmedKey{}] = found.Confirmed(s.clock())
	decodeValues(session, found.Data)
	return session, nil
}

// token is the secret in the request's cookie, "" without one.
func (s *sessionStore) token(r *http.Request) string {
	for _, cookie := range r.CookiesNamed(s.cookie) {
		return cookie.Value
	}
	return ""
}

// Save implements sessions.Store: values go to the database, the secret to the
// cookie; a negative MaxAge ends the session.
func (s *sessionStore) Save(r *http.Request, w http.ResponseWriter, session *sessions.Session) error {
	token, _ := session.Values[tokenKey{}].(string)
	if session.Options.MaxAge < 0 || token == "" {
		http.SetCookie(w, sessions.NewCookie(s.cookie, "", &sessions.Options{Path: "/", HttpOnly: true, Secure: s.secure,
			SameSite: http.SameSiteLaxMode, MaxAge: -1}))
		return s.accounts.Logout(r.Context(), token)
	}
	data, err := encodeValues(session)
	if err != nil {
		return err
	}
	if err := s.accounts.SetSessionData(r.Context(), token, data); err != nil {
		return fmt.Errorf("save session: %w", err)
	}
	http.SetCookie(w, sessions.NewCookie(s.cookie, token, session.Options))
	return nil
}

// isActivity reports whether a person did something; a page's own polling does
// not keep a session open.
func isActivity(r *http.Request) bool { return r.Header.Get(layout.PollHeader) == "" }

// decodeValues reads the stored values into a session; no data is a session without
// values. They are stored as JSON, which depends on no Go type of this program's
// version. Values that were damaged on the disk are dropped: whose session it is stands beside them.
func decodeValues(session *sessions.Session, data []byte) {
	var values map[string]string
	if len(data) == 0 || json.Unmarshal(data, &values) != nil {
		return
	}
	for k, v := range values {
		session.Values[k] = v
	}
}

// encodeValues writes the values that are stored. Those under other keys than text, such
// as the token and the user, belong to the request and are left out. Where there are none, no data is: each page
// would read it.
func encodeValues(session *sessions.Session) ([]byte, error) {
	values := map[string]string{}
	for k, v := range session.Values {
		if key, ok := k.(string); ok {
			values[key], _ = v.(string)
		}
	}
	if len(values) == 0 {
		return nil, nil
	}
	return json.Marshal(values)
}

// authenticate returns who is logged in, nil for nobody.
func (s *server) authenticate(c echo.Context) (*account.User, error) {
	session, err := s.sessions.Get(c.Request(), sessionName)
	if err != nil {
		return nil, err
	}
	if user, ok := session.Values[userKey{}].(account.User); ok {
		return &user, nil
	}
	return nil, nil
}

// readAgain reads once more who is logged in, for the rest of the request.
func (s *sessionStore) readAgain(r *http.Request) (account.User, error) {
	session, err := s.Get(r, sessionName)
	if err != nil {
		return account.User{}, err
	}
	token, _ := session.Values[tokenKey{}].(string)
	found, user, err := s.accounts.Authenticate(r.Context(), token, false)
	if problem.Is(err, problem.Unauthorized) {
		delete(session.Values, userKey{})
	}
	if err != nil {
		return account.User{}, err
	}
	session.Values[userKey{}], session.Values[confirmedKey{}] = user, found.Confirmed(s.clock())
	return user, nil
}

// current returns who is logged in, on routes that let nobody else through.
func (s *server) current(c echo.Context) account.User {
	if user, err := s.authenticate(c); err == nil && user != nil {
		return *user
	}
	return account.User{}
}

// actor is current as those know people who look at permissions.
func (s *server) actor(c echo.Context) permission.Actor { return s.current(c).Actor() }

// sessionUID names the session of the request, the zero uid for none.
func (s *server) sessionUID(c echo.Context) uuid.UUID {
	session, err := s.sessions.Get(c.Request(), sessionName)
	if err != nil {
		return uuid.Nil
	}
	uid, _ := session.Values[uidKey{}].(uuid.UUID)
	return uid
}

// begin opens a session for the token in this browser.
func (s *server) begin(c echo.Context, login, token string) error {
	session, err := s.sessions.Get(c.Request(), sessionName)
	if err != nil {
		return err
	}
	if earlier, ok := session.Values[tokenKey{}].(string); ok && earlier != token {
		if err := s.Accounts.Logout(c.Request().Context(), earlier); err != nil {
			return err
		}
	}
	session.Values[tokenKey{}] = token
	if err := session.Save(c.Request(), c.Response()); err != nil {
		return err
	}
	return s.rememberBrowser(c, login)
}

// browserSuffix ends the name of the cookie that shows that a browser logged in
// before. It stays after logging out.
const browserSuffix = "-navegador"

// browserCookieLife is how long a browser keeps it; account decides how long it counts.
const browserCookieLife = 180 * 24 * 60 * 60 // seconds

// rememberBrowser lets this browser log in while others guess the person's password.
func (s *server) rememberBrowser(c echo.Context, login string) error {
	value, err := s.Accounts.RememberBrowser(c.Request().Context(), login, s.client(c).Browser)
	if err != nil {
		return err
	}
	http.SetCookie(c.Response(), &http.Cookie{ //nolint:gosec // Secure wherever the pages come over https
		Name: s.sessions.cookie + browserSuffix, Value: value, Path: "/", HttpOnly: true,
		Secure: s.secure, SameSite: http.SameSiteLaxMode, MaxAge: browserCookieLife})
	return nil
}

// flash keeps one sentence for the next page. That it cannot be kept now takes nothing back
// of what it is about.
func (s *server) flash(c echo.Context, text string) error {
	session, err := s.sessions.Get(c.Request(), sessionName)
	if err != nil {
		return err
	}
	session.Values[flashKey] = text
	delete(session.Values, undoKey)
	return ignoringPassing(session.Save(c.Request(), c.Response()))
}

// redirectTelling sends the browser on to a page that says a sentence first.
func (s *server) redirectTelling(c echo.Context, path, text string) error {
	if err := s.flash(c, text); err != nil {
		return err
	}
	return redirect(c, path)
}

// flashUndo is flash of something that a POST to a path takes back.
func (s *server) flashUndo(c echo.Context, text, undo string) error {
	session, err := s.sessions.Get(c.Request(), sessionName)
	if err != nil {
		return err
	}
	session.Values[flashKey], session.Values[undoKey] = text, undo
	return ignoringPassing(session.Save(c.Request(), c.Response()))
}

// takeFlash returns the kept sentence once, and the path that takes back what it is about, ""
// for none.
func (s *server) takeFlash(c echo.Context) (text, undo string, err error) {
	session, err := s.sessions.Get(c.Request(), sessionName)
	if err != nil {
		return "", "", err
	}
	text, _ = session.Values[flashKey].(string)
	undo, _ = session.Values[undoKey].(string)
	if text == "" {
		return "", "", nil
	}
	delete(session.Values, flashKey)
	delete(session.Values, undoKey)
	return text, undo, ignoringPassing(session.Save(c.Request(), c.Response()))
}

// returnPath is the page that a person should come back to: this one, or, where
// a page asked by itself or posted, the page it was on.
func returnPath(c echo.Context) string {
	r := c.Request()
	if r.Method == http.MethodGet && !isHTMX(c) {
		return localPath(r.URL.Path)
	}
	from := r.Header.Get("HX-Current-URL")
	if from == "" {
		from = r.Referer()
	}
	u, err := url.Parse(from)
	if err != nil {
		return "/"
	}
	return openPath(c, localPath(u.Path))
}

// openPath returns a path that opens as a page, "/" for one that only takes forms.
func openPath(c echo.Context, path string) string {
	probe := c.Echo().NewContext(nil, nil)
	c.Echo().Router().Find(http.MethodGet, path, probe)
	if probe.Get(echo.ContextKeyHeaderAllow) != nil {
		return "/"
	}
	return path
}

// localPath returns a path of ours, "/" for anything else. Browsers take a backslash for
// a slash, and leave out control bytes before they look at an address.
func localPath(path string) string {
	if !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") || strings.Contains(path, `\`) ||
		strings.ContainsFunc(path, unicode.IsControl) || !utf8.ValidString(path) {
		return "/"
	}
	return path
}
