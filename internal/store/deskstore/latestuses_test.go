package deskstore_test

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"guiche/internal/authorization"
	"guiche/internal/store/deskstore"
	"guiche/internal/store/engine"
	"guiche/migrations"
)

// latestUses is how many requests for a procedure of a credential are noted.
const latestUses = 60

// pastFor are so many answered cases for a procedure, the first with a number.
func pastFor(code string, first, count int) []deskstore.Past {
	cases := make([]deskstore.Past, count)
	for i := range cases {
		cases[i] = past(first+i, "Rui Reis", fmt.Sprint(7000+first+i))
		cases[i].Submission.Request.Procedures = []authorization.Procedure{{Code: code, Name: "Um", Quantity: 1}}
	}
	return cases
}

// noted are the places of the requests, the first is 1, of which it is noted that they are for a procedure.
func (e *env) noted(t *testing.T, code string) []int64 {
	t.Helper()
	ids, err := engine.Get(t.Context(), e.db, func(tx *engine.Tx) ([]int64, error) {
		return engine.List(t.Context(), tx, func(row engine.Row) (id int64, err error) { return id, row.Scan(&id) },
			`SELECT (SELECT count(*) FROM submission s WHERE s.id <= u.submission_id) FROM procedure_use u
				WHERE code = ? ORDER BY submission_id`, code)
	})
	MustDo(t, err)
	return ids
}

// checkLatest is that the requests from one to another are noted, and that the check misses none.
func (e *env) checkLatest(t *testing.T, code string, from, to int64) {
	t.Helper()
	var want []int64
	for id := from; id <= to; id++ {
		want = append(want, id)
	}
	if got := e.noted(t, code); !slices.Equal(got, want) {
		t.Errorf("%s: %v are noted, want those from %d to %d", code, got, from, to)
	}
	differing, err := e.CheckLists(t.Context(), nil)
	MustDo(t, err)
	if len(differing) > 0 {
		t.Errorf("%s: the check finds %v", code, differing)
	}
}

// TestStore_LatestUses_Past: of cases that are written when they are over the latest for each procedure stay noted.
func TestStore_LatestUses_Past(t *testing.T) {
	e := mustEnv(t)
	MustDo(t, e.AddPast(t.Context(), slices.Concat(pastFor("1", 1, latestUses+5), pastFor("2", latestUses+6, 3))))
	e.checkLatest(t, "1", 6, latestUses+5)
	e.checkLatest(t, "2", latestUses+6, latestUses+8)
	MustDo(t, e.AddPast(t.Context(), pastFor("1", latestUses+9, latestUses)))
	e.checkLatest(t, "1", latestUses+9, 2*latestUses+8)
}

// TestStore_LatestUses_Submitted: as requests come, older ones are noted no longer.
func TestStore_LatestUses_Submitted(t *testing.T) {
	const every = 50 // of the requests' numbers, which older ones go with
	e := mustEnv(t)
	for range 2*every + 1 {
		e.submit(t)
	}
	first := e.noted(t, "1")[0]
	if first == 1 || first > 2*every+2-latestUses {
		t.Errorf("those from %d on are noted", first)
	}
	e.checkLatest(t, "1", first, 2*every+1)
}

// TestStore_LatestUses_Lost: what is missing among the latest is found, and noted again with nothing older.
func TestStore_LatestUses_Lost(t *testing.T) {
	e := mustEnv(t)
	MustDo(t, e.AddPast(t.Context(), pastFor("1", 1, latestUses+5)))
	MustDo(t, exec(e.db, `DELETE FROM procedure_use WHERE submission_id IN (SELECT id FROM submission ORDER BY id LIMIT 2 OFFSET 5)`))
	differing, err := e.CheckLists(t.Context(), nil)
	MustDo(t, err)
	if repaired, err := e.RepairLists(t.Context(), differing); err != nil || len(differing) != 2 || len(repaired) != 2 {
		t.Errorf("%v differ, %v were repaired, %v", differing, repaired, err)
	}
	e.checkLatest(t, "1", 6, latestUses+5)
}

// TestStore_LatestUses_Meanwhile: what is noted no longer as others came while the check ran is not missing.
func TestStore_LatestUses_Meanwhile(t *testing.T) {
	const atOnce = 500 // requests that the check reads, the latest ones first
	e := mustEnv(t)
	MustDo(t, e.AddPast(t.Context(), append(pastFor("1", 1, 1), pastFor("2", 2, atOnce)...)))
	pauses := 0
	_, err := e.CheckLists(t.Context(), func() error { pauses++; return nil })
	MustDo(t, err)
	differing, err := e.CheckLists(t.Context(), func() error {
		if pauses--; pauses != 1 { // before the last piece
			return nil
		}
		return e.AddPast(t.Context(), pastFor("1", atOnce+2, latestUses))
	})
	if err != nil || len(differing) > 0 || pauses != 0 || len(e.noted(t, "1")) != latestUses {
		t.Errorf("%v differ, %v, %d pauses are missing, %v are noted", differing, err, pauses, e.noted(t, "1"))
	}
}

// TestStore_LatestUses_FromBefore: an update leaves what the program keeps.
func TestStore_LatestUses_FromBefore(t *testing.T) {
	e := mustEnv(t)
	MustDo(t, e.AddPast(t.Context(), slices.Concat(pastFor("1", 1, latestUses+5), pastFor("2", latestUses+6, 3))))
	MustDo(t, exec(e.db, `INSERT INTO procedure_use (credential, code, submission_id) SELECT c.credential, '1', c.submission_id
		FROM case_summary c ORDER BY c.submission_id LIMIT 5`))
	var texts [2]string
	for i, files := range []fs.FS{migrations.Desk, migrations.PostgresDesk} {
		text, err := fs.ReadFile(files, "00058_latest_uses.sql")
		MustDo(t, err)
		texts[i] = string(text)
	}
	if texts[0] != texts[1] {
		t.Error("PostgreSQL has another migration than SQLite")
	}
	_, rest, _ := strings.Cut(texts[0], "DELETE FROM procedure_use")
	rest, _, _ = strings.Cut(rest, ";")
	MustDo(t, exec(e.db, "DELETE FROM procedure_use"+rest))
	e.checkLatest(t, "1", 6, latestUses+5)
	e.checkLatest(t, "2", latestUses+6, latestUses+8)
}
