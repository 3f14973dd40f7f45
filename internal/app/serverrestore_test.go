package app_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"guiche/internal/app"
	"guiche/internal/apptest"
	"guiche/internal/client/faultservice"
	"guiche/internal/postgres/postgrestest"
)

// TestRestoredByServer: what the rows hold as on its way is a doubt once the server was put back, nobody
// is logged in any more, and nothing of it is done while a process works.
func TestRestoredByServer(t *testing.T) {
	t.Parallel()
	database := postgrestest.Database(t)
	p := apptest.Start(t, apptest.Options{Database: database, Faults: &faultservice.Config{
		Answer: func(faultservice.Entry) (int, []byte) { return http.StatusTooManyRequests, nil }}})
	ana := p.LogIn(t, apptest.Reception)
	sent := ana.SubmitWith(nil)
	c := p.Config
	if _, err := app.RestoredByServer(t.Context(), c); err == nil || !strings.Contains(err.Error(), "is running") {
		t.Errorf("beside a process: got %v", err)
	}
	p.Stop()
	p.Clock.Advance(time.Minute)
	unknown, err := app.RestoredByServer(t.Context(), c)
	if err != nil || unknown != 1 {
		t.Fatalf("got %d, %v, want one doubt", unknown, err)
	}
	p.Restart(nil)
	if ana.LoggedIn() {
		t.Error("still logged in")
	}
	if got := p.LogIn(t, apptest.Reception).Get(sent.Path).Text("main"); !strings.Contains(got, "voltaram de uma cópia de segurança") {
		t.Errorf("got %s", got)
	}
	c.Database.URL = postgrestest.Database(t)
	if _, err := app.RestoredByServer(t.Context(), c); err == nil {
		t.Error("an empty database: got no error")
	}
}
