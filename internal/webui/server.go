package webui

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"path"
	"strings"
	"time"

	"guiche/internal/account"
	"guiche/internal/webui/console"
	"guiche/static"
	"guiche/web/page"

	"github.com/labstack/echo/v4"
)

// Config is what the web server is made of.
type Config struct {
	Installation Installation
	Accounts     *account.Service
	Trail        Trail
	API          http.Handler // the embedded service below /api/ and /oauth/; nil without one
	Console      console.Config

	PublicURL      string // https address people use, "" when they come straight here
	TLS            bool   // this process ends TLS itself
	TrustedProxies []netip.Prefix
	Insecure       bool // plain http on an address that others reach: every page says so

	DemoLogins []page.DemoLogin // shown on the entry page of the demo
	DemoCards  []page.DemoCard  // shown on its help page

	Zone   *time.Location
	Clock  func() time.Time
	Logger *slog.Logger
}

// server serves what every installation has.
type server struct {
	Config
	product  product
	secure   bool // people come by https
	sessions *sessionStore
	clock    func() time.Time
	logger   *slog.Logger
}

// New returns the handler of everything that a browser or a client may ask.
func New(c Config) (http.Handler, error) {
	s := &server{Config: c, secure: c.TLS || c.PublicURL != "", clock: c.Clock, logger: c.Logger}
	s.product = c.Installation.product(s)
	s.sessions = newSessionStore(c.Accounts, s.secure)
	guard, err := originCheck(strings.TrimSuffix(c.PublicURL, "/"))
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle(static.Prefix, static.Handler())
	mux.Handle("/", guard(s.router()))
	if c.API == nil {
		return mux, nil
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if ofService(r.URL.Path) {
			c.API.ServeHTTP(w, r)
			return
		}
		mux.ServeHTTP(w, r)
	}), nil
}

// ofService reports whether an address is the service's, however it is written.
// A mux would redirect to the usual spelling, without the service's envelope.
func ofService(address string) bool {
	first, _, _ := strings.Cut(path.Clean("/" + address)[1:], "/")
	return first == "api" || first == "oauth"
}

// router is echo with our middleware, our error page and the table of routes.
func (s *server) router() *echo.Echo {
	e := echo.New()
	e.HideBanner, e.HidePort = true, true
	e.Logger.SetLevel(99) // nothing of echo's own: we log with slog
	e.IPExtractor = func(r *http.Request) string { return ClientAddress(r, s.TrustedProxies) }
	e.HTTPErrorHandler = s.fail
	e.Use(requestID, s.secureHeaders, s.access, s.recover)
	for _, r := range s.routes() {
		e.Add(r.method, r.path, s.guarded(r))
		if r.method == http.MethodGet {
			e.Add(http.MethodHead, r.path, s.guarded(r))
		}
	}
	return e
}

// originCheck refuses unsafe requests that another site's page made.
func originCheck(publicURL string) (func(http.Handler) http.Handler, error) {
	check := http.NewCrossOriginProtection()
	if publicURL != "" {
		if err := check.AddTrustedOrigin(publicURL); err != nil {
			return nil, fmt.Errorf("public address: %w", err)
		}
	}
	check.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cache-Control", "no-store")
		h.Set("Content-Security-Policy", pagePolicy)
		http.Error(w, "Este formulário veio de outro endereço e não foi aceito. Abra o Guichê pelo endereço dele e tente "+
			"de novo.", http.StatusForbidden)
	}))
	return check.Handler, nil
}
