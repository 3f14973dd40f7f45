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
