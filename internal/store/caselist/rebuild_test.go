package caselist_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"guiche/internal/store/caselist"
	"guiche/internal/store/checksum"
	"guiche/internal/store/engine"
	"guiche/internal/store/storetest"
	"guiche/migrations"
)

// mustCases returns a database of n cases and nothing that lists are read from, and the rows
// that they need.
func mustCases(t *testing.T, n int64) (db *storetest.Database, rows []caselist.Row) {
	t.Helper()
	db = storetest.Open(t, migrations.Desk, clock)
	for id := int64(1); id <= n; id++ {
		row := caselist.Row{ID: id, UID: uidOf(9, 0), Unit: 1, Credential: 2, Sender: 3, Procedures: 2}
		row.UID[1], row.UID[2] = byte(id), byte(id>>8)
		row.BeneficiaryName, row.CardNumber, row.PatientPresent = "Maria", "0310", id%2 == 0
		row.CredentialName, row.UnitName, row.ProcedureCode, row.ProcedureName = "Vale Sereno", "Centro", "40901122", "US - Abdome"
		row.State.State, row.Group, row.Origin = "queued", 6, "guiche"
		spread(&row)
		row.Corrected, row.PatientPresent = false, id%2 == 0
		rows = append(rows, row)
	}
	must(t, db.Write(t.Context(), func(tx *engine.Tx) error {
		mustSend(t, tx, rows)
		for _, r := range rows {
			_, err := tx.Exec(t.Context(), `INSERT INTO submission_state (submission_id, unit_uid, state, queue_group, origin, changed_at,
				due_at, deadline_at) VALUES (?, ?, 'queued', 6, 'guiche', ?, 1, 2)`, r.ID, engine.UID(uidOf(0, 1)), r.ChangedAt)
			must(t, err)
			_, err = tx.Exec(t.Context(), `INSERT INTO submission_procedure (submission_id, position, code, name, quantity)
				VALUES (?1, 0, '40901122', 'US - Abdome', 1), (?1, 1, '1', 'Um', 2)`, r.ID)
			must(t, err)
		}
		return nil
	}))
	return db, rows
}

func mustRebuild(t *testing.T, db engine.DB, ids ...int64) {
	t.Helper()
	must(t, db.Write(t.Context(), func(tx *engine.Tx) error { return caselist.Rebuild(t.Context(), tx, ids) }))
	must(t, caselist.LearnPending(t.Context(), db))
}

// mustCheck returns what differs from the cases, and how often next was called.
func mustCheck(t *testing.T, db engine.DB) (differing []string, pieces int) {
	t.Helper()
	must(t, caselist.Check(t.Context(), db, func(r checksum.Row) { differing = append(differing, r.String()) }, func() error {
		pieces++
		return nil
	}))
	slices.Sort(differing)
	return differing, pieces
}

// TestRebuild: all that lists are read from is made from the cases alone.
func TestRebuild(t *testing.T) {
	db, rows := mustCases(t, 4)
	mustRebuild(t, db, 1, 2, 3, 4)
	must(t, db.Read(t.Context(), func(tx *engine.Tx) error {
		values, err := caselist.ReadValues(t.Context(), tx)
		must(t, err)
		for i := range rows {
			rows[i].Unit = values.Number(caselist.Unit, uidOf(0, 1))
			rows[i].Credential = values.Number(caselist.Credential, uidOf(1, 2))
			rows[i].Sender = values.Number(caselist.Sender, uidOf(2, 3))
		}
		checkRows(t, tx, rows)
		checkCounts(t, tx, rows, nil, 0)
		f := caselist.NewFinder(values)
		f.Words(engine.Words("maria abdome 0310"))
		found, err := f.Find(t.Context(), tx, nil, 10)
		if err != nil || len(found) != len(rows) {
			t.Errorf("got %d cases by their words, %v, want %d", len(found), err, len(rows))
		}
		return nil
	}))
}

// TestRebuild_Values: what cases are filtered by again is read at once.
func TestRebuild_Values(t *testing.T) {
	db, rows := mustCases(t, 1)
	count := func() (n int) {
		must(t, db.Read(t.Context(), func(tx *engine.Tx) error {
			values, err := caselist.ReadValues(t.Context(), tx)
			n = len(values)
			return err
		}))
		return n
	}
	before := count()
	mustRebuild(t, db, rows[0].ID)
	if after := count(); after <= before {
		t.Errorf("%d values before, %d afterwards", before, after)
	}
}

// TestRebuild_NoCase: a row without a case goes, and is counted no more.
func TestRebuild_NoCase(t *testing.T) {
	within(t, 3, func(tx *engine.Tx, _ caselist.FilterValues, rows []caselist.Row) {
		must(t, caselist.Rebuild(t.Context(), tx, []int64{2}))
		left := slices.Delete(slices.Clone(rows), 1, 2)
		checkRows(t, tx, left)
		checkCounts(t, tx, left, nil, 0)
	})
}

