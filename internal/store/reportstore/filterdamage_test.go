package reportstore_test

import (
	"testing"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/report"
	"guiche/internal/store/auditlog"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// TestStore_UseFilter_Damaged: a kept filter whose days cannot be read is an error, not a
// search of all days, and the trail tells of no search.
func TestStore_UseFilter_Damaged(t *testing.T) {
	for _, column := range []string{"from_day", "until_day"} {
		t.Run(column, func(t *testing.T) {
			db, s, _ := MustOpen(t)
			uid := uuid.New()
			MustDo(t, s.KeepFilter(t.Context(), ana, uid, report.Filter{From: authorization.DateOf(2026, 11, 1),
				Until: authorization.DateOf(2026, 11, 20)}))
			MustDo(t, db.Write(t.Context(), func(tx *engine.Tx) error {
				_, err := tx.Exec(t.Context(), `UPDATE history_filter SET `+column+` = 'x'`)
				return err
			}))
			if err := s.UseFilter(t.Context(), ana, uid, audit.Entry{Event: audit.HistorySearched}); err == nil {
				t.Error("got no error")
			}
			list, err := auditlog.New(db, audit.Key{1}).List(t.Context(), auditlog.Filter{Event: audit.HistorySearched})
			if err != nil || len(list) != 0 {
				t.Errorf("got %d searches in the trail, %v", len(list), err)
			}
		})
	}
}
