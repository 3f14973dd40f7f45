package engine_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"guiche/internal/sqlite"
	"guiche/internal/store/engine"
)

func mustOpenStrict(t *testing.T) *sqlite.DB {
	t.Helper()
	db, err := sqlite.Open(t.Context(), sqlite.Options{Strict: true, Path: filepath.Join(t.TempDir(), "guiche.db"), Migrations: schema})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// TestDB_Strict: each function runs twice, and only what the second run did stays.
func TestDB_Strict(t *testing.T) {
	type do = func(context.Context, func(*engine.Tx) error) error
	db := mustOpenStrict(t)
	for name, do := range map[string]do{"Read": db.Read, "Write": db.Write, "WriteAlone": db.WriteAlone, "WriteMany": db.WriteMany} {
		t.Run(name, func(t *testing.T) {
			before, runs, undone := MustCount(t, db), 0, 0
			err := do(t.Context(), func(tx *engine.Tx) error {
				runs++
				tx.OnRollback(func() { undone++ })
				if name == "Read" {
					return nil
				}
				return insert(t.Context(), name)(tx)
			})
			want := before + 1
			if name == "Read" {
				want = before
			}
			if got := MustCount(t, db); err != nil || runs != 2 || undone != 1 || got != want {
				t.Errorf("got %v, %d runs, %d undone, %d notes, want %d", err, runs, undone, got, want)
			}
		})
	}
}

// TestDB_Strict_Aborted: no statement follows one that failed, and the function cannot
// pass over that.
func TestDB_Strict_Aborted(t *testing.T) {
	db := mustOpenStrict(t)
	const wrong = `SELECT nothing`
	for name, fail := range map[string]func(*engine.Tx) error{
		"Exec":     func(tx *engine.Tx) error { _, err := tx.Exec(t.Context(), wrong); return err },
		"QueryRow": func(tx *engine.Tx) error { return tx.QueryRow(t.Context(), wrong).Scan(new(int)) },
		"Query": func(tx *engine.Tx) error {
			rows, err := tx.Query(t.Context(), wrong)
			if err == nil {
				err = errors.Join(rows.Err(), rows.Close())
			}
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			err := db.Write(t.Context(), func(tx *engine.Tx) error {
				if fail(tx) == nil {
					t.Error("it did not fail")
				}
				if err := insert(t.Context(), "after")(tx); err == nil {
					t.Error("a statement went on after it")
				}
				var n int
				if err := tx.QueryRow(t.Context(), `SELECT 1`).Scan(&n); err == nil {
					t.Error("a question went on after it")
				}
				return nil
			})
			if got := MustCount(t, db); err == nil || got != 0 {
				t.Errorf("got %v, %d notes", err, got)
			}
		})
	}
}

// TestTx_OnRollback: what a function did in memory is taken back with what it wrote, and
// stays with it.
func TestTx_OnRollback(t *testing.T) {
	db := MustOpen(t, filepath.Join(t.TempDir(), "guiche.db"))
	failure := errors.New("no")
	for _, want := range []error{nil, failure} {
		var undone string
		err := db.Write(t.Context(), func(tx *engine.Tx) error {
			tx.OnRollback(func() { undone += "first" })
			tx.OnRollback(func() { undone += "second " })
			return want
		})
		if stays := undone == ""; !errors.Is(err, want) || stays != (want == nil) || !stays && undone != "second first" {
			t.Errorf("%v: got %v, undone %q", want, err, undone)
		}
	}
}

// TestDB_NotStrict: SQLite goes on after a statement that failed, for what is not strict.
func TestDB_NotStrict(t *testing.T) {
	db := MustOpen(t, filepath.Join(t.TempDir(), "guiche.db"))
	err := db.Write(t.Context(), func(tx *engine.Tx) error {
		if _, err := tx.Exec(t.Context(), `SELECT nothing`); err == nil {
			t.Error("it did not fail")
		}
		return insert(t.Context(), "after")(tx)
	})
	if got := MustCount(t, db); err != nil || got != 1 {
		t.Errorf("got %v, %d notes, want 1", err, got)
	}
}
