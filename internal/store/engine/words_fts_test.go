package engine_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"guiche/internal/store/engine"
)

// TestInWord: no letter makes a word that FTS5 takes for two, which an index without
// positions refuses.
func TestInWord(t *testing.T) {
	db := MustOpen(t, filepath.Join(t.TempDir(), "guiche.db"))
	err := db.Write(t.Context(), func(tx *engine.Tx) error {
		if _, err := tx.Exec(t.Context(), `CREATE VIRTUAL TABLE name USING fts5 (text, detail = none,
			tokenize = 'unicode61 remove_diacritics 2')`); err != nil {
			return err
		}
		var words []string
		for r := rune(1); r <= unicode.MaxRune; r++ {
			if engine.InWord(r) && (!unicode.Is(unicode.Co, r) || r%1000 == 0) {
				words = append(words, "a"+string(r)+"b")
			}
		}
		for some := range slices.Chunk(words, 500) {
			if _, err := engine.List(t.Context(), tx, func(engine.Row) (int, error) { return 0, nil },
				`SELECT 1 FROM name WHERE name MATCH ?`, `"`+strings.Join(some, `" OR "`)+`"`); err != nil {
				t.Errorf("from %q to %q: %v", some[0], some[len(some)-1], err)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestAlternatives_Most: of very many words the first 32 count.
func TestAlternatives_Most(t *testing.T) {
	words := strings.Fields(strings.Repeat("a ", 33))
	words[31], words[32] = "last", "beyond"
	if got := engine.Alternatives(words); len(got) != 1 || !slices.Equal(got[0], words[:32]) {
		t.Errorf("got %q", got)
	}
}
