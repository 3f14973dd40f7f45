package app

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"guiche/internal/atomicfile"
	"guiche/internal/diskspace"
	"guiche/internal/ingress"
	"guiche/internal/integrity"
	"guiche/internal/metrics"
	"guiche/internal/store/auditlog"
	"guiche/internal/webui"
)

// baseServer is what an App and a Standalone have in common: guiche.db, the audit
// trail, and one address with the pages and the API behind it. Each step that opens
// a part adds it to pages, to background where it runs beside the requests, and to
// closers.
type baseServer struct {
	config     Config
	data       *deskData
	monitor    *auditlog.Monitor
	integrity  *integrityJob
	place      blobPlace
	pages      webui.Config
	listener   net.Listener
	front      *front
	server     *http.Server
	served     chan error                      // how the server ended
	handler    http.Handler                    // of everything, once the program has started
	setupPath  string                          // of the first administrator's link
	wrap       func(http.Handler) http.Handler // what stands before everything; nil for nothing
	anonymous  ingress.Anonymous
	metrics    *metrics.Metrics // nil where nobody reads them
	stopping   atomic.Bool
	readiness  []func(context.Context) error // of the parts
	degraded   []degradation
	background []func(context.Context) error
	closers    []func() error

	metricsAddress string
	outage         *outage // nil where no server keeps the rows
}

