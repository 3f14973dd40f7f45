package engine_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"guiche/internal/store/engine"
)

// TestMatchAny: FTS5 finds with the queries what they are said to find.
func TestMatchAny(t *testing.T) {
	db := MustOpen(t, filepath.Join(t.TempDir(), "guiche.db"))
	names := []string{"ana prado", "anabela lima", "lia prado", "caio 0310 0045"}
	find := func(query string) (found []string) {
		t.Helper()
		err := db.Write(t.Context(), func(tx *engine.Tx) error {
			if _, err := tx.Exec(t.Context(), `CREATE VIRTUAL TABLE IF NOT EXISTS name USING fts5 (text)`); err != nil {
				return err
			}
			if _, err := tx.Exec(t.Context(), `DELETE FROM name`); err != nil {
				return err
			}
			for _, name := range names {
				if _, err := tx.Exec(t.Context(), `INSERT INTO name (text) VALUES (?)`, name); err != nil {
					return err
				}
			}
			rows, err := engine.List(t.Context(), tx, func(row engine.Row) (text string, err error) {
				err = row.Scan(&text)
				return text, err
			}, `SELECT text FROM name WHERE name MATCH ? ORDER BY rowid`, query)
			found = rows
			return err
		})
		if err != nil {
			t.Errorf("%s: %v", query, err)
		}
		return found
	}
	for query, want := range map[string]string{
		engine.MatchWords([]string{"ana"}):                          "ana prado",
		engine.MatchWords([]string{"lima", "lia"}):                  "anabela lima, lia prado",
		engine.MatchWords([]string{"an"}):                           "",
		engine.MatchAny([][]string{{"ana"}}):                        "ana prado, anabela lima",
		engine.MatchAny([][]string{{"an", "pra"}}):                  "ana prado",
		engine.MatchAny([][]string{{"lim"}, {"lia", "prado"}}):      "anabela lima, lia prado",
		engine.MatchQuery([]string{"0310", "0045"}):                 "caio 0310 0045",
		engine.MatchQuery([]string{"03100045"}):                     "",
		engine.MatchAny(engine.Alternatives([]string{"cai", "03"})): "caio 0310 0045",
	} {
		if got := strings.Join(find(query), ", "); got != want {
			t.Errorf("%s: got %q, want %q", query, got, want)
		}
	}
}

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
				`SELECT 1 FROM name WHERE name MATCH ?`, engine.MatchWords(some)); err != nil {
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
