package app_test

import (
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
