package webui

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"path"
	"regexp"
	"strings"
	"time"

	"guiche/internal/account"
	"guiche/internal/diskspace"
	"guiche/internal/ingress"
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
	// AuditAddressDays is how long Trail keeps from which address somebody acted.
	AuditAddressDays int

	Backups   Backups
	Integrity Integrity
	API       http.Handler // the embedded service below /api/ and /oauth/; nil without one
	Console   console.Config

	PublicURL      string // https address people use, "" when they come straight here
	TLS            bool   // this process ends TLS itself
	TrustedProxies []netip.Prefix
	Insecure       bool // plain http on an address that others reach: every page says so

	Hosts       ingress.Hosts              // the names under which pages are answered
	LinkAddress func(*http.Request) string // what links begin with that people hand on
	Anonymous   *ingress.Anonymous         // what people hold who are not logged in; nil means these pages' alone
	Ready       func(context.Context) (word string, ok bool)
	Observe     ingress.Observer                // nil: nobody
	Space       func() (diskspace.State, error) // of the disk of the data folder

	DemoLogins []page.DemoLogin // shown on the entry page of the demo
	DemoCards  []page.DemoCard  // shown on its help page
	Tour       bool             // the first page that a browser shows of the desk opens the tour

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
	patterns map[string]bool // of all routes
	clock    func() time.Time
	logger   *slog.Logger
}

// New returns the handler of everything that a browser or a client may ask.
func New(c Config) (http.Handler, error) {
	s := &server{Config: c, secure: c.TLS || c.PublicURL != "", clock: c.Clock, logger: c.Logger}
	s.product = c.Installation.product(s)
	s.sessions = newSessionStore(c.Accounts, s.secure, c.Clock)
	guard, err := s.originCheck()
	if err != nil {
		return nil, err
	}
	pages, err := compress(guard(s.router()))
	if err != nil {
		return nil, err
	}
	if s.Anonymous == nil {
		s.Anonymous = &ingress.Anonymous{}
	}
	return ingress.OneAnswer(s.fork(pages)), nil
}

// fork sends a request to the service, to the browser's files or to the pages, by
// its address as it came: http.ServeMux would redirect to the usual spelling, without
// an envelope and without our headers.
func (s *server) fork(pages http.Handler) http.Handler {
	files, pages := s.underOurNames(static.Handler()), s.underOurNames(pages)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "" {
			r.URL.Path = "/" // of an absolute address: RFC 9110, 4.2.3
		}
		switch {
		case s.API != nil && OfService(r.URL.Path):
			s.API.ServeHTTP(w, r)
		case strings.HasPrefix(r.URL.Path, static.Prefix):
			ingress.Refused(w, r) // a body, which no file has a use for
			files.ServeHTTP(w, r)
		default:
			pages.ServeHTTP(w, r)
		}
	})
}

// underOurNames answers what is asked under another host name with where we are.
func (s *server) underOurNames(next http.Handler) http.Handler {
	return s.Hosts.Guard(next, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.pageHeaders(w.Header())
		ingress.Refused(w, r)
		at := "http://localhost"
		if s.PublicURL != "" {
			at = s.PublicURL
		}
		http.Error(w, "O Guichê não atende por este nome. Abra "+at+".", http.StatusMisdirectedRequest)
	}))
}

// serviceAddress is api or oauth as the first name of an address.
var serviceAddress = regexp.MustCompile(`^/*(?i:api|oauth)(?:[^\w.~-]|$)`)

// OfService reports whether an address is the service's, however it is written: a
// program that mistook a letter or a slash reads an envelope all the same.
func OfService(address string) bool {
	return serviceAddress.MatchString(address) || serviceAddress.MatchString(path.Clean("/"+address))
}

// router is echo with our middleware, our error page and the table of routes.
func (s *server) router() *echo.Echo {
	e := echo.New()
	e.HideBanner, e.HidePort = true, true
	e.Logger.SetLevel(99) // nothing of echo's own: we log with slog
	e.IPExtractor = func(r *http.Request) string { return ClientAddress(r, s.TrustedProxies) }
	e.HTTPErrorHandler = s.fail
	e.Use(requestID, origin, s.secureHeaders, s.access, s.recover, s.inOne, s.bounded)
	s.patterns = map[string]bool{}
	for _, r := range s.routes() {
		s.patterns[r.path] = true
		e.Add(r.method, r.path, s.guarded(r))
		if r.method == http.MethodGet {
			e.Add(http.MethodHead, r.path, s.guarded(r))
		}
	}
	return e
}

// originCheck refuses unsafe requests that another site's page made.
func (s *server) originCheck() (func(http.Handler) http.Handler, error) {
	check := http.NewCrossOriginProtection()
	if s.PublicURL != "" {
		if err := check.AddTrustedOrigin(strings.TrimSuffix(s.PublicURL, "/")); err != nil {
			return nil, fmt.Errorf("public address: %w", err)
		}
	}
	check.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.tellForeignForm(r)
		s.pageHeaders(w.Header())
		ingress.Refused(w, r)
		http.Error(w, "Este formulário veio de outro endereço e não foi aceito. Abra o Guichê pelo endereço dele e tente "+
			"de novo.", http.StatusForbidden)
	}))
	return check.Handler, nil
}
