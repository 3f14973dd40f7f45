package engine_test

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"testing"
	"unicode"

	"guiche/internal/problem"
	"guiche/internal/store/engine"
)

// TestTx_Claim: rows are claimed, and read by an index, in each engine's own words.
func TestTx_Claim(t *testing.T) {
	onEach(t, func(t *testing.T, db engine.DB) {
		err := db.Write(t.Context(), func(tx *engine.Tx) error {
			if _, err := tx.Exec(t.Context(), `CREATE INDEX note_text ON note (text)`); err != nil {
				return err
			}
			if tx.By("") != "" {
				t.Error("no index has a hint")
			}
			var id int
			err := tx.QueryRow(t.Context(), `SELECT n.id FROM note AS n`+tx.By("note_text")+` WHERE n.text = 'three'
				ORDER BY n.id`+tx.Claim("n")).Scan(&id)
			if id != 3 {
				t.Errorf("got the note %d, want 3", id)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	})
}

// words is an index of texts whose words are listed in a table of their own.
var words = engine.TextIndex{Table: "word", Columns: []string{"text"}, Words: "word_term"}

// mustWords is a database with such an index, in two parts.
func mustWords(t *testing.T) engine.DB {
	t.Helper()
	db := MustOpen(t, filepath.Join(t.TempDir(), "guiche.db"))
	for _, statement := range []string{
		`CREATE TABLE texts (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT`,
		`CREATE VIRTUAL TABLE word USING fts5 (text, content = 'texts', content_rowid = 'id')`,
		`CREATE VIRTUAL TABLE word_term USING fts5vocab ('word', 'row')`,
		`INSERT INTO texts (id, text) VALUES (1, 'ana anabela'), (2, 'anita lia ana')`,
		`INSERT INTO word (rowid, text) SELECT id, text FROM texts WHERE id = 1`,
		`INSERT INTO word (rowid, text) SELECT id, text FROM texts WHERE id = 2`,
	} {
		err := db.Write(t.Context(), func(tx *engine.Tx) error {
			_, err := tx.Exec(t.Context(), statement)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return db
}

func TestTx_WordsFrom(t *testing.T) {
	db := mustWords(t)
	err := db.Read(t.Context(), func(tx *engine.Tx) error {
		for _, tc := range []struct {
			beginning string
			most      int
			want      []string
		}{
			{"an", 9, []string{"ana", "anabela", "anita"}},
			{"ana", 9, []string{"ana", "anabela"}},
			{"an", 2, []string{"ana", "anabela"}},
			{"b", 9, nil},
		} {
			if got, err := tx.WordsFrom(t.Context(), words, tc.beginning, tc.most); err != nil || !slices.Equal(got, tc.want) {
				t.Errorf("%q, at most %d: got %q, %v, want %q", tc.beginning, tc.most, got, err, tc.want)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestTx_MergeText: an index is merged until nothing is left to merge, and made again.
func TestTx_MergeText(t *testing.T) {
	db := mustWords(t)
	err := db.Write(t.Context(), func(tx *engine.Tx) error {
		merge := func(parts int, merged bool) {
			t.Helper()
			if n, err := tx.TextParts(t.Context(), words); err != nil || n != parts {
				t.Errorf("got %d parts, %v, want %d", n, err, parts)
			}
			if got, err := tx.MergeText(t.Context(), words, -100); err != nil || got != merged {
				t.Errorf("merged %t, %v, want %t", got, err, merged)
			}
		}
		merge(2, true)
		merge(1, false)
		if _, err := tx.Exec(t.Context(), `DELETE FROM texts WHERE id = 2`); err != nil {
			return err
		}
		if err := tx.RebuildText(t.Context(), words); err != nil {
			return err
		}
		got, err := tx.WordsFrom(t.Context(), words, "", 9)
		if want := []string{"ana", "anabela"}; !slices.Equal(got, want) {
			t.Errorf("made again: got %q, want %q", got, want)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// TestTx_Words_Failure: what fails says so, and nothing runs after the end.
func TestTx_Words_Failure(t *testing.T) {
	db := MustOpen(t, filepath.Join(t.TempDir(), "guiche.db")) // which has no such index
	over, cancel := context.WithCancel(t.Context())
	cancel()
	for name, do := range map[string]func(context.Context, *engine.Tx) error{
		"WordsFrom":   func(ctx context.Context, tx *engine.Tx) error { _, err := tx.WordsFrom(ctx, words, "a", 1); return err },
		"TextParts":   func(ctx context.Context, tx *engine.Tx) error { _, err := tx.TextParts(ctx, words); return err },
		"MergeText":   func(ctx context.Context, tx *engine.Tx) error { _, err := tx.MergeText(ctx, words, 1); return err },
		"RebuildText": func(ctx context.Context, tx *engine.Tx) error { return tx.RebuildText(ctx, words) },
	} {
		t.Run(name, func(t *testing.T) {
			for ctx, wanted := range map[context.Context]func(error) bool{
				t.Context(): func(err error) bool { return err != nil && problem.CodeOf(err) == problem.Internal },
				over:        func(err error) bool { return errors.Is(err, context.Canceled) },
			} {
				if err := db.Write(t.Context(), func(tx *engine.Tx) error { return do(ctx, tx) }); !wanted(err) {
					t.Errorf("got %v", err)
				}
			}
		})
	}
}

// TestInWord_Accents: a mark belongs to a word where FTS5 says so.
func TestInWord_Accents(t *testing.T) {
	db := MustOpen(t, filepath.Join(t.TempDir(), "guiche.db"))
	err := db.Write(t.Context(), func(tx *engine.Tx) error {
		for _, table := range []string{
			`name USING fts5 (text, tokenize = 'unicode61 remove_diacritics 2')`, `term USING fts5vocab ('name', 'instance')`,
		} {
			if _, err := tx.Exec(t.Context(), `CREATE VIRTUAL TABLE `+table); err != nil {
				return err
			}
		}
		for r := rune(0x300); r <= 0x36f; r++ {
			if _, err := tx.Exec(t.Context(), `INSERT INTO name (rowid, text) VALUES (?, ?)`, int64(r), "a"+string(r)+"b"); err != nil {
				return err
			}
			var pieces int
			if err := tx.QueryRow(t.Context(), `SELECT count(*) FROM term WHERE doc = ?`, int64(r)).Scan(&pieces); err != nil {
				return err
			}
			if unicode.Is(unicode.Mn, r) && engine.InWord(r) != (pieces == 1) {
				t.Errorf("%U: FTS5 makes %d words of it, InWord says %t", r, pieces, engine.InWord(r))
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
