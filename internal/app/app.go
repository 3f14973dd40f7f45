// Package app wires the parts of Guichê in reading order: the desk's database and
// people, the embedded service or the road to another one, the desk, and the
// browser's door. Commands, tests and benchmarks start the program through it.
package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"sync"
	"time"

	"guiche/internal/connection"
	"guiche/internal/desk"
	"guiche/internal/document"
	"guiche/internal/report"
	"guiche/internal/sqlite/auditlog"
	"guiche/internal/webui"
)

// App is a whole Guichê. New binds its address; Run serves until told to stop.
type App struct {
	config     Config
	people     *people
	keeper     *auditlog.Keeper
	embedded   *embedded // nil with another service
	road       *road
	connection *connection.Manager
	desk       *desk.Desk
	history    *report.History
	listener   net.Listener
	server     *http.Server
	setup      string // path of the first administrator's link
	closers    []func() error
	chores     sync.WaitGroup // what runs beside until Run ends
}

// New checks the configuration, opens everything and binds the address. What it
// returns is to be closed.
func New(ctx context.Context, c Config) (_ *App, err error) {
	c = c.withDefaults()
	if err := c.Check(); err != nil {
		return nil, err
	}
	a := &App{config: c}
	defer func() {
		if err != nil {
			a.Close()
		}
	}()
	for _, step := range []func(context.Context) error{a.openPeople, a.openService, a.openDesk, a.openHistory, a.fillDemo, a.inviteFirst, a.openDoor} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	return a, nil
}

func (c Config) withDefaults() Config {
	if c.Clock == nil {
		c.Clock = time.Now
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	if c.Zone == nil {
		c.Zone, _ = time.LoadLocation("America/Sao_Paulo") // embedded by tzdata
	}
	if c.Uploads == (document.Limits{}) {
		c.Uploads = document.DefaultLimits()
	}
	return c
}

// onClose remembers what Close undoes, last first.
func (a *App) onClose(f func() error) { a.closers = append(a.closers, f) }

func (a *App) openPeople(ctx context.Context) (err error) {
	a.people, err = openPeople(ctx, a.config)
	if err != nil {
		return err
	}
	a.onClose(a.people.Close)
	a.keeper = auditlog.NewKeeper(auditlog.KeeperConfig{Log: a.people.trail, Path: filepath.Join(a.config.DataDir, "desk", "audit.head"),
		Clock: a.config.Clock, Logger: a.config.Logger})
	return nil
}

func (a *App) openService(ctx context.Context) (err error) {
	if a.config.BaseURL != "" {
		return nil
	}
	if a.embedded, err = openEmbedded(ctx, a.config); err != nil {
		return err
	}
	a.onClose(a.embedded.Close)
	return a.people.register.Follow(ctx, a.embedded)
}

func (a *App) openDesk(ctx context.Context) error {
	a.road = newRoad(a)
	a.onClose(a.road.Close)
	var err error
	a.desk, err = desk.New(desk.Config{
		Store: a.people.deskStore(), Blobs: a.people.blobs, Register: a.people.register, Service: a.road,
		Documents: a.config.Uploads, Clock: a.config.Clock, Zone: a.config.Zone, Logger: a.config.Logger,
	})
	if err != nil {
		return err
	}
	return a.openConnection(ctx)
}

func (a *App) openHistory(context.Context) (err error) {
	a.history, err = report.New(report.Config{Store: a.people.reportStore(), Clock: a.config.Clock, Zone: a.config.Zone, Logger: a.config.Logger})
	return err
}

// inviteFirst makes the one-time link of an installation without people.
func (a *App) inviteFirst(ctx context.Context) error {
	some, err := a.people.accounts.HasUsers(ctx)
	if err != nil || some {
		return err
	}
	token, err := a.people.accounts.InviteFirstAdministrator(ctx)
	a.setup = "/ativar/" + token
	return err
}

func (a *App) openDoor(ctx context.Context) error {
	door := webui.Config{
		Accounts: a.people.accounts, Trail: a.keeper,
		Front: &webui.Front{Desk: a.desk, History: a.history, Register: a.people.register, Connection: a.connection,
			NoService: a.noService, Uploads: a.config.Uploads},
		PublicURL: a.config.PublicURL, TLS: a.config.tls(), TrustedProxies: a.config.TrustedProxies, Insecure: a.config.exposed(),
		DemoLogins: a.demoLoginRows(), DemoCards: demoCards(a.embedded.simulated()), Zone: a.config.Zone, Clock: a.config.Clock, Logger: a.config.Logger,
	}
	door.Console = a.consoleConfig()
	if a.embedded != nil {
		door.API = a.embedded.service.Handler()
	}
	handler, err := webui.New(door)
	if err != nil {
		return err
	}
	if a.listener, err = a.config.listen(ctx); err != nil {
		return err
	}
	a.server = newServer(handler, a.config.Logger)
	a.onClose(a.server.Close)
	a.onClose(func() error { return closeListener(a.listener) })
	return nil
}

// Run serves until ctx is done, then stops: no new request is taken, those that
// run are finished, what is on the wire gets its time for an answer.
func (a *App) Run(ctx context.Context) error {
	defer a.chores.Wait() // after cancel
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if err := a.announceDemo(ctx); err != nil {
		return err
	}
	a.chores.Go(func() { a.road.announceFeatures(ctx) })
	failed := make(chan error, 2)
	go func() { failed <- a.desk.Run(ctx) }()
	a.chores.Go(func() { a.history.Run(ctx) })
	a.chores.Go(func() { a.embedded.work(ctx) })
	a.chores.Go(func() { a.keeper.Run(ctx) })
	go func() {
		if err := a.server.Serve(a.listener); !errors.Is(err, http.ErrServerClosed) {
			failed <- fmt.Errorf("serve: %w", err)
		}
	}()
	select {
	case <-ctx.Done():
		return a.stop(ctx, failed)
	case err := <-failed:
		cancel()
		return errors.Join(err, a.server.Close())
	}
}

// shutdownTime is how long requests that run may still take.
const shutdownTime = 20 * time.Second

// stop waits for the dispatcher after the browser's requests, both in their time.
func (a *App) stop(ctx context.Context, dispatcher <-chan error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
	defer cancel()
	if err := a.server.Shutdown(ctx); err != nil {
		a.config.Logger.Warn("requests were cut short", "err", err)
		_ = a.server.Close()
	}
	err := <-dispatcher
	a.keeper.KeepHead(context.WithoutCancel(ctx))
	return err
}

// Close releases everything; it may be called after New failed and after Run.
func (a *App) Close() {
	for i := len(a.closers) - 1; i >= 0; i-- {
		if err := a.closers[i](); err != nil {
			a.config.Logger.Error("close", "err", err)
		}
	}
	a.closers = nil
}

// URL is the address that people open, without a slash at its end.
func (a *App) URL() string { return a.config.url(a.listener.Addr()) }

// Address is the host and port that the program listens on.
func (a *App) Address() string { return a.listener.Addr().String() }

// SetupLink is the one-time address that creates the first administrator, ""
// when there is somebody already.
func (a *App) SetupLink() string {
	if a.setup == "" {
		return ""
	}
	return a.URL() + a.setup
}
