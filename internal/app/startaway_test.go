package app_test

import (
	"context"
	"errors"
	"log/slog"
	"strconv"
	"testing"
	"time"

	"guiche/internal/app"
	"guiche/internal/apptest"
	"guiche/internal/client/faultservice"
	"guiche/internal/postgres/postgrestest"
)

// TestStart_Away: a start whose database server ends in the middle of it waits for the server and begins anew.
func TestStart_Away(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]apptest.Options{"Desk": {Faults: &faultservice.Config{}}, "Service": {Standalone: true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ways := postgrestest.Counted(t)
			o.Database = ways.Through(postgrestest.Database(t))
			p := apptest.Start(t, o)
			for at := 1; ; at += 4 {
				var cut bool
				t.Run(strconv.Itoa(at), func(t *testing.T) {
					p.Stop()
					ways.Cut(at)
					p.Restart(func(c *app.Config) { c.Wait = time.Minute })
					cut = ways.IsCut()
				})
				if !cut {
					break // a start needs less, and what follows it
				}
			}
		})
	}
}

// TestStart_AwayStopped: a start that is told to stop while it waits for its database says that it was stopped.
func TestStart_AwayStopped(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	var said apptest.Log
	config := app.Config{
		Addr: "127.0.0.1:0", DataDir: t.TempDir(), Wait: time.Hour, Logger: slog.New(slog.NewJSONHandler(&said, nil)),
		Database: app.Database{URL: "postgres://guiche@127.0.0.1:1/guiche"},
	}
	started := make(chan error, 1)
	go func() {
		_, err := app.New(ctx, config)
		started <- err
	}()
	apptest.Eventually(t, "it waits", func() bool { return said.Contains("the start waits for the database") })
	stop()
	if err := <-started; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
