package caselist_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"guiche/internal/authorization"
	"guiche/internal/store/caselist"
	"guiche/internal/store/checksum"
	"guiche/internal/store/engine"
	"guiche/internal/store/storetest"
)

// josefs is a name that begins like that of many others, each with a word of its own.
func josefs(id int64) string { return fmt.Sprintf("Josef%c%c", 'a'+id%26, 'a'+id/26%26) }

// TestFinder_Find_Candidates: a case is found by the beginning of a word although a thousand
// newer ones have words that begin almost so.
func TestFinder_Find_Candidates(t *testing.T) {
	const having = 60
	within(t, 1200, func(tx *engine.Tx, values caselist.FilterValues, rows []caselist.Row) {
		for _, r := range rows {
			name := "Josenilda"
			if r.ID <= having {
				name = josefs(r.ID)
			}
			mustWord(t, tx, r.ID, name, "7001", "US")
		}
		f := caselist.NewFinder(values)
		f.Words([]string{"josef"})
		got, err := f.Find(t.Context(), tx, nil, having)
		if err != nil || len(got) != having || got[0].ID != having {
			t.Errorf("got %d cases, %v, want the %d oldest", len(got), err, having)
		}
	})
}

// TestFinder_Find_SideOfBeginnings: where filters leave a few cases their texts are read,
// before the index merges the lists of all words that begin so.
func TestFinder_Find_SideOfBeginnings(t *testing.T) {
	const rare authorization.Status = "X"
	withinSQLite(t, 100, func(tx *engine.Tx, values caselist.FilterValues, rows []caselist.Row) {
		for _, r := range rows {
			mustNote(t, tx, texts, r.ID, "Joseph")
			mustNote(t, tx, textIndex, r.ID, josefs(r.ID))
		}
		f := caselist.NewFinder(values)
		f.Status(rare)
		f.Words([]string{"josef"})
		if got, err := f.Find(t.Context(), tx, nil, 100); err != nil || len(got) > 0 {
			t.Errorf("got %d cases by the index, %v, want the texts read", len(got), err)
		}
	}, func(r *caselist.Row) { r.Status = string(rare) })
}

// TestFinder_Find_Unreachable: where the index cannot be asked about the cases of a group,
// that is an error and not an empty list.
func TestFinder_Find_Unreachable(t *testing.T) {
	storetest.OfSQLite(t) // which asks the index about them
	const group = 6       // of all cases
	db, rows := mustCases(t, 70)
	mustRebuild(t, db, allIDs(rows)...)
	must(t, db.Close())
	db.CheckFailures(t, map[string]storetest.Operation{"Find": {Tables: "history_text",
		Do: func(ctx context.Context, db engine.DB) error {
			return db.Read(ctx, func(tx *engine.Tx) error {
				values, err := caselist.ReadValues(ctx, tx)
				if err != nil {
					return err
				}
				f := caselist.NewFinder(values)
				f.Group(group)
				f.Words([]string{"mari"})
				_, err = f.Find(ctx, tx, func(checksum.Row) {}, 5)
				return err
			})
		}}})
}

// TestFillQueue_Old: of cases from before, an unknown outcome comes into the queue however
// long it has been so; what has not changed for a month does not.
func TestFillQueue_Old(t *testing.T) {
	db, rows := mustCases(t, 4)
	mustRebuild(t, db, allIDs(rows)...)
	for i := range rows {
		r := &rows[i]
		r.Group, r.ChangedAt = []int64{0, 6, 6, 0}[i], now-[]int64{40 * day, 40 * day, hour, hour}[i]
		must(t, db.Write(t.Context(), func(tx *engine.Tx) error {
			return caselist.Change(t.Context(), tx, r.ID, func(is *caselist.Row) { is.Group, is.ChangedAt = r.Group, r.ChangedAt })
		}))
	}
	for _, statement := range []string{`DELETE FROM queue_case`, `DELETE FROM queue_count`, `INSERT INTO queue_pending VALUES (1)`} {
		mustExec(t, db, statement)
	}
	must(t, caselist.FillQueue(t.Context(), db))
	must(t, db.Read(t.Context(), func(tx *engine.Tx) error {
		checkCounts(t, tx, rows, nil, now-day)
		got, err := caselist.Queue{Group: 0, Limit: 9}.Read(t.Context(), tx, nil)
		must(t, err)
		if ids := allIDs(got); !slices.Equal(ids, []int64{1, 4}) {
			t.Errorf("unknown are %v, want the first and the last", ids)
		}
		return nil
	}))
}

// TestChange_Uncounted: a case that moves and cannot be counted where it comes is an error of
// the change.
func TestChange_Uncounted(t *testing.T) {
	db, _ := mustCases(t, 2)
	mustRebuild(t, db, 1, 2)
	must(t, db.Write(t.Context(), func(tx *engine.Tx) error {
		return caselist.Change(t.Context(), tx, 2, func(r *caselist.Row) { r.Corrected = true })
	}))
	must(t, db.Close())
	db.CheckFailures(t, map[string]storetest.Operation{"Change": {Tables: "queue_count",
		Do: func(ctx context.Context, db engine.DB) error {
			return db.Write(ctx, func(tx *engine.Tx) error {
				return caselist.Change(ctx, tx, 2, func(r *caselist.Row) { r.Corrected, r.ChangedAt = false, engine.Micros(tx.Now) })
			})
		}}})
}
