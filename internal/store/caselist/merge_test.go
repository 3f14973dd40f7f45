package caselist_test

import (
	"errors"
	"fmt"
	"testing"

	"guiche/internal/store/caselist"
	"guiche/internal/store/engine"
	"guiche/internal/store/storetest"
	"guiche/migrations"
)

// mustLearnApart has cases found by words, each in a transaction of its own.
func mustLearnApart(t *testing.T, db engine.DB, n int) {
	t.Helper()
	for id := range n {
		must(t, db.Write(t.Context(), func(tx *engine.Tx) error {
			_, err := tx.Exec(t.Context(), textInsert, id+1, fmt.Sprintf("Maria Silva %d", 1000+id))
			return err
		}))
	}
}

const (
	textInsert = `INSERT INTO ` + textIndex + `names, numbers, procedures) VALUES (?, ?, '', '')`
	partCount  = `SELECT COUNT(DISTINCT segid) FROM history_text_idx`
)

func mustCount(t *testing.T, db engine.DB, query string, args ...any) (n int) {
	t.Helper()
	must(t, db.Read(t.Context(), func(tx *engine.Tx) error { return tx.QueryRow(t.Context(), query, args...).Scan(&n) }))
	return n
}

// TestMergeWords: the index over the words stands in one part afterwards, and finds the same.
func TestMergeWords(t *testing.T) {
	storetest.OfSQLite(t)
	db := storetest.Open(t, migrations.Desk, clock)
	const n = 300
	mustLearnApart(t, db, n)
	if got := mustCount(t, db, partCount); got < 3 {
		t.Fatalf("got %d parts to begin with", got)
	}
	pieces := 0
	must(t, caselist.MergeWords(t.Context(), db, func() error {
		pieces++
		return nil
	}))
	if got := mustCount(t, db, partCount); got != 1 || pieces == 0 {
		t.Errorf("got %d parts after %d pieces, want 1", got, pieces)
	}
	for word, want := range map[string]int{"maria": n, "1007": 1, `"10" *`: 100} {
		if got := mustCount(t, db, `SELECT COUNT(*) FROM history_text WHERE history_text MATCH ?`, word); got != want {
			t.Errorf("%s: found %d cases, want %d", word, got, want)
		}
	}
	must(t, caselist.MergeWords(t.Context(), db, func() error {
		t.Error("one part is merged once more")
		return nil
	}))
}

// TestMergeWords_Stopped: whoever stops it is told so, and what was merged stays so.
func TestMergeWords_Stopped(t *testing.T) {
	storetest.OfSQLite(t)
	db := storetest.Open(t, migrations.Desk, clock)
	mustLearnApart(t, db, 20)
	stop := errors.New("stop")
	if err := caselist.MergeWords(t.Context(), db, func() error { return stop }); !errors.Is(err, stop) {
		t.Errorf("got %v, want it stopped", err)
	}
	if got := mustCount(t, db, `SELECT COUNT(*) FROM history_text WHERE history_text MATCH 'silva'`); got != 20 {
		t.Errorf("found %d cases, want 20", got)
	}
}
