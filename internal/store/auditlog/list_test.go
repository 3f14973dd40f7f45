package auditlog_test

import (
	"strings"
	"testing"

	"guiche/internal/audit"
	"guiche/internal/store/auditlog"
	"guiche/internal/store/engine"
	"guiche/internal/store/storetest"

	"github.com/google/uuid"
)

// TestListQuery: rare events are found by their index, and what somebody did. That of which
// most entries tell is read backwards, and so is a period.
func TestListQuery(t *testing.T) {
	storetest.OfSQLite(t)
	log := MustOpen(t)
	for name, tt := range map[string]struct {
		filter auditlog.Filter
		index  string // "" for none
	}{
		"rare":     {auditlog.Filter{Event: audit.LoggedIn}, "audit_entry_event"},
		"refused":  {auditlog.Filter{Denied: true}, "audit_entry_event"},
		"frequent": {auditlog.Filter{Event: audit.CaseViewed}, ""},
		"actor":    {auditlog.Filter{Actor: uuid.UUID{1}}, "audit_entry_actor"},
		"period":   {auditlog.Filter{From: start, To: start}, ""},
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
		steps := strings.Join(plan, "\n")
		if !strings.Contains(steps, tt.index) || tt.index == "" && strings.Contains(steps, "INDEX audit_entry") {
			t.Errorf("%s: got the plan\n%s", name, steps)
		}
	}
}