// open checks the configuration, binds the address and takes the steps in order.
func (s *baseServer) open(ctx context.Context, steps ...func(context.Context) error) error {
	if err := s.config.Check(); err != nil {
		return err
	}
	s.quietOutages()
	for _, step := range append([]func(context.Context) error{s.bind, s.openMetrics}, steps...) {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// bind takes the address and answers there that the program starts.
func (s *baseServer) bind(ctx context.Context) (err error) {
	if s.listener, err = s.config.listen(ctx); err != nil {
		return err
	}
	s.front, s.served = newFront(), make(chan error, 1)
	s.server = newServer(s.front, s.config.Logger)
	s.onClose(s.server.Close)
	go func() { s.served <- s.server.Serve(s.listener) }() // ends with Close
	return nil
}

// inBackground adds what Run does beside answering requests, until its context ends.
func (s *baseServer) inBackground(work func(context.Context)) {
	s.background = append(s.background, func(ctx context.Context) error {
		work(ctx)
		return nil
	})
}

// afterFirst adds what Run does when the first request was answered, as that would take the
// processors from it.
func (s *baseServer) afterFirst(work func(context.Context)) {
	s.inBackground(func(ctx context.Context) {
		s.front.awaitFirst(ctx)
		work(ctx)
	})
}

// onClose adds what Close undoes, last first.
func (s *baseServer) onClose(f func() error) { s.closers = append(s.closers, f) }

// openDisk comes before everything that writes: on a full disk it gives the reserve up.
func (s *baseServer) openDisk(context.Context) error {
	c := &s.config
	if err := atomicfile.EnsureFolder(c.DataDir, 0o700); err != nil {
		return fmt.Errorf("GUICHE_DATA: %w", err)
	}
	c.disk = diskspace.Open(diskspace.Config{Dir: c.DataDir, MinFree: c.MinFree, Free: c.Free, Logger: c.Logger})
	s.inBackground(c.disk.Run)
	s.degraded = append(s.degraded, degradation{"space", func(context.Context) bool { return c.disk.Short() }})
	s.pages.Space = c.disk.State
	return nil
}

func (s *baseServer) openDeskData(ctx context.Context) (err error) {
	if s.data, err = openDeskData(ctx, s.config); err != nil {
		return err
	}
	s.onClose(s.data.Close)
	if !s.config.onServer() { // there what is looked at is written while this machine's disk is full
		s.openJournal(ctx)
	}
	s.readiness = append(s.readiness, s.data.ready)
	s.monitor = auditlog.NewMonitor(auditlog.MonitorConfig{
		Log: s.data.trail, Path: filepath.Join(s.config.DataDir, "desk", "audit.head"), Clock: s.config.Clock, Logger: s.config.Logger,
		AddressLife: s.config.AuditAddressLife,
	})
	s.afterFirst(s.monitor.Run)
	s.degraded = append(s.degraded, degradation{"trail", s.trailBroken}, degradation{"damage", s.damaged})
	s.pages.Accounts, s.pages.Trail = s.data.accounts, s.monitor
	s.pages.Console.Trail = s.data.trail
	s.openIntegrity()
	s.share(s.data.db, "searches", s.data.accounts.ShareSearches)
	s.watchClock(s.data.db)
	if s.outage != nil {
		s.inBackground(func(ctx context.Context) { s.outage.watch(ctx, s.databasesAnswer) })
	}
	return nil
}

// openJournal opens where looks are kept while the database has no space. Without it they
// are refused then.
func (s *baseServer) openJournal(ctx context.Context) {
	journal, err := s.data.openJournal(filepath.Join(s.config.DataDir, "desk", "looks.journal"))
	if err != nil {
		s.config.Logger.WarnContext(ctx, "looks cannot be kept while the disk is full", "error", err)
		return
	}
	s.onClose(journal.Close)
}

// openEmbedded opens the embedded service; its API and its console stand at the
// server's address.
func (s *baseServer) openEmbedded(ctx context.Context) (*embedded, error) {
	blobs, err := s.openBlobs(serviceHalf)
	if err != nil {
		return nil, err
	}
	s.onClose(blobs.Close)
	e, err := openEmbedded(ctx, s.config, blobs, &s.anonymous, s.metrics.Requests("service"))
	if err != nil {
		return nil, err
	}
	s.onClose(e.Close)
	s.integrity.databases[integrity.Service] = e.db
	s.integrity.watchService(e)
	s.inBackground(e.service.Work)
	s.share(e.db, "traffic", e.api.ShareTraffic)
	s.afterFirst(e.sweeper.Run)
	s.afterFirst(e.syncer.Run)
	s.readiness = append(s.readiness, e.ready)
	s.pages.API, s.pages.DemoCards = s.config.hosts().Guard(e.api.Handler(), e.api.Misdirected()), demoCards(e.simulation)
	s.pages.Console.Admin, s.pages.Console.Traffic = e.admin, e.api.Traffic
	return e, nil
}

// inviteFirst makes the one-time link of an installation without people.
func (s *baseServer) inviteFirst(ctx context.Context) error {
	some, err := s.data.accounts.HasUsers(ctx)
	if err != nil || some {
		return err
	}
	token, err := s.data.accounts.InviteFirstAdministrator(ctx)
	s.setupPath = activationPath(token)
	return err
}

// openWeb makes the pages of what the steps before have opened.
func (s *baseServer) openWeb(context.Context) (err error) {
	c, pages := s.config, s.pages
	pages.PublicURL, pages.TLS, pages.TrustedProxies, pages.Insecure = c.PublicURL, c.tls(), c.TrustedProxies, c.exposed()
	pages.Hosts, pages.LinkAddress, pages.Anonymous, pages.Ready = c.hosts(), s.linkAddress, &s.anonymous, s.ready
	pages.AuditAddressDays = int(c.AuditAddressLife / (24 * time.Hour))
	pages.Observe = s.metrics.Requests("pages")
	pages.Zone, pages.Clock, pages.Logger = c.Zone, c.Clock, c.Logger
	if s.handler, err = webui.New(pages); err == nil && s.wrap != nil {
		s.handler = s.wrap(s.handler)
	}
	return err
}

// closeShare is the part of the time to stop that closing is left when requests have been
// cut.
const closeShare = 10

// run answers requests and does the background work until ctx is done or one of
// them fails. Then it stops: it is not ready any more, after Config.Drain takes no new
// request, finishes the running ones and waits for the background work.
func (s *baseServer) run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	all := append([]func(context.Context) error{s.serve}, s.background...)
	failed := make(chan error, len(all))
	var running sync.WaitGroup
	for _, work := range all {
		running.Go(func() {
			if err := work(ctx); err != nil {
				failed <- err
				cancel()
			}
		})
	}
	<-ctx.Done()
	s.stopping.Store(true)
	<-time.After(s.config.Drain) // whoever asks at /readyz sends nothing more by then
	s.shutdown(ctx)
	running.Wait()
	s.finish(ctx)
	close(failed)
	var errs []error
	for err := range failed {
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// serve answers requests until the server is shut down.
func (s *baseServer) serve(ctx context.Context) error {
	s.config.disk.Look(ctx)
	s.front.start(s.handler)
	if err := <-s.served; !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve: %w", err)
	}
	return nil
}

// shutdown lets running requests end for a while, then cuts them: a browser that keeps a
// connection open must not keep the process from stopping.
func (s *baseServer) shutdown(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.config.Shutdown-s.config.Shutdown/closeShare-s.config.Drain)
	defer cancel()
	if err := s.server.Shutdown(ctx); err != nil {
		s.config.Logger.Warn("requests were cut short", "error", err)
		_ = s.server.Close()
	}
}

// finish writes what the audit trail is owed. A server of the database may not answer, or have
// others write first: then it is left to the next start, or to the other processes.
func (s *baseServer) finish(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.config.Shutdown/closeShare/2) // the rest is to close
	defer cancel()
	s.monitor.Finish(ctx)
}

// Close releases everything; it may be called after opening failed and after Run.
func (s *baseServer) Close() {
	for i := len(s.closers) - 1; i >= 0; i-- {
		if err := s.closers[i](); err != nil {
			s.config.Logger.Error("close", "error", err)
		}
	}
	s.closers = nil
}

// URL is the address that people open, without a slash at its end.
func (s *baseServer) URL() string { return s.config.url(s.listener.Addr()) }

// Address is the host and port that the program listens on.
func (s *baseServer) Address() string { return s.listener.Addr().String() }

// SetupLink is the one-time address that creates the first administrator, ""
// when somebody exists already.
func (s *baseServer) SetupLink() string {
	if s.setupPath == "" {
		return ""
	}
	return s.URL() + s.setupPath
}
