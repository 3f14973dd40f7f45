package webui_test

import (
	"path/filepath"
	"strings"
	"testing"

	"guiche/internal/apptest"
	"guiche/internal/sqlite"
	"guiche/internal/store/engine"
	"guiche/migrations"

	"github.com/google/uuid"
)

// TestRequestID: the id of the browser's request that submitted stands in the log
// of the desk, in that of the service and in its ledger.
func TestRequestID(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	v := p.LogIn(t, apptest.Reception)
	address, form := v.NewDraft()
	v.Post(address+"/revisar", form)
	id := v.StayOnRedirect().Post(address+"/enviar", nil).Header.Get("X-Request-Id")
	if uuid.Validate(id) != nil {
		t.Fatalf("X-Request-Id: got %q, want a UUID", id)
	}
	for _, route := range []string{`"route":"/nova/:uid/enviar"`, `"route":"/api/v2/autorizar/sp-sadt"`} {
		apptest.Eventually(t, "a line of the log about "+route, func() bool {
			for line := range strings.Lines(p.Log.String()) {
				if strings.Contains(line, route) && strings.Contains(line, `"id":"`+id+`"`) {
					return true
				}
			}
			return false
		})
	}
	if got := ledgerIDs(t, p); len(got) != 1 || got[0] != id {
		t.Errorf("the ledger has %q, want %q", got, id)
	}
}

// ledgerIDs are the request ids that the ledger of the embedded service has.
func ledgerIDs(t *testing.T, p *apptest.Server) (ids []string) {
	t.Helper()
	db, err := sqlite.Open(t.Context(), sqlite.Options{Path: filepath.Join(p.DataDir, "service", "service.db"),
		Migrations: migrations.Service})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	ids, err = engine.Get(t.Context(), db, func(tx *engine.Tx) ([]string, error) {
		return engine.List(t.Context(), tx, func(r engine.Row) (id string, err error) { return id, r.Scan(&id) },
			`SELECT x_request_id FROM request`)
	})
	if err != nil {
		t.Fatal(err)
	}
	return ids
}
