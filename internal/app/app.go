// Package app starts Guichê: it reads the configuration, opens the parts and wires
// them together in reading order, the whole program with a desk (App) or the
// authorization service alone (Standalone). Commands, tests and benchmarks start the
// program through it.
package app

import (
	"context"

	"guiche/internal/authorization"
	"guiche/internal/connection"
	"guiche/internal/desk"
	"guiche/internal/egress"
	"guiche/internal/integrity"
	"guiche/internal/report"
	"guiche/internal/store/deskstore"
	"guiche/internal/webui"
	"guiche/internal/webui/console"
)

// App is a whole Guichê, desk and service. New binds its address; Run serves until
// told to stop.
type App struct {
	baseServer
	embedded   *embedded    // nil where the configuration names another service
	blobs      blobStore    // the desk's
	route      egress.Route // to another service
	service    *serviceClient
	connection *connection.Manager
	cases      *deskstore.Store
	desk       *desk.Desk
	history    *report.History
	past       *past // nil without one to make
}

// New checks the configuration, opens everything and binds the address. The caller
// closes what it returns.
func New(ctx context.Context, c Config) (*App, error) {
	return whileAway(ctx, c.withDefaults(), newApp)
}

func newApp(ctx context.Context, c Config) (*App, error) {
	a := &App{baseServer: baseServer{config: c}}
	a.setBack()
	err := a.open(ctx, a.openDisk, a.warnOfServer, a.openDeskData, a.openPlace, a.openService, a.openFiles, a.openDesk, a.openConnection,
		a.openHistory, a.fillDemo, a.openPast, a.inviteFirst, a.openBackups, a.addDeskSources, a.openPages, a.announceDemo)
	if err != nil {
		a.Close()
		return nil, err
	}
	return a, nil
}

// openService opens the embedded service, unless the configuration names another.
func (a *App) openService(ctx context.Context) (err error) {
	a.pages.Console.Installation = console.OtherService
	if a.config.Connection.BaseURL != "" {
		return nil
	}
	a.pages.Console.Installation = console.WithDesk
	if a.embedded, err = a.openEmbedded(ctx); err != nil {
		return err
	}
	a.inBackground(func(ctx context.Context) {
		a.data.directory.CatchUp(ctx, func(err error) {
			a.config.Logger.ErrorContext(ctx, "the service cannot be told of units and professionals for now", "error", err)
		})
	})
	return a.data.directory.ReplicateTo(ctx, a.embedded)
}

func (a *App) openFiles(ctx context.Context) (err error) {
	if a.blobs, err = a.openBlobs(deskHalf); err != nil {
		return err
	}
	a.onClose(a.blobs.Close)
	names := deskstore.BlobNames(a.data.db)
	syncer := newSyncer(a.config, a.data.db, a.blobs, names)
	a.afterFirst(newSweeper(a.config, a.blobs, names).Run)
	a.afterFirst(syncer.Run)
	return syncer.Restore(ctx)
}

func (a *App) openDesk(context.Context) (err error) {
	c := a.config
	if a.route, err = c.route(); err != nil {
		return err
	}
	a.service, err = newServiceClient(clientConfigs{blobs: a.blobs, embedded: a.embedded, route: a.route, clock: c.Clock, logger: c.Logger},
		c.Logger)
	if err != nil {
		return err
	}
	a.service.metrics = a.metrics
	a.onClose(a.service.Close)
	a.inBackground(a.service.announceFeatures)
	a.cases = a.data.deskStore()
	a.integrity.watchDesk(a.cases)
	a.inBackground(func(ctx context.Context) {
		a.cases.LearnWords(ctx, func(err error) { c.Logger.ErrorContext(ctx, "words of cases cannot be written for now", "error", err) })
	})
	a.desk, err = desk.New(desk.Config{
		Store: a.cases, Blobs: a.blobs, Directory: a.data.directory, Service: a.service, Accounts: a.data.accounts,
		Simulated: a.simulated, Documents: uploadLimits(c.Connection), Space: c.disk.Requests, SharesDisk: a.service.embedded,
		Quota: c.DraftBytes, Clock: c.Clock, Zone: c.Zone,
		Logger: c.Logger, Shutdown: c.Shutdown, OnlyProcess: !c.onServer(), Damage: integrity.DeskFiles{Store: a.integrity},
		Moved: a.tellMoved(), Concluded: func(kind authorization.OutcomeKind) { a.metrics.Outcome(string(kind)) },
	})
	if err != nil {
		return err
	}
	a.service.accepted = a.desk.AccessAccepted
	a.background = append(a.background, a.desk.Run)
	return nil
}

func (a *App) openHistory(context.Context) (err error) {
	a.history, err = report.New(report.Config{
		Store: a.data.reportStore(a.cases), Clock: a.config.Clock, Zone: a.config.Zone, Logger: a.config.Logger,
	})
	if err != nil {
		return err
	}
	a.inBackground(a.history.Run)
	return nil
}

// openPages adds the desk's pages.
func (a *App) openPages(ctx context.Context) error {
	a.pages.Installation = webui.WithDesk(webui.DeskConfig{
		Desk: a.desk, History: a.history, Directory: a.data.directory, Connection: a.connection,
		Lister: a.service.lister, NoService: a.noService,
	})
	a.pages.Console.DeskService, a.pages.Console.DirectoryPath = a.deskService, "/cadastros"
	a.pages.Console.Desk = a.data.directory
	a.pages.DemoLogins, a.pages.Tour = a.demoLoginRows(), a.config.Demo && a.config.Past
	return a.openWeb(ctx)
}

// Run serves until ctx is done, then stops: it takes no new request, finishes the
// running ones, and leaves what is on the wire its time for an answer.
func (a *App) Run(ctx context.Context) error { return a.run(ctx) }
