package app_test

import (
	"net/http"
	"strings"
	"testing"

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
	if page := ready.Get("/healthz"); page.Status != http.StatusOK { // or whoever looks after processes kills this one
		t.Errorf("the process lives: got %d", page.Status)
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
