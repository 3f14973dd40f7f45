package caselist_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"guiche/internal/authorization"
	"guiche/internal/store/caselist"
	"guiche/internal/store/engine"
	"guiche/internal/store/storetest"
)

// TestFinder_Find_Pending: a search finds the same cases, in the same order, before the words of the latest are
// written and afterwards, whatever letters they have.
func TestFinder_Find_Pending(t *testing.T) {
	const learned = 50
	names := []string{"Índigo Ávila", "indigo d'Avila", "Łódź Kąkol", "Ωμέγα Índio", "Joséfa İnci",
		"JOSE\u0301FINA Ind", "3º Índigo ǲ"}
	texts := []string{"indigo", "ind avila", "ávila d", "łodz", "kak", "kąk", "ωμεγα",
		"josef", "jose ind", "inci", "ındigo", "3", "0310 00", "031000", "x"}
	shapes := map[string]func(*caselist.Finder){
		"All":      func(*caselist.Finder) {},
		"Unit":     func(f *caselist.Finder) { f.Unit(1) },
		"Units":    func(f *caselist.Finder) { f.Units([]int64{1, 2, 3}) },
		"Status":   func(f *caselist.Finder) { f.Status("A") },
		"Rare":     func(f *caselist.Finder) { f.Group(authorization.Unrecognized) },
		"Below":    func(f *caselist.Finder) { f.Below(60) },
		"BelowAll": func(f *caselist.Finder) { f.Below(learned) },
		"Period":   func(f *caselist.Finder) { f.Since(40_000); f.Before(65_000) },
	}
	withinSQLite(t, 80, func(tx *engine.Tx, values caselist.FilterValues, rows []caselist.Row) {
		find := func() (all []string) {
			for name, shape := range shapes {
				for _, text := range texts {
					for _, limit := range []int{3, 100} {
						f := caselist.NewFinder(values)
						shape(f)
						f.Words(engine.Words(text))
						found, err := f.Find(t.Context(), tx, nil, limit)
						must(t, err)
						all = append(all, fmt.Sprint(name, " ", text, " ", limit, ids(found)))
					}
				}
			}
			slices.Sort(all)
			return all
		}
		mustSend(t, tx, rows[:learned])
		must(t, caselist.LearnAhead(t.Context(), tx, math.MaxInt))
		mustSend(t, tx, rows[learned:])
		before := find()
		must(t, caselist.LearnAhead(t.Context(), tx, 10))
		some := find()
		must(t, caselist.LearnAhead(t.Context(), tx, math.MaxInt))
		after := find()
		for i, want := range after {
			if before[i] != want || some[i] != want {
				t.Errorf("got %s, and %s with some words written, want %s", before[i], some[i], want)
			}
		}
	}, func(r *caselist.Row) {
		r.BeneficiaryName, r.CardNumber = names[int(r.ID)%len(names)], fmt.Sprintf("0310%04d", r.ID)
	})
}

func ids(rows []caselist.Row) (all []int64) {
	for _, r := range rows {
		all = append(all, r.ID)
	}
	return all
}

// mustPending makes cases whose words are still to be written.
func mustPending(t *testing.T, n int64) (db *storetest.Database) {
	t.Helper()
	storetest.OfSQLite(t) // which writes them behind the requests
	db, rows := mustCases(t, n)
	must(t, db.Write(t.Context(), func(tx *engine.Tx) error { return caselist.Rebuild(t.Context(), tx, allIDs(rows)) }))
	return db
}

// countWords is how many cases have words that are written.
func countWords(t *testing.T, db engine.DB) (n int) {
	t.Helper()
	must(t, db.Read(t.Context(), func(tx *engine.Tx) error { return tx.QueryRow(t.Context(), `SELECT count(*) FROM history`).Scan(&n) }))
	return n
}

// TestLearnPending: what is pending differs from nothing, and has its words in the end, however many there are.
func TestLearnPending(t *testing.T) {
	const n = 150
	db := mustPending(t, n)
	if differing, _ := mustCheck(t, db); len(differing) > 0 || countWords(t, db) > 0 {
		t.Errorf("got %q, and words of %d cases, want all pending", differing, countWords(t, db))
	}
	must(t, caselist.LearnPending(t.Context(), db))
	if differing, _ := mustCheck(t, db); len(differing) > 0 || countWords(t, db) != n {
		t.Errorf("got %q, and words of %d cases, want those of all", differing, countWords(t, db))
	}
}

