package app

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"sync"
	"time"

	"guiche/internal/store/auditlog"
	"guiche/internal/webui"
)

// office is what desk and service alone have in common: people and the audit trail
// of what they do, the embedded service, and the address with the browser's door
// and the API behind it.
type office struct {
	config   Config
	people   *people
	keeper   *auditlog.Keeper
	embedded *embedded // nil with another service
	listener net.Listener
	server   *http.Server
	setup    string // path of the first administrator's link
	closers  []func() error
	chores   sync.WaitGroup // what runs beside until run ends
}

// open checks the configuration and takes the steps in order.
func (o *office) open(ctx context.Context, steps ...func(context.Context) error) error {
	if err := o.config.Check(); err != nil {
		return err
	}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// onClose remembers what Close undoes, last first.
func (o *office) onClose(f func() error) { o.closers = append(o.closers, f) }

func (o *office) openPeople(ctx context.Context) (err error) {
	if o.people, err = openPeople(ctx, o.config); err != nil {
		return err
	}
	o.onClose(o.people.Close)
	o.keeper = auditlog.NewKeeper(auditlog.KeeperConfig{Log: o.people.trail, Path: filepath.Join(o.config.DataDir, "desk", "audit.head"),
		Clock: o.config.Clock, Logger: o.config.Logger})
	return nil
}

func (o *office) openEmbedded(ctx context.Context) (err error) {
	if o.embedded, err = openEmbedded(ctx, o.config); err != nil {
		return err
	}
	o.onClose(o.embedded.Close)
	return nil
}

// inviteFirst makes the one-time link of an installation without people.
func (o *office) inviteFirst(ctx context.Context) error {
	some, err := o.people.accounts.HasUsers(ctx)
	if err != nil || some {
		return err
	}
	token, err := o.people.accounts.InviteFirstAdministrator(ctx)
	o.setup = activationPath(token)
	return err
}

// openDoor binds the address; the door gets what every office has, beside what the
// caller gives it.
func (o *office) openDoor(ctx context.Context, door webui.Config) error {
	c := o.config
	door.Accounts, door.Trail = o.people.accounts, o.keeper
	door.PublicURL, door.TLS, door.TrustedProxies, door.Insecure = c.PublicURL, c.tls(), c.TrustedProxies, c.exposed()
	door.DemoCards = demoCards(o.embedded.simulated())
	door.Zone, door.Clock, door.Logger = c.Zone, c.Clock, c.Logger
	if o.embedded != nil {
		door.API = o.embedded.service.Handler()
	}
	handler, err := webui.New(door)
	if err != nil {
		return err
	}
	if o.listener, err = c.listen(ctx); err != nil {
		return err
	}
	o.server = newServer(handler, c.Logger)
	o.onClose(o.server.Close)
	o.onClose(func() error { return closeListener(o.listener) })
	return nil
}

// shutdownTime is how long requests that run may still take.
const shutdownTime = 20 * time.Second

// run answers requests and does the works until ctx is done or one of them fails,
// then stops: no new request is taken, those that run are finished, and so are the
// works.
func (o *office) run(ctx context.Context, works ...func(context.Context) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	works = append(works, o.serve)
	failed := make(chan error, len(works))
	for _, work := range works {
		o.chores.Go(func() {
			if err := work(ctx); err != nil {
				failed <- err
				cancel()
			}
		})
	}
	o.chores.Go(func() { o.embedded.work(ctx) })
	o.chores.Go(func() { o.keeper.Run(ctx) })
	<-ctx.Done()
	o.shutdown(ctx)
	o.chores.Wait()
	o.keeper.KeepHead(context.WithoutCancel(ctx))
	close(failed)
	var errs []error
	for err := range failed {
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// serve answers requests until the server is shut down.
func (o *office) serve(context.Context) error {
	if err := o.server.Serve(o.listener); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve: %w", err)
	}
	return nil
}

func (o *office) shutdown(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
	defer cancel()
	if err := o.server.Shutdown(ctx); err != nil {
		o.config.Logger.Warn("requests were cut short", "err", err)
		_ = o.server.Close()
	}
}

// Close releases everything; it may be called after opening failed and after Run.
func (o *office) Close() {
	for i := len(o.closers) - 1; i >= 0; i-- {
		if err := o.closers[i](); err != nil {
			o.config.Logger.Error("close", "err", err)
		}
	}
	o.closers = nil
}

// URL is the address that people open, without a slash at its end.
func (o *office) URL() string { return o.config.url(o.listener.Addr()) }

// Address is the host and port that the program listens on.
func (o *office) Address() string { return o.listener.Addr().String() }

// SetupLink is the one-time address that creates the first administrator, ""
// when there is somebody already.
func (o *office) SetupLink() string {
	if o.setup == "" {
		return ""
	}
	return o.URL() + o.setup
}
