package engine_test

import (
	"strings"
	"testing"

	"guiche/internal/store/engine"
)

// TestTx_ChangeText: a row is found by the texts that it has now and by no others, whether they grew
// or became others.
func TestTx_ChangeText(t *testing.T) {
	index := engine.TextIndex{Table: "word", Columns: []string{"name", "alias", "unit"}}
	onEach(t, func(t *testing.T, db engine.DB) {
		write := func(change func(*engine.Tx) error) {
			t.Helper()
			if err := db.Write(t.Context(), change); err != nil {
				t.Fatal(err)
			}
		}
		was := []string{"Ana Prado", "0310", "TSH"}
		write(func(tx *engine.Tx) error { return tx.AddText(t.Context(), index, 1, was...) })
		for _, tc := range []struct {
			name        string
			is          []string
			found, lost string
		}{
			{"Grows", []string{"Ana Prado", "0310,SIM 7,ana", "TSH"}, "ana prado 0310 sim 7 tsh", ""},
			{"GrowsAgain", []string{"Ana Prado", "0310,SIM 7,ana,0310", "TSH,T4"}, "ana prado 0310 sim 7 tsh t4", ""},
			{"Stays", []string{"Ana Prado", "0310,SIM 7,ana,0310", "TSH,T4"}, "ana prado 0310 sim 7 tsh t4", ""},
			{"LongerWord", []string{"Ana Pradoso", "0310,SIM 7,ana,0310", "TSH,T4"}, "ana pradoso 0310 sim 7 tsh t4", "prado"},
			{"Shrinks", []string{"Bia", "0310", ""}, "bia 0310", "ana pradoso sim 7 tsh t4"},
		} {
			write(func(tx *engine.Tx) error { return tx.ChangeText(t.Context(), index, 1, was, tc.is) })
			was = tc.is
			for word := range strings.FieldsSeq(tc.found) {
				if got := MustFindNumber(t, db, index, word); got != 1 {
					t.Errorf("%s: %q finds %d rows, want 1", tc.name, word, got)
				}
			}
			for word := range strings.FieldsSeq(tc.lost) {
				if got := MustFindNumber(t, db, index, word); got != 0 {
					t.Errorf("%s: %q finds %d rows, want none", tc.name, word, got)
				}
			}
		}
		write(func(tx *engine.Tx) error { return tx.RemoveText(t.Context(), index, 1, was...) })
		for word := range strings.FieldsSeq("ana bia 0310 tsh") {
			if got := MustFindNumber(t, db, index, word); got != 0 {
				t.Errorf("removed: %q finds %d rows, want none", word, got)
			}
		}
	})
}

// MustFindNumber returns how many rows a word finds.
func MustFindNumber(tb testing.TB, db engine.DB, index engine.TextIndex, word string) int {
	tb.Helper()
	n, err := engine.Get(tb.Context(), db, func(tx *engine.Tx) (n int, err error) {
		found := tx.Match(index, engine.Word(word))
		err = tx.QueryRow(tb.Context(), `SELECT count(*) FROM `+found.From, found.Value).Scan(&n)
		return n, err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return n
}
