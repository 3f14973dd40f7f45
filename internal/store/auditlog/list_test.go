package auditlog_test

import (
	"strings"
	"testing"

	"guiche/internal/audit"
	"guiche/internal/store/auditlog"
	"guiche/internal/store/engine"
	"guiche/internal/store/storetest"
)

// TestListQuery: rare events are found by their index. That of which most entries tell is
// read backwards.
func TestListQuery(t *testing.T) {
	storetest.OfSQLite(t)
	log := MustOpen(t)
	for name, tt := range map[string]struct {
		filter  auditlog.Filter
		indexed bool
	}{
		"rare":     {auditlog.Filter{Event: audit.LoggedIn}, true},
		"refused":  {auditlog.Filter{Denied: true}, true},
		"frequent": {auditlog.Filter{Event: audit.CaseViewed}, false},
	} {
		query, args := auditlog.ListQuery(tt.filter)
		plan, err := engine.Get(t.Context(), log.db, func(tx *engine.Tx) ([]string, error) {
			return engine.List(t.Context(), tx, func(row engine.Row) (step string, err error) {
				var id, parent, unused int
				err = row.Scan(&id, &parent, &unused, &step)
				return step, err
			}, `EXPLAIN QUERY PLAN `+query, args...)
		})
		if err != nil {
			t.Fatal(err)
		}
		if steps := strings.Join(plan, "\n"); strings.Contains(steps, "audit_entry_event") != tt.indexed {
			t.Errorf("%s: got the plan\n%s", name, steps)
		}
	}
}
