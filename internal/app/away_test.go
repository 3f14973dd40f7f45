package app_test

import (
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"guiche/internal/app"
	"guiche/internal/apptest"
	"guiche/internal/postgres/postgrestest"
)

// TestDatabase_Away: while the server is gone pages say so calmly and nothing is half done; when it is back all goes
// on by itself.
func TestDatabase_Away(t *testing.T) {
	t.Parallel()
	server := postgrestest.Start(t)
	p := apptest.Start(t, apptest.Options{Database: server.Database(t)})
	ana, ready := p.LogIn(t, apptest.Reception), p.Client(t)
	earlier := ana.SubmitWith(nil)
	address, form := ana.NewDraft()
	server.Kill(t)
	apptest.Eventually(t, "it is known", func() bool {
		page := ready.Get("/readyz")
		return page.Status == http.StatusServiceUnavailable && string(page.Body) == "unavailable\n"
	})
	for name, page := range map[string]*apptest.Page{
		"queue": ana.Get("/fila"), "case": ana.Get(earlier.Path), "login": p.Client(t).LogIn(p.Login(apptest.Supervision)),
		"submit": ana.Post(address+"/enviar", form),
	} {
		if page.Status != http.StatusServiceUnavailable || !strings.Contains(page.Text("main"), "Tente de novo") {
			t.Errorf("%s: %d %s", name, page.Status, page.Text("main"))
		}
	}
	for who, client := range map[string]*apptest.Client{"anybody": ready, "logged in": ana} {
		if page := client.Get("/healthz"); page.Status != http.StatusOK { // or whoever looks after processes kills this one
			t.Errorf("%s: the process lives: got %d", who, page.Status)
		}
		if page := client.Get("/readyz"); page.Status != http.StatusServiceUnavailable || string(page.Body) != "unavailable\n" {
			t.Errorf("%s: readyz: got %d %q", who, page.Status, page.Body)
		}
	}
	server.Start(t)
	apptest.Eventually(t, "it is back", func() bool { return string(ready.Get("/readyz").Body) == "ready\n" })
	apptest.Eventually(t, "the log tells of the end", func() bool { return p.Log.Contains("the database answers again") })
	if n := strings.Count(p.Log.String(), "the database does not answer"); n != 1 || p.Log.Contains(`"look at the queue"`) {
		t.Errorf("the log tells of the outage %d times: %s", n, p.Log)
	}
	if page := ana.Get(earlier.Path); page.Status != http.StatusOK || page.Count(".tone-success") == 0 {
		t.Errorf("the case afterwards: %d", page.Status)
	}
	if sent := ana.Submit(address, form); sent.Status != http.StatusOK || !strings.HasPrefix(sent.Path, "/casos/") {
		t.Errorf("the request afterwards: %d at %s", sent.Status, sent.Path)
	}
}

// TestDatabase_NotLetIn: while the server lets nobody in, as a database is made anew, pages say so calmly and the log
// once; a start does not wait for what does not pass by itself.
func TestDatabase_NotLetIn(t *testing.T) {
	t.Parallel()
	server := postgrestest.Start(t)
	server.Exec(t, `CREATE DATABASE clinic`)
	p := apptest.Start(t, apptest.Options{Database: server.URL("clinic")})
	ana, ready := p.LogIn(t, apptest.Reception), p.Client(t)
	server.Exec(t, `ALTER DATABASE clinic ALLOW_CONNECTIONS false`)
	server.Exec(t, `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = 'clinic'`)
	server.Exec(t, `ALTER DATABASE clinic RENAME TO earlier`)
	if page := ana.Get("/fila"); page.Status != http.StatusServiceUnavailable || !strings.Contains(page.Text("main"), "Tente de novo") {
		t.Errorf("%d %s", page.Status, page.Text("main"))
	}
	_, err := app.New(t.Context(), app.Config{Addr: "127.0.0.1:0", DataDir: t.TempDir(), Wait: time.Hour,
		Logger: slog.New(slog.DiscardHandler), Database: app.Database{URL: server.URL("clinic")}})
	if err == nil || !strings.Contains(err.Error(), "GUICHE_DATABASE") || !strings.Contains(err.Error(), "it has no such database") {
		t.Errorf("a start says %v", err)
	}
	server.Exec(t, `ALTER DATABASE earlier RENAME TO clinic`)
	server.Exec(t, `ALTER DATABASE clinic ALLOW_CONNECTIONS true`)
	apptest.Eventually(t, "it is back", func() bool { return string(ready.Get("/readyz").Body) == "ready\n" })
	apptest.Eventually(t, "the log tells of the end", func() bool { return p.Log.Contains("the database answers again") })
	// a connection of before may still be answered between the first refusal and its end
	if n := strings.Count(p.Log.String(), "the database does not answer"); n < 1 || n > 2 {
		t.Errorf("the log tells of the outage %d times: %s", n, p.Log)
	}
}

// TestDatabase_Lost: a page whose server ends while the page is made comes whole or says calmly that it does not,
// also where its look may or may not be kept.
func TestDatabase_Lost(t *testing.T) {
	t.Parallel()
	ways := postgrestest.Counted(t)
	p := apptest.Start(t, apptest.Options{Database: ways.Through(postgrestest.Database(t))})
	ana := p.LogIn(t, apptest.Reception)
	sent := ana.SubmitWith(nil)
	for at := range 8 {
		for _, path := range []string{sent.Path, "/historico"} {
			ways.Cut(at + 1)
			page := ana.Get(path)
			calm := page.Status == http.StatusServiceUnavailable && strings.Contains(page.Text("main"), "Tente de novo")
			if page.Status != http.StatusOK && !calm {
				t.Errorf("%s, cut at way %d: %d %s", path, at+1, page.Status, page.Text("main"))
			}
		}
	}
}
