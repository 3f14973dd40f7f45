package app_test

import (
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