// TestLearnPending_Stray: a row of words whose number was damaged, and that is none of a case, keeps no case from
// having its words.
func TestLearnPending_Stray(t *testing.T) {
	for name, stray := range map[string]int64{"FarAhead": 1 << 40, "Soon": 4} {
		t.Run(name, func(t *testing.T) {
			withinSQLite(t, 4, func(tx *engine.Tx, values caselist.FilterValues, rows []caselist.Row) {
				mustSend(t, tx, rows[:2])
				must(t, caselist.LearnAhead(t.Context(), tx, math.MaxInt))
				for _, statement := range []string{`PRAGMA defer_foreign_keys = ON`, // as a bit that flipped asks nobody
					fmt.Sprint(`UPDATE history SET submission_id = `, stray, ` WHERE submission_id = 2`)} {
					_, err := tx.Exec(t.Context(), statement)
					must(t, err)
				}
				for range 2 {
					mustSend(t, tx, rows[2:3])
					rows = rows[1:]
					must(t, caselist.LearnAhead(t.Context(), tx, math.MaxInt))
				}
				f := caselist.NewFinder(values)
				f.Words(engine.Words("maria"))
				found, err := f.Find(t.Context(), tx, nil, 9)
				if want := []int64{4, 3, 2, 1}; err != nil || !slices.Equal(ids(found), want) {
					t.Errorf("got %v, %v, want %v", ids(found), err, want)
				}
			}, func(r *caselist.Row) { r.BeneficiaryName = "Maria" })
		})
	}
}

// TestCheck_Tail: words that are missing of more cases than may be pending are damage.
func TestCheck_Tail(t *testing.T) {
	const more = 7
	db := mustPending(t, caselist.MostPending+more)
	differing, _ := mustCheck(t, db)
	if len(differing) != more {
		t.Errorf("%d rows differ, want %d", len(differing), more)
	}
}

// TestLearn_Pending: a case that is answered while it is pending stays so, whatever comes before it, and is found by the
// numbers of its answer.
func TestLearn_Pending(t *testing.T) {
	db := mustPending(t, 3)
	must(t, db.Write(t.Context(), func(tx *engine.Tx) error {
		_, err := tx.Exec(t.Context(), `INSERT INTO answer (id, submission_id, attempt, read_at, success, guide_pdf, receipt_pdf)
			VALUES (1, 2, 1, 0, 1, '', '')`)
		must(t, err)
		_, err = tx.Exec(t.Context(), `INSERT INTO "authorization" (answer_id, position, number, success, status, guide_id, guide_number,
			password, password_until, protocol, provider_guide, partner_guide, request_number, authorized_at, guide_pdf)
			VALUES (1, 0, 1, 1, 'A', '', '', '778812', '', '', '', '', '', '', '')`)
		must(t, err)
		return caselist.Learn(t.Context(), tx, 2)
	}))
	if n := countWords(t, db); n != 0 {
		t.Errorf("got words of %d cases, want all pending", n)
	}
	for _, learned := range []bool{false, true} {
		if learned {
			must(t, caselist.LearnPending(t.Context(), db))
		}
		must(t, db.Read(t.Context(), func(tx *engine.Tx) error {
			values, err := caselist.ReadValues(t.Context(), tx)
			must(t, err)
			f := caselist.NewFinder(values)
			f.Words([]string{"778812"})
			if found, err := f.Find(t.Context(), tx, nil, 5); err != nil || !slices.Equal(ids(found), []int64{2}) {
				t.Errorf("words written %v: got %v, %v, want the case", learned, ids(found), err)
			}
			return nil
		}))
	}
}

// TestLearnPending_Unreachable: words that cannot be written are an error.
func TestLearnPending_Unreachable(t *testing.T) {
	db := mustPending(t, 2)
	must(t, db.Close())
	db.CheckFailures(t, map[string]storetest.Operation{"Learn": {Tables: "history history_text submission",
		Do: func(ctx context.Context, db engine.DB) error { return caselist.LearnPending(ctx, db) }}})
}
