// Package apptest starts the whole program for tests and visits it over HTTP, as
// people with a browser and partners' programs do. Nothing in it is a stand-in:
// each test gets its own data folder, its own port and real SQLite files, or a
// database on a real PostgreSQL server where GUICHE_TEST_ENGINE says so; only the
// clock can be moved and passwords are hashed cheaply.
//
//	func TestQueue_ShowsWhatWasSent(t *testing.T) {
//		t.Parallel()
//		server := apptest.Start(t, apptest.Options{})
//		ana := server.LogIn(t, apptest.Reception)
//		ana.Submit(ana.NewDraft())
//		ana.Get("/fila").Check(t, apptest.Want{
//			Status: http.StatusOK,
//			Count:  map[string]int{"#fila tbody tr": 1},
//			Text:   map[string]string{"#fila tbody .cell-status": "Autorizado"},
//		})
//	}
package apptest

import (
	"cmp"
	"context"
	"encoding/json"
	"log/slog"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"guiche/internal/app"
	"guiche/internal/client/faultservice"
	"guiche/internal/password"
)

// Options says which program is started. Without any it is the demo: a desk with
// the embedded service, simulated operators, filled lists and a person of each
// role.
type Options struct {
	Standalone bool                 // the service without a desk
	Empty      bool                 // a person of each role and nothing else: no operators, nothing in the lists
	Fresh      bool                 // not even people, as at a first start
	Past       bool                 // the demo with cases of three weeks until now, made once for all tests of a package
	Faults     *faultservice.Config // a desk at a service that misbehaves when told to, with one unit and one professional
	Now        time.Time            // where its clock stands still; the zero value: it goes on
	On         *Server              // whose folder and people it has; nil means a folder of its own
	Database   string               // postgres://… of an empty database that keeps the rows; "" means as GUICHE_TEST_ENGINE says
	Beside     *Server              // whose database, keys and people it has, in a folder of its own
	Configure  func(c *app.Config)  // what else is to be set, and what has the last word
}

// Loopback are the addresses that tests come from, to be trusted as a proxy's.
var Loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}

// Server is a running program. It is stopped with its test.
type Server struct {
	URL     string // where tests reach it, without a slash at its end
	Host    string // the name that it answers to there
	DataDir string
	Config  app.Config // what it was started with
	Clock   *Clock
	Log     *Log
	Faults  *faultservice.Service // nil without Options.Faults

	t        testing.TB
	options  Options
	database string // postgres://… of the rows, "" for the folder
	program  program
	logins   []app.Login
	stop     func()

	faultURL string
}

// program is app.App or app.Standalone.
type program interface {
	Run(ctx context.Context) error
	Close()
	URL() string
	Address() string
	SetupLink() string
	MetricsAddress() string
}

// Start starts a program and stops it when the test ends. If the test failed, the
// program's log is shown.
func Start(t testing.TB, o Options) *Server {
	t.Helper()
	s := &Server{t: t, options: o, database: o.Database, Clock: &Clock{}, Log: &Log{}}
	if !o.Now.IsZero() {
		s.Clock.Set(o.Now)
	}
	switch {
	case o.On != nil:
		s.DataDir, s.database, s.logins = o.On.DataDir, o.On.database, o.On.logins
	case o.Beside != nil:
		s.DataDir, s.database, s.logins = t.TempDir(), o.Beside.database, o.Beside.logins
	case o.Database != "":
		s.DataDir = t.TempDir()
	default:
		s.DataDir = t.TempDir()
		s.fill()
	}
	t.Cleanup(func() {
		s.closeFaults() // first, so that nobody waits for an answer
		s.Stop()
		if t.Failed() {
			t.Logf("log:\n%s", s.Log)
		}
	})
	s.start(nil)
	if o.Database != "" {
		s.addPeople(t)
	}
	return s
}

// hostOf is the host of an address, as a browser names it.
func hostOf(t testing.TB, address string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u.Host
}