// TestCheck: of many cases each row that is not what its case says is found by its name, and
// right again once it is made anew.
func TestCheck(t *testing.T) {
	const n = 501 // one more than are compared at a time
	db, rows := mustCases(t, n)
	ids := make([]int64, n)
	for i, r := range rows {
		ids[i] = r.ID
	}
	mustRebuild(t, db, ids...)
	if differing, pieces := mustCheck(t, db); len(differing) > 0 || pieces != 1 {
		t.Fatalf("got %q after %d pieces, want nothing after one", differing, pieces)
	}
	var unit int64
	must(t, db.Read(t.Context(), func(tx *engine.Tx) error { return tx.QueryRow(t.Context(), `SELECT unit FROM queue_count`).Scan(&unit) }))
	counter := fmt.Sprintf("queue_count 6 %d", unit)
	var values []string
	for _, kind := range []string{caselist.Unit, caselist.Credential, caselist.Sender} {
		must(t, db.Read(t.Context(), func(tx *engine.Tx) error {
			return tx.QueryRow(t.Context(), `SELECT id FROM filter_value WHERE kind = ?`, kind).Scan(&unit)
		}))
		values = append(values, fmt.Sprintf("filter_value %d", unit))
	}
	for name, tc := range map[string]struct {
		harm string
		want []string
	}{
		"First":   {`UPDATE case_summary SET card_number = 'x' WHERE submission_id = 1`, []string{"case_summary 1"}},
		"Last":    {`UPDATE case_summary SET card_number = 'x' WHERE submission_id = 501`, []string{"case_summary 501"}},
		"Missing": {`DELETE FROM case_summary WHERE submission_id = 300`, []string{"case_summary 300", "queue_case 300"}},
		"Words":   {`UPDATE history SET names = 'x' WHERE submission_id = 501`, []string{"history 501"}},
		"Rare":    {`UPDATE history SET rare = 1 WHERE submission_id = 501`, []string{"history 501"}},
		"NoWords": {`DELETE FROM history WHERE submission_id = 1`, []string{"history 1"}},
		"Counter": {`UPDATE queue_count SET cases = cases + 1`, []string{counter}},
		"Place":   {`UPDATE queue_case SET place = 7 WHERE submission_id = 501`, []string{"queue_case 501"}},
		"Shown":   {`UPDATE queue_case SET shown = NULL WHERE submission_id = 1`, []string{"queue_case 1"}},
		"Other": {`UPDATE queue_case SET shown = checksum FROM case_summary s WHERE s.submission_id = queue_case.submission_id
			AND queue_case.submission_id = 1`, []string{"queue_case 1"}},
		"Since": {`UPDATE queue_case SET since = since + 1 WHERE submission_id = 1`, []string{"queue_case 1"}},
		"Left":  {`DELETE FROM queue_case WHERE submission_id = 1`, []string{"queue_case 1", counter}},
		"Names": {`UPDATE filter_value SET name = name || 'x'`, values},
	} {
		must(t, db.Write(t.Context(), func(tx *engine.Tx) error {
			_, err := tx.Exec(t.Context(), tc.harm)
			return err
		}))
		if differing, _ := mustCheck(t, db); !slices.Equal(differing, tc.want) {
			t.Errorf("%s: got %q, want %q", name, differing, tc.want)
		}
		mustRebuild(t, db, 1, 300, 501)
		if differing, _ := mustCheck(t, db); len(differing) > 0 {
			t.Errorf("%s: made anew: got %q", name, differing)
		}
	}
	stop := errors.New("stop")
	if err := caselist.Check(t.Context(), db, nil, func() error { return stop }); !errors.Is(err, stop) {
		t.Errorf("stopped: got %v", err)
	}
}

// TestCheck_Lost: cases that lists tell of and whose state is gone are found: the first one, between others,
// behind the last one, and where none is left.
func TestCheck_Lost(t *testing.T) {
	db, rows := mustCases(t, 501) // one more than are compared at a time
	mustRebuild(t, db, allIDs(rows)...)
	storetest.Unguard(t, db)
	mustExec(t, db, `DELETE FROM submission_state WHERE submission_id IN (1, 300, 501)`)
	if differing, _ := mustCheck(t, db); !slices.Equal(differing, []string{"case 1", "case 300", "case 501"}) {
		t.Errorf("got %q, want the three cases", differing)
	}
	mustExec(t, db, `DELETE FROM submission_state`)
	if differing, _ := mustCheck(t, db); !slices.Contains(differing, "case 2") {
		t.Errorf("without any state: got %q, want the cases", differing)
	}
}

