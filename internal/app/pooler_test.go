package app_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"guiche/internal/apptest"
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