// stopTime is more than a program takes to stop.
const stopTime = 30 * time.Second

// start opens the program and runs it until stop.
func (s *Server) start(configure func(*app.Config)) {
	s.t.Helper()
	s.Config = s.config()
	for _, f := range []func(*app.Config){s.options.Configure, configure} {
		if f != nil {
			f(&s.Config)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	if err := s.open(ctx); err != nil {
		cancel()
		s.t.Fatalf("start: %v", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- s.program.Run(ctx) }()
	s.stop = sync.OnceFunc(func() {
		defer s.program.Close()
		cancel()
		select {
		case err := <-ended:
			if err != nil {
				s.t.Errorf("run ended with %v", err)
			}
		case <-time.After(stopTime):
			s.t.Errorf("the program does not stop")
		}
	})
	s.URL = s.program.URL()
	if s.Config.PublicURL != "" {
		s.URL = "http://" + s.program.Address() // the public address is a proxy's
	}
	s.Host = hostOf(s.t, s.program.URL())
	s.Client(s.t).Get("/entrar") // from here on it has started wholly
}

// config is what the options mean.
func (s *Server) config() app.Config {
	c := app.Config{
		Addr: "127.0.0.1:0", DataDir: s.DataDir, Version: "test", Clock: s.Clock.Now, Hasher: cheap,
		Logger: s.logger(),
	}
	c.Database.URL = s.database
	switch {
	case s.options.Beside != nil:
		c = s.options.Beside.Config
		c.Keys = cmp.Or(c.Keys, filepath.Join(c.DataDir, "keys"))
		c.DataDir, c.Clock, c.Logger = s.DataDir, s.Clock.Now, s.logger()
	case s.options.Faults != nil:
		c.Connection.BaseURL, c.APIKey = s.faults(), faultKey
	case s.options.Empty, s.options.Fresh:
	default:
		c.Demo, c.Simulated, c.Past = !s.options.Standalone, true, s.options.Past
	}
	return c
}

func (s *Server) logger() *slog.Logger {
	return slog.New(slog.NewJSONHandler(s.Log, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

// cheap hashes passwords as the program does, at the lowest cost there is.
var cheap = password.NewArgon2id(password.Argon2idConfig{MemoryKiB: 8, Passes: 1})

// open starts the kind of program that the test asked for.
func (s *Server) open(ctx context.Context) error {
	if s.options.Standalone {
		a, err := app.NewStandalone(ctx, s.Config)
		s.program = a
		return err
	}
	a, err := app.New(ctx, s.Config)
	s.program = a
	return err
}

// Stop ends the program before its test does; a second time does nothing.
func (s *Server) Stop() {
	if s.stop != nil {
		s.stop()
	}
}

// Restart stops the program and starts another one on its folder, with the same
// options and whatever configure changes, at another port unless that sets Addr.
// Whoever is logged in stays so. The service of Options.Faults goes on.
func (s *Server) Restart(configure func(c *app.Config)) {
	s.t.Helper()
	s.Stop()
	s.start(configure)
}

// Address is the host and port that the program listens on.
func (s *Server) Address() string { return s.program.Address() }

// MetricsAddress is the host and port where metrics are read, "" without any.
func (s *Server) MetricsAddress() string { return s.program.MetricsAddress() }

// SetupLink is the one-time address that creates the first administrator, ""
// when there is somebody already.
func (s *Server) SetupLink() string { return s.program.SetupLink() }

// APIKey returns the key that the program writes for whoever runs it: that of
// demo.json, or of service.json where there is no desk.
func (s *Server) APIKey() string {
	s.t.Helper()
	name := "demo.json"
	if s.options.Standalone {
		name = "service.json"
	}
	var file struct {
		Key string `json:"api_key"`
	}
	content, err := os.ReadFile(filepath.Join(s.DataDir, name))
	if err != nil || json.Unmarshal(content, &file) != nil || file.Key == "" {
		s.t.Fatalf("%s names no key: %v", name, err)
	}
	return file.Key
}