// TestChange_CounterDamaged: a counter that was damaged on the disk keeps no case from what comes of it, and is right
// after the next check.
func TestChange_CounterDamaged(t *testing.T) {
	for group, name := range map[int64]string{6: "Left", 5: "Entered"} {
		t.Run(name, func(t *testing.T) {
			db, _ := mustCases(t, 4)
			mustRebuild(t, db, 1, 2, 3, 4)
			to := func(id, group int64) {
				t.Helper()
				must(t, db.Write(t.Context(), func(tx *engine.Tx) error {
					return caselist.Change(t.Context(), tx, id, func(r *caselist.Row) { r.Group = group })
				}))
			}
			to(1, 5)
			mustExec(t, db, `UPDATE queue_count SET cases = 9223372036854775807 WHERE queue_group = ?`, group)
			to(2, 5)
			to(3, 5)
			mustRebuild(t, db)
			if n := mustCount(t, db, `SELECT max(cases) FROM queue_count`); n != 3 {
				t.Errorf("%d cases are counted in one group, want 3", n)
			}
		})
	}
}

// TestFailures: every query that fails is an error.
func TestFailures(t *testing.T) {
	db, _ := mustCases(t, 2)
	mustRebuild(t, db, 1, 2)
	mustExec(t, db, `INSERT INTO queue_pending VALUES (1)`)
	must(t, db.Close())
	in := func(tables string, do func(ctx context.Context, tx *engine.Tx) error) storetest.Operation {
		return storetest.Operation{Tables: tables, Do: func(ctx context.Context, db engine.DB) error {
			return db.Write(ctx, func(tx *engine.Tx) error { return do(ctx, tx) })
		}}
	}
	find := func(shape func(f *caselist.Finder)) func(ctx context.Context, tx *engine.Tx) error {
		return func(ctx context.Context, tx *engine.Tx) error {
			values, err := caselist.ReadValues(ctx, tx)
			if err != nil {
				return err
			}
			f := caselist.NewFinder(values)
			shape(f)
			_, err = f.Find(ctx, tx, func(checksum.Row) {}, 5)
			return err
		}
	}
	ofWords := "case_summary history_text"
	if !storetest.OnPostgres() {
		ofWords += " history_word"
	}
	db.CheckFailures(t, map[string]storetest.Operation{
		"Check": {Tables: "submission submission_state submission_procedure filter_value case_summary history queue_count queue_case",
			Do: func(ctx context.Context, db engine.DB) error {
				return caselist.Check(ctx, db, func(checksum.Row) {}, nil)
			}},
		"Rebuild": in("submission submission_state filter_value case_summary history queue_count queue_case",
			func(ctx context.Context, tx *engine.Tx) error { return caselist.Rebuild(ctx, tx, []int64{1, 2}) }),
		"Change": in("case_summary queue_count queue_case", func(ctx context.Context, tx *engine.Tx) error {
			return caselist.Change(ctx, tx, 1, func(r *caselist.Row) { r.Group, r.State.State = 5, "answered" })
		}),
		"Learn": in("history", func(ctx context.Context, tx *engine.Tx) error { return caselist.Learn(ctx, tx, 1) }),
		"Value": in("filter_value", func(ctx context.Context, tx *engine.Tx) error {
			_, err := caselist.Value(ctx, tx, caselist.Unit, uidOf(0, 1), "Outro nome")
			return err
		}),
		"FillQueue": {Tables: "queue_pending case_summary", Do: caselist.FillQueue},
		"Conclude": in("case_summary queue_count queue_case", func(ctx context.Context, tx *engine.Tx) error {
			return caselist.Conclude(ctx, tx, 1)
		}),
		"Counts": in("queue_count queue_case damage", func(ctx context.Context, tx *engine.Tx) error {
			_, err := caselist.Queue{Units: []int64{1}}.Counts(ctx, tx)
			return err
		}),
		"Queue": in("queue_case case_summary damage", func(ctx context.Context, tx *engine.Tx) error {
			_, err := caselist.Queue{Group: caselist.AnyGroup, After: 1, Limit: 5}.Read(ctx, tx, func(checksum.Row) {})
			return err
		}),
		"Ending": in("queue_case", func(ctx context.Context, tx *engine.Tx) error {
			_, err := caselist.Queue{Limit: 5}.Ending(ctx, tx, func(checksum.Row) {}, "2026-12-03", "2026-12-09")
			return err
		}),
		"Find":    in("case_summary damage", find(func(f *caselist.Finder) { f.Group(6) })),
		"Words":   in(ofWords, find(func(f *caselist.Finder) { f.Words([]string{"maria"}) })),
		"OfGroup": in("case_summary history", find(func(f *caselist.Finder) { f.Group(6); f.Words([]string{"maria"}) })),
		"ReadValues": in("filter_value desk_person", func(ctx context.Context, tx *engine.Tx) error {
			_, err := caselist.ReadValues(ctx, tx)
			return err
		}),
	})
}
