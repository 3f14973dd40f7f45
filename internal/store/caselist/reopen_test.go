package caselist_test

import (
	"context"
	"testing"

	"guiche/internal/store/caselist"
	"guiche/internal/store/engine"
)

// TestReopen: a concluded case stands again where it stood, unless it would have left by now.
func TestReopen(t *testing.T) {
	within(t, 3, func(tx *engine.Tx, _ caselist.FilterValues, rows []caselist.Row) {
		mustSend(t, tx, rows)
		const since = now - hour // of all three
		for _, id := range []int64{1, 3} {
			must(t, caselist.Conclude(t.Context(), tx, id))
		}
		rows[0].Group, rows[0].ChangedAt, rows[2].Group, rows[2].ChangedAt = 7, now, 7, now
		checkCounts(t, tx, rows, nil, now)
		must(t, caselist.Reopen(t.Context(), tx, 3))
		rows[2].Group, rows[2].ChangedAt = 5, since
		checkCounts(t, tx, rows, nil, now)
		tx.Now = engine.Time(since + 31*day)
		must(t, caselist.Reopen(t.Context(), tx, 1))
		if page, err := (caselist.Queue{Group: 5, Limit: 9}).Read(t.Context(), tx, nil); err != nil || len(page) != 2 {
			t.Errorf("a month later: got %d of the group, %v, want the two that stood there", len(page), err)
		}
		if page, err := (caselist.Queue{Group: 7, Limit: 9}).Read(t.Context(), tx, nil); err != nil || len(page) != 0 {
			t.Errorf("a month later: got %d closed, %v", len(page), err)
		}
	}, func(r *caselist.Row) { r.Group, r.ChangedAt = 5, now-hour })
}

// TestConclude_Nowhere: what stands in no queue is neither concluded nor reopened: a case
// that is missing, damaged or corrected.
func TestConclude_Nowhere(t *testing.T) {
	for name, do := range map[string]func(context.Context, *engine.Tx, int64) error{"Conclude": caselist.Conclude, "Reopen": caselist.Reopen} {
		t.Run(name, func(t *testing.T) {
			within(t, 3, func(tx *engine.Tx, _ caselist.FilterValues, rows []caselist.Row) {
				mustSend(t, tx, rows)
				_, err := tx.Exec(t.Context(), `UPDATE case_summary SET card_number = 'other' WHERE submission_id = 2`)
				must(t, err)
				must(t, caselist.Change(t.Context(), tx, 3, func(r *caselist.Row) { r.Corrected = true }))
				rows[2].Corrected = true
				for _, id := range []int64{2, 3, 99} {
					must(t, do(t.Context(), tx, id))
				}
				checkCounts(t, tx, rows, nil, now-day)
			}, func(r *caselist.Row) { r.Group, r.ChangedAt = 5, now-hour })
		})
	}
}
