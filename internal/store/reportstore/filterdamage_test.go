package reportstore_test

import (
	"testing"

	"guiche/internal/authorization"
	"guiche/internal/report"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// TestStore_Filter_Damaged: a kept filter whose days cannot be read is an error, not a
// search of all days.
func TestStore_Filter_Damaged(t *testing.T) {
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
			if _, err := s.Filter(t.Context(), ana, uid); err == nil {
				t.Error("got no error")
			}
		})
	}
}
