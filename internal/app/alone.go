package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"

	"guiche/internal/service"
)

// Alone is the authorization service without the desk. NewAlone binds its
// address; Run serves until told to stop.
type Alone struct {
	config   Config
	embedded *embedded
	listener net.Listener
	server   *http.Server
	chores   sync.WaitGroup
}

// serviceFile is service.json: where the service is, and the key of this
// installation's own partner profile.
type serviceFile struct {
	URL    string `json:"url"`
	APIKey string `json:"api_key"`
}

// NewAlone checks the configuration, opens the service and binds the address.
// What it returns is to be closed. Settings of the desk do not count.
func NewAlone(ctx context.Context, c Config) (_ *Alone, err error) {
	c = c.withDefaults()
	if err := c.Check(); err != nil {
		return nil, err
	}
	a := &Alone{config: c}
	defer func() {
		if err != nil {
			a.Close()
		}
	}()
	if a.embedded, err = openEmbedded(ctx, c); err != nil {
		return nil, err
	}
	if err := a.fill(ctx); err != nil {
		return nil, fmt.Errorf("fill the service: %w", err)
	}
	if a.listener, err = c.listen(ctx); err != nil {
		return nil, err
	}
	a.server = newServer(a.handler(), c.Logger)
	return a, nil
}

// fill gives simulated operators what they need to be tried, once.
func (a *Alone) fill(ctx context.Context) error {
	if !a.config.Simulated {
		return nil
	}
	if some, err := a.embedded.service.Admin().HasCredentials(ctx); err != nil || some {
		return err
	}
	for _, u := range demoUnits() {
		if err := a.embedded.FollowUnit(ctx, u); err != nil {
			return err
		}
	}
	for _, p := range demoProfessionals() {
		if err := a.embedded.FollowProfessional(ctx, p); err != nil {
			return err
		}
	}
	return a.embedded.fillCredentials(ctx)
}

// handler is the service's interface, and /healthz, which says whether its
// database answers.
func (a *Alone) handler() http.Handler {
	api := a.embedded.service.Handler()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/healthz" || r.Method != http.MethodGet && r.Method != http.MethodHead {
			api.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cache-Control", "no-store")
		if _, err := a.embedded.service.Admin().HasCredentials(r.Context()); err != nil {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		_, _ = io.WriteString(w, "ok\n") // whoever asked has gone
	})
}

// Run serves until ctx is done, then stops: requests that run are finished,
// operators that are being asked get their time.
func (a *Alone) Run(ctx context.Context) error {
	defer a.chores.Wait() // after cancel
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if err := a.announce(ctx); err != nil {
		return err
	}
	a.chores.Go(func() { a.embedded.work(ctx) })
	failed := make(chan error, 1)
	go func() {
		if err := a.server.Serve(a.listener); !errors.Is(err, http.ErrServerClosed) {
			failed <- fmt.Errorf("serve: %w", err)
		}
	}()
	select {
	case <-ctx.Done():
	case err := <-failed:
		return errors.Join(err, a.server.Close())
	}
	stopping, end := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
	defer end()
	if err := a.server.Shutdown(stopping); err != nil {
		a.config.Logger.Warn("requests were cut short", "err", err)
		return a.server.Close()
	}
	return nil
}

// announce writes service.json with a fresh key, readable by the owner of the
// folder only: the way in for whoever runs the program.
func (a *Alone) announce(ctx context.Context) error {
	key, err := a.embedded.mint(ctx, service.DeskProfile())
	if err != nil {
		return fmt.Errorf("mint the installation's key: %w", err)
	}
	return writePrivate(a.config.DataDir, "service.json", serviceFile{URL: a.URL(), APIKey: key})
}

// Close releases everything; it may be called after NewAlone failed and after Run.
func (a *Alone) Close() {
	var errs []error
	if a.server != nil {
		errs = append(errs, a.server.Close())
	}
	if a.listener != nil {
		errs = append(errs, closeListener(a.listener))
	}
	if a.embedded != nil {
		errs = append(errs, a.embedded.Close())
	}
	if err := errors.Join(errs...); err != nil {
		a.config.Logger.Error("close", "err", err)
	}
}

// URL is the service's {base_url}.
func (a *Alone) URL() string { return a.config.url(a.listener.Addr()) }
