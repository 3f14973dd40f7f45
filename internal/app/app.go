// Package app wires the parts of Guichê in reading order: people and the audit
// trail, the embedded service or the road to another one, the desk, and the
// browser's door. Commands, tests and benchmarks start the program through it.
package app

import (
	"context"
	"fmt"
	"path/filepath"

	"guiche/internal/blob/files"
	"guiche/internal/connection"
	"guiche/internal/desk"
	"guiche/internal/report"
	"guiche/internal/webui"
)

// App is a whole Guichê. New binds its address; Run serves until told to stop.
type App struct {
	office
	blobs      *files.Store // the desk's
	road       *road
	connection *connection.Manager
	desk       *desk.Desk
	history    *report.History
}

// New checks the configuration, opens everything and binds the address. What it
// returns is to be closed.
func New(ctx context.Context, c Config) (*App, error) {
	a := &App{office: office{config: c.withDefaults()}}
	err := a.open(ctx, a.openPeople, a.openService, a.openFiles, a.openDesk, a.openHistory, a.fillDemo, a.inviteFirst, a.openFront)
	if err != nil {
		a.Close()
		return nil, err
	}
	return a, nil
}

func (a *App) openService(ctx context.Context) error {
	if a.config.BaseURL != "" {
		return nil
	}
	if err := a.openEmbedded(ctx); err != nil {
		return err
	}
	return a.people.directory.Follow(ctx, a.embedded)
}

func (a *App) openFiles(context.Context) (err error) {
	a.blobs, err = files.Open(files.Options{Dir: filepath.Join(a.config.DataDir, "desk"), Clock: a.config.Clock})
	if err != nil {
		return fmt.Errorf("GUICHE_DATA: %w", err)
	}
	a.onClose(a.blobs.Close)
	return nil
}

func (a *App) openDesk(ctx context.Context) error {
	a.road = newRoad(a)
	a.onClose(a.road.Close)
	var err error
	a.desk, err = desk.New(desk.Config{
		Store: a.people.deskStore(), Blobs: a.blobs, Directory: a.people.directory, Service: a.road,
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

// openFront opens the door with a desk behind it.
func (a *App) openFront(ctx context.Context) error {
	return a.openDoor(ctx, webui.Config{
		Front: &webui.Front{Desk: a.desk, History: a.history, Directory: a.people.directory, Connection: a.connection,
			Lister: a.road, NoService: a.noService},
		Console: a.consoleConfig(a.otherService), DemoLogins: a.demoLoginRows(),
	})
}

// Run serves until ctx is done, then stops: no new request is taken, those that
// run are finished, what is on the wire gets its time for an answer.
func (a *App) Run(ctx context.Context) error {
	if err := a.announceDemo(ctx); err != nil {
		return err
	}
	return a.run(ctx, a.desk.Run, unfailing(a.history.Run), unfailing(a.road.announceFeatures), unfailing(a.followConnection))
}

// unfailing is a work that ends with its context only.
func unfailing(work func(context.Context)) func(context.Context) error {
	return func(ctx context.Context) error {
		work(ctx)
		return nil
	}
}
