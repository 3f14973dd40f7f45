package app_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"guiche/internal/apptest"
	"guiche/internal/blob/s3test"
	"guiche/internal/postgres/postgrestest"
)

// TestDatabase_Pooler: PgBouncer may give each transaction another connection; many people at once work
// through a few.
func TestDatabase_Pooler(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{Database: postgrestest.Pooled(t)})
	ana := p.LogIn(t, apptest.Reception)
	sent := ana.SubmitWith(nil)
	var working sync.WaitGroup
	for range 12 {
		tab := ana.Twin()
		working.Go(func() {
			for _, path := range []string{"/fila", "/historico?q=beneficiaria", sent.Path, "/nova"} {
				if page := tab.Get(path); page.Status != http.StatusOK {
					t.Errorf("%s: %d", path, page.Status)
				}
			}
		})
	}
	working.Wait()
	if page := ana.Get("/historico"); !strings.Contains(string(page.Body), "Beneficiária de Teste") {
		t.Error("the request is not in the history")
	}
	if log := p.Log.String(); strings.Contains(log, `"level":"ERROR"`) {
		t.Errorf("errors were logged: %s", log)
	}
}

// TestDatabase_Pooler_Standby: a pooler that leads to a standby, which only shows what was, is told to the balancer.
func TestDatabase_Pooler_Standby(t *testing.T) {
	t.Parallel()
	server := postgrestest.Start(t)
	p := apptest.Start(t, apptest.Options{Database: server.Pooled(t)})
	ana, ready := p.LogIn(t, apptest.Reception), p.Client(t)
	says := func(status int) func() bool {
		return func() bool { return ready.Get("/readyz").Status == status }
	}
	apptest.Eventually(t, "it is ready", says(http.StatusOK))
	server.Standby(t)
	apptest.Eventually(t, "pages show what was", func() bool { return ana.Get("/ajuda").Status == http.StatusOK })
	if !says(http.StatusServiceUnavailable)() {
		t.Error("nobody is told that it takes nothing new")
	}
	server.Promote(t)
	apptest.Eventually(t, "it is back", says(http.StatusOK))
}

// TestDatabase_Pooler_Processes: two processes share one PgBouncer. People send and look at both at once.
func TestDatabase_Pooler_Processes(t *testing.T) {
	t.Parallel()
	bucket := s3test.Start(t)
	if bucket == nil {
		return
	}
	first := apptest.Start(t, apptest.Options{Database: postgrestest.Pooled(t), Configure: inBucket(bucket)})
	second := apptest.Start(t, apptest.Options{Beside: first})
	ana := first.LogIn(t, apptest.Reception)
	there := at(second, ana)
	const people = 6
	var working sync.WaitGroup
	for n := range people {
		tab, other := ana.Twin(), there.Twin()
		if n%2 == 1 {
			tab, other = other, tab
		}
		working.Go(func() {
			sent := tab.SubmitWith(nil)
			for _, path := range []string{"/fila", sent.Path, "/historico?q=beneficiaria", "/nova"} {
				if page := other.Get(path); page.Status != http.StatusOK {
					t.Errorf("%s: %d", path, page.Status)
				}
			}
		})
	}
	working.Wait()
	for name, c := range map[string]*apptest.Client{"first": ana, "second": there} {
		if n := c.Get("/historico").Count("main tbody tr"); n != people {
			t.Errorf("the %s lists %d requests, want %d", name, n, people)
		}
	}
	if log := first.Log.String() + second.Log.String(); strings.Contains(log, `"level":"ERROR"`) {
		t.Errorf("errors were logged: %s", log)
	}
}
