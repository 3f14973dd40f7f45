package app_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"guiche/internal/app"
	"guiche/internal/apptest"
	"guiche/internal/client/faultservice"
	"guiche/internal/limittest"
)

// TestStart_Busy: a start while another program keeps the database waits for it, as it waits
// for another process that serves the folder.
func TestStart_Busy(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{Faults: &faultservice.Config{}})
	p.Stop()
	release := limittest.Occupy(t, p.Database(t))
	released := make(chan struct{})
	go func() {
		defer close(released)
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for !strings.Contains(p.Log.String(), "another program keeps the database") && t.Context().Err() == nil {
			<-tick.C
		}
		release()
	}()
	p.Restart(func(c *app.Config) { c.Wait = time.Minute })
	<-released
	if got := p.Client(t).Get("/entrar"); got.Status != http.StatusOK {
		t.Errorf("got %d, want the entry page", got.Status)
	}
}

// TestStart_BusyAfter: what a start has to make of rows from before is made although another program keeps the
// database just then, and not only by the next start.
func TestStart_BusyAfter(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{Faults: &faultservice.Config{}})
	p.Stop()
	db := p.Database(t)
	if _, err := db.ExecContext(t.Context(), `INSERT INTO checksum_pending (table_name) VALUES ('submission')`); err != nil {
		t.Fatal(err)
	}
	a, err := app.New(t.Context(), p.Config)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	release := limittest.Occupy(t, db)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- a.Run(ctx) }()
	apptest.Eventually(t, "it is said what is missing", func() bool { return strings.Contains(p.Log.String(), "got no checksums") })
	release()
	apptest.Eventually(t, "it is made", func() bool {
		var pending bool
		err := db.QueryRowContext(t.Context(), `SELECT EXISTS (SELECT 1 FROM checksum_pending)`).Scan(&pending)
		return err == nil && !pending
	})
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
