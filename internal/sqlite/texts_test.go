package sqlite_test

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"testing/fstest"

	"guiche/internal/sqlite"
	"guiche/internal/store/engine"
)

var (
	wordIndex  = engine.TextIndex{Table: "word", Columns: []string{"name"}}
	wordSchema = fstest.MapFS{"00001_word.sql": {Data: []byte(`-- +goose Up
CREATE VIRTUAL TABLE word USING fts5 (name, content = '', tokenize = 'unicode61 remove_diacritics 2');
`)}}
)

// openWords opens a database that finds rows by words.
func openWords(t *testing.T) *sqlite.DB {
	t.Helper()
	db, err := sqlite.Open(t.Context(), sqlite.Options{Path: filepath.Join(t.TempDir(), "guiche.db"), Migrations: wordSchema})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { MustClose(t, db) })
	return db
}

// found are the numbers of the rows that have a word.
func found(ctx context.Context, t *testing.T, tx *engine.Tx, word string) []int64 {
	t.Helper()
	in := tx.Match(wordIndex, engine.Word(word))
	ids, err := engine.List(ctx, tx, func(row engine.Row) (id int64, err error) {
		err = row.Scan(&id)
		return id, err
	}, `SELECT `+in.ID+` FROM `+in.From+` ORDER BY 1`, in.Value)
	if err != nil {
		t.Error(err)
	}
	return ids
}

// together runs jobs in one transaction, in their order.
func together(t *testing.T, db *sqlite.DB, jobs ...func(*engine.Tx) error) []error {
	t.Helper()
	errs := make([]error, len(jobs))
	var all sync.WaitGroup
	release := hold(t, db)
	for i, job := range jobs {
		all.Go(func() { errs[i] = db.Write(context.WithoutCancel(t.Context()), job) })
		db.AwaitWaiting(i + 1)
	}
	if err := release(); err != nil {
		t.Error(err)
	}
	all.Wait()
	return errs
}

// TestDB_AddText: jobs that share a commit write one part of an index, whatever savepoints lie
// between them, and each sees what those before it have written.
func TestDB_AddText(t *testing.T) {
	add := func(id int64, text string) func(*engine.Tx) error {
		return func(tx *engine.Tx) error { return tx.AddText(t.Context(), wordIndex, id, text) }
	}
	read := func(t *testing.T, db *sqlite.DB, word string) (ids []int64) {
		t.Helper()
		if err := db.Read(t.Context(), func(tx *engine.Tx) error { ids = found(t.Context(), t, tx, word); return nil }); err != nil {
			t.Error(err)
		}
		return ids
	}

	t.Run("Failing", func(t *testing.T) {
		db := openWords(t)
		missing := func(tx *engine.Tx) error {
			return tx.AddText(t.Context(), engine.TextIndex{Table: "missing", Columns: []string{"name"}}, 1, "ana")
		}
		if err := db.Write(t.Context(), missing); err == nil {
			t.Fatal("a change of an index that is not there was committed")
		}
		errs := together(t, db, add(1, "ana"), missing, add(2, "ana"))
		if errs[0] != nil || errs[1] == nil || errs[2] != nil {
			t.Errorf("got %v, want an error of the second alone", errs)
		}
		wantIDs(t, read(t, db, "ana"), 1, 2)
	})

	t.Run("OnePart", func(t *testing.T) {
		db := openWords(t)
		if err := errors.Join(together(t, db, add(3, "ana"), add(1, "ana lia"), add(2, "ana"))...); err != nil {
			t.Fatal(err)
		}
		parts, err := engine.Get(t.Context(), db, func(tx *engine.Tx) (int, error) { return tx.TextParts(t.Context(), wordIndex) })
		if err != nil || parts != 1 {
			t.Errorf("got %d parts and %v, want 1", parts, err)
		}
		wantIDs(t, read(t, db, "ana"), 1, 2, 3)
	})

	t.Run("TakenBack", func(t *testing.T) {
		db := openWords(t)
		errs := together(t, db, add(1, "ana"), func(tx *engine.Tx) error {
			if err := add(2, "ana")(tx); err != nil {
				return err
			}
			wantIDs(t, found(t.Context(), t, tx, "ana"), 1, 2) // written behind the savepoint that is taken back
			return errOwn
		}, func(tx *engine.Tx) error {
			wantIDs(t, found(t.Context(), t, tx, "ana"), 1)
			return nil
		}, add(3, "ana"))
		if errs[0] != nil || !errors.Is(errs[1], errOwn) || errs[2] != nil || errs[3] != nil {
			t.Fatalf("got %v, want the second job's own error alone", errs)
		}
		wantIDs(t, read(t, db, "ana"), 1, 3)
	})

	t.Run("FirstFails", func(t *testing.T) {
		db := openWords(t)
		err := db.Write(t.Context(), func(tx *engine.Tx) error { return errors.Join(add(1, "ana")(tx), errOwn) })
		if !errors.Is(err, errOwn) {
			t.Errorf("got %v, want the job's own error", err)
		}
		if err := db.Write(t.Context(), add(2, "ana")); err != nil {
			t.Error(err)
		}
		wantIDs(t, read(t, db, "ana"), 2)
	})

	t.Run("Many", func(t *testing.T) {
		db := openWords(t)
		err := db.WriteMany(t.Context(), func(tx *engine.Tx) error {
			for id := int64(1000); id > 0; id-- {
				if err := add(id, "ana")(tx); err != nil {
					return err
				}
			}
			return tx.RemoveText(t.Context(), wordIndex, 7, "ana")
		})
		if err != nil {
			t.Fatal(err)
		}
		if n := len(read(t, db, "ana")); n != 999 {
			t.Errorf("got %d rows, want 999", n)
		}
	})
}

func wantIDs(t *testing.T, got []int64, want ...int64) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got rows %v, want %v", got, want)
	}
}
