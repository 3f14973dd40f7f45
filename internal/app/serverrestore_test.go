package app_test

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guiche/internal/app"
	"guiche/internal/apptest"
	"guiche/internal/blob/s3test"
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

// TestRestoredByServer_TrailEnd: rows that are older than the bucket's files have lost the end of the audit trail;
// that is said on a machine without a head of its own, until a person ends the alarm.
func TestRestoredByServer_TrailEnd(t *testing.T) {
	t.Parallel()
	const strip = `[aria-label="A corrente da auditoria não confere."]`
	bucket := s3test.Start(t)
	if bucket == nil {
		return
	}
	database := postgrestest.Database(t)
	p := apptest.Start(t, apptest.Options{Database: database, Configure: inBucket(bucket)})
	p.Stop()
	old := postgrestest.Copy(t, database)
	p.Restart(nil)
	ana := p.LogIn(t, apptest.Reception)
	for range 10 { // more entries than the restored installation makes
		ana.Get("/historico?unidade=Centro")
		ana.SubmitWith(nil)
	}
	p.Stop()
	p.Clock.Advance(time.Minute)
	c := p.Config
	c.Database.URL, c.Keys, c.DataDir = old, filepath.Join(p.DataDir, "keys"), t.TempDir()
	if _, err := app.RestoredByServer(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	restored := apptest.Start(t, apptest.Options{Beside: p, Configure: func(c *app.Config) { c.Database.URL = old }})
	rui := restored.LogIn(t, apptest.Administration)
	apptest.Eventually(t, "the end is missing", func() bool { return rui.Get("/auditoria").Has(strip) })
	typed := rui.Get("/auditoria").Form("#alarme")
	typed.Set("motivo", "copia_restaurada")
	if got := rui.Post("/auditoria/alarme", typed); got.Has(strip) {
		t.Errorf("the alarm goes on: %s", got.Text("#corrente"))
	}
}
