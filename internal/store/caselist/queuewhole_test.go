package caselist_test

import (
	"slices"
	"testing"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/store/caselist"
	"guiche/internal/store/checksum"
	"guiche/internal/store/engine"
)

// Harms to what is kept of the second case.
const (
	harmedRow = `UPDATE case_summary SET card_number = 'another' WHERE submission_id = 2`
	notShown  = `UPDATE queue_case SET shown = NULL WHERE submission_id = 2`
	otherwise = `UPDATE queue_case SET shown = checksum FROM case_summary s WHERE s.submission_id = queue_case.submission_id
		AND s.submission_id = 2`
)

// TestQueue_Read_NotWhole: what the queue shows of a case is read of its row where it is not as it was written. Where the
// row is not either, the case stands where it stood, and says nothing; those beside it say all, as they do without it.
func TestQueue_Read_NotWhole(t *testing.T) {
	for name, tc := range map[string]struct {
		harms   []string
		damaged bool
	}{
		"OK":        {nil, false},
		"Row":       {[]string{harmedRow}, false},
		"NotShown":  {[]string{notShown}, false},
		"Otherwise": {[]string{otherwise}, false},
		"Neither":   {[]string{harmedRow, notShown}, true},
	} {
		t.Run(name, func(t *testing.T) {
			within(t, 6, func(tx *engine.Tx, _ caselist.FilterValues, _ []caselist.Row) {
				for _, statement := range append(tc.harms, `UPDATE queue_case SET review = 7 WHERE submission_id = 3`) {
					_, err := tx.Exec(t.Context(), statement)
					must(t, err)
				}
				told := 0
				tell := func(checksum.Row) { told++ }
				got, err := caselist.Queue{Group: caselist.AnyGroup, Limit: 4}.Read(t.Context(), tx, tell)
				must(t, err)
				ending, err := caselist.Queue{Limit: 4}.Ending(t.Context(), tx, tell, "2026-12-01", "2026-12-09")
				must(t, err)
				if len(got) != 4 || len(ending) != 4 || (told > 0) != tc.damaged {
					t.Fatalf("got %d and %d rows, told of %d", len(got), len(ending), told)
				}
				for i, r := range slices.Concat(got, ending) {
					place := i % 4
					wrong := tc.damaged && place == 1
					if r.ID != int64(place+1) || r.Damaged != wrong || (r.BeneficiaryName == "Maria") == wrong || (r.ReviewedAt == 7) != (i == 2) {
						t.Errorf("got %+v at %d", r, i)
					}
				}
			}, func(r *caselist.Row) {
				r.Group, r.ChangedAt, r.BeneficiaryName, r.PasswordUntil = 1, now, "Maria", "2026-12-03T00:00:00"
			})
		})
	}
}

// TestQueue_Shown_Damaged: of a case that changes after its row was damaged the queue does not show what it was before.
func TestQueue_Shown_Damaged(t *testing.T) {
	within(t, 3, func(tx *engine.Tx, _ caselist.FilterValues, _ []caselist.Row) {
		_, err := tx.Exec(t.Context(), harmedRow)
		must(t, err)
		must(t, caselist.Change(t.Context(), tx, 2, func(r *caselist.Row) { r.Alert = "held" }))
		got, err := caselist.Queue{Group: caselist.AnyGroup, Limit: 4}.Read(t.Context(), tx, func(checksum.Row) {})
		must(t, err)
		if len(got) != 3 || !got[1].Damaged || got[0].Damaged || got[2].Damaged {
			t.Errorf("got %+v, want the second damaged", got)
		}
	}, func(r *caselist.Row) { r.Group, r.ChangedAt = 1, now })
}

// TestQueue_Shown: the queue shows the row of each case that stands in it, whatever came of the case.
func TestQueue_Shown(t *testing.T) {
	for name, do := range map[string]func(t *testing.T, tx *engine.Tx) error{
		"Began": func(*testing.T, *engine.Tx) error { return nil },
		"Shifted": func(t *testing.T, tx *engine.Tx) error {
			return caselist.Change(t.Context(), tx, 2, func(r *caselist.Row) { r.Group, r.ChangedAt = 3, now })
		},
		"Moved": func(t *testing.T, tx *engine.Tx) error {
			return caselist.Change(t.Context(), tx, 2, func(r *caselist.Row) { r.PatientPresent, r.ChangedAt = !r.PatientPresent, now })
		},
		"Stays": func(t *testing.T, tx *engine.Tx) error {
			return caselist.Change(t.Context(), tx, 2, func(r *caselist.Row) { r.HasGuide, r.Items = !r.HasGuide, 4 })
		},
		"Ends": func(t *testing.T, tx *engine.Tx) error {
			return caselist.Change(t.Context(), tx, 2, func(r *caselist.Row) { r.Group, r.PasswordUntil = 5, "2027-01-01" })
		},
		"Concluded": func(t *testing.T, tx *engine.Tx) error { return caselist.Conclude(t.Context(), tx, 2) },
		"ConcludedStays": func(t *testing.T, tx *engine.Tx) error {
			must(t, caselist.Conclude(t.Context(), tx, 2))
			return caselist.Change(t.Context(), tx, 2, func(r *caselist.Row) { r.HasGuide = !r.HasGuide })
		},
		"Reopened": func(t *testing.T, tx *engine.Tx) error {
			must(t, caselist.Conclude(t.Context(), tx, 2))
			return caselist.Reopen(t.Context(), tx, 2)
		},
		"Reviewed": func(t *testing.T, tx *engine.Tx) error {
			must(t, caselist.Change(t.Context(), tx, 2, func(r *caselist.Row) { r.Group = 3 }))
			must(t, caselist.Review(t.Context(), tx, 2))
			tx.Now = engine.Time(now).Add(authorization.ReviewTime + time.Hour)
			return caselist.ReturnOverdue(t.Context(), tx)
		},
	} {
		t.Run(name, func(t *testing.T) {
			within(t, 3, func(tx *engine.Tx, _ caselist.FilterValues, rows []caselist.Row) {
				mustSend(t, tx, rows)
				must(t, do(t, tx))
				if shown := mustShown(t, tx); shown != len(rows) {
					t.Errorf("got %d rows as they are, of %d", shown, len(rows))
				}
			}, func(r *caselist.Row) { r.Group, r.ChangedAt, r.BeneficiaryName = 1, now-hour, "Maria" })
		})
	}
}

// mustShown returns how many cases stand in the queue, and that each shows its row.
func mustShown(t *testing.T, tx *engine.Tx) int {
	t.Helper()
	type shown struct {
		id  int64
		row []byte
	}
	all, err := engine.List(t.Context(), tx, func(row engine.Row) (s shown, err error) {
		err = row.Scan(&s.id, &s.row)
		return s, err
	}, `SELECT submission_id, shown FROM queue_case`)
	must(t, err)
	for _, s := range all {
		stored, err := caselist.Table.Rows(t.Context(), tx, `WHERE submission_id = ?`, s.id)
		must(t, err)
		want, err := caselist.Table.Pack(stored[0].Values)
		must(t, err)
		if stored[0].Damaged || string(s.row) != string(want) {
			t.Errorf("the queue shows of case %d what its row is not", s.id)
		}
	}
	return len(all)
}
