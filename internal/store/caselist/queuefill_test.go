package caselist_test

import (
	"errors"
	"testing"

	"guiche/internal/store/caselist"
	"guiche/internal/store/engine"
)

// mustExec runs a statement that the program does not.
func mustExec(t *testing.T, db engine.DB, statement string, args ...any) {
	t.Helper()
	must(t, db.Write(t.Context(), func(tx *engine.Tx) error {
		_, err := tx.Exec(t.Context(), statement, args...)
		return err
	}))
}

// TestFillQueue: cases from before there was a queue come into it as their rows and events
// say, once however often the filling begins.
func TestFillQueue(t *testing.T) {
	db, rows := mustCases(t, 30)
	mustRebuild(t, db, allIDs(rows)...)
	mustExec(t, db, `INSERT INTO submission_event (submission_id, at, kind) VALUES (1, ?, 'concluido')`, now-hour)
	mustExec(t, db, `DELETE FROM queue_case`)
	mustExec(t, db, `DELETE FROM queue_count`)
	want := append([]caselist.Row(nil), rows...)
	want[0].Group, want[0].ChangedAt = 7, now-hour
	for _, when := range []string{"first", "again", "shown"} {
		if when == "shown" { // as it was before the queue showed rows
			mustExec(t, db, `UPDATE queue_case SET shown = NULL`)
		}
		mustExec(t, db, `INSERT INTO queue_pending VALUES (1)`)
		must(t, caselist.FillQueue(t.Context(), db))
		must(t, db.Read(t.Context(), func(tx *engine.Tx) error {
			checkCounts(t, tx, want, nil, now-2*day)
			return nil
		}))
		if differing, _ := mustCheck(t, db); len(differing) > 0 {
			t.Errorf("%s: got %q", when, differing)
		}
	}
}

// TestQueue_Unreachable: what cannot come into the queue, or be counted there, is an error.
func TestQueue_Unreachable(t *testing.T) {
	correct := func(corrected bool) func(db engine.DB) error {
		return func(db engine.DB) error {
			return db.Write(t.Context(), func(tx *engine.Tx) error {
				return caselist.Change(t.Context(), tx, 2, func(r *caselist.Row) { r.Corrected = corrected })
			})
		}
	}
	fill := func(db engine.DB) error { return caselist.FillQueue(t.Context(), db) }
	for name, tt := range map[string]struct {
		hidden string
		do     func(db engine.DB) error
	}{"Counted": {"queue_count", correct(false)}, "Entered": {"queue_case", correct(false)}, "Filled": {"queue_case", fill}} {
		t.Run(name, func(t *testing.T) {
			db, _ := mustCases(t, 2)
			mustRebuild(t, db, 1, 2)
			must(t, correct(true)(db))
			mustExec(t, db, `INSERT INTO queue_pending VALUES (1)`)
			mustExec(t, db, `ALTER TABLE `+tt.hidden+` RENAME TO hidden`)
			if err := tt.do(db); err == nil || errors.Is(err, engine.ErrAborted) {
				t.Errorf("got %v, want that there is no such table", err)
			}
		})
	}
}

func allIDs(rows []caselist.Row) (ids []int64) {
	for _, r := range rows {
		ids = append(ids, r.ID)
	}
	return ids
}

// TestQueue_Damaged_Limit: a page that begins with damaged cases is no longer than others.
func TestQueue_Damaged_Limit(t *testing.T) {
	within(t, 9, func(tx *engine.Tx, _ caselist.FilterValues, rows []caselist.Row) {
		mustSend(t, tx, rows)
		_, err := tx.Exec(t.Context(), `INSERT INTO damage (half, kind, name, case_uid, found_at) VALUES ('desk', 'registro', 'x', ?, 1)`,
			engine.UID(rows[4].UID))
		must(t, err)
		got, err := caselist.Queue{Group: caselist.AnyGroup, Limit: 3}.Read(t.Context(), tx, nil)
		if err != nil || len(got) != 3 || got[0].ID != 5 {
			t.Errorf("got %+v, %v, want three, the damaged one first", got, err)
		}
	}, func(r *caselist.Row) { r.Group, r.ChangedAt = 1, now })
}

// TestBegin_Forgets_Many: as many come at once, twice as many leave that have stood there for
// as long as they may.
func TestBegin_Forgets_Many(t *testing.T) {
	within(t, 8, func(tx *engine.Tx, _ caselist.FilterValues, rows []caselist.Row) {
		tx.Now = engine.Time(now + 30*day)
		fresh := make([]caselist.Row, 3)
		for i := range fresh {
			fresh[i] = rows[0]
			fresh[i].ID, fresh[i].UID, fresh[i].ChangedAt = int64(20+i), uidOf(8, byte(i)), engine.Micros(tx.Now)
		}
		must(t, caselist.Begin(t.Context(), tx, fresh...))
		tallies, err := caselist.Queue{}.Counts(t.Context(), tx)
		if err != nil || len(tallies) != 1 || tallies[0].Cases != 8+3-6 {
			t.Errorf("got %+v, %v, want five", tallies, err)
		}
	}, func(r *caselist.Row) { r.Group, r.ChangedAt = 5, now-hour })
}
