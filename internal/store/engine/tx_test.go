package engine_test

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"guiche/internal/problem"
	"guiche/internal/store/engine"
)

// statements are the ways to send one, each as it fails in the engine.
var statements = map[string]func(context.Context, *engine.Tx) error{
	"Exec": func(ctx context.Context, tx *engine.Tx) error {
		_, err := tx.Exec(ctx, `DELETE FROM nothing`)
		return engine.Error(err)
	},
	"InsertID": func(ctx context.Context, tx *engine.Tx) error {
		_, err := tx.InsertID(ctx, `INSERT INTO nothing (id) VALUES (1)`)
		return engine.Error(err)
	},
	"DeleteCopies": func(ctx context.Context, tx *engine.Tx) error { return tx.DeleteCopies(ctx, `DELETE FROM nothing`) },
	"Insert": func(ctx context.Context, tx *engine.Tx) error {
		return tx.Insert(ctx, "nothing", []string{"id"}, 1)
	},
	"NextID": func(ctx context.Context, tx *engine.Tx) error {
		id, err := tx.NextID(ctx, "nothing")
		if id != 0 {
			return nil // a number without a table
		}
		return err
	},
	"QueryRow": func(ctx context.Context, tx *engine.Tx) error {
		return engine.Error(tx.QueryRow(ctx, `SELECT id FROM nothing`).Scan(new(int)))
	},
	"List": func(ctx context.Context, tx *engine.Tx) error {
		_, err := engine.List(ctx, tx, func(engine.Row) (int, error) { return 0, nil }, `SELECT id FROM nothing`)
		return err
	},
}

// TestTx_Failure: a statement that fails says so, and one after the end of its context or of
// its function does not run.
func TestTx_Failure(t *testing.T) {
	db := mustNotes(t, 1)
	over, cancel := context.WithCancel(t.Context())
	cancel()
	for name, do := range statements {
		t.Run(name, func(t *testing.T) {
			err := db.Write(t.Context(), func(tx *engine.Tx) error { return do(t.Context(), tx) })
			if err == nil || problem.CodeOf(err) != problem.Internal {
				t.Errorf("got %v, want an error of its own", err)
			}
		})
	}
	ended := maps.Clone(statements)
	ended["HasTable"] = func(ctx context.Context, tx *engine.Tx) error {
		_, err := tx.HasTable(ctx, "note")
		return err
	}
	for name, do := range ended {
		t.Run("Ended"+name, func(t *testing.T) {
			var kept *engine.Tx
			err := db.Write(t.Context(), func(tx *engine.Tx) error {
				kept = tx
				return do(over, tx)
			})
			if !errors.Is(err, context.Canceled) {
				t.Errorf("cancelled: got %v", err)
			}
			if err := do(t.Context(), kept); !errors.Is(err, context.Canceled) {
				t.Errorf("after its end: got %v", err)
			}
		})
	}
}

// TestTx_Statements: numbers of new rows, counts of changed ones, and what tables there are.
func TestTx_Statements(t *testing.T) {
	db := mustNotes(t, 3)
	err := db.Write(t.Context(), func(tx *engine.Tx) error {
		id, err := tx.InsertID(t.Context(), `INSERT INTO note (text) VALUES (?)`, "one more")
		if err != nil || id != 4 {
			t.Errorf("got the number %d, %v, want 4", id, err)
		}
		changed, err := tx.Exec(t.Context(), `UPDATE note SET at = 7 WHERE id > 2`)
		if err != nil || changed != 2 {
			t.Errorf("%d changed, %v, want 2", changed, err)
		}
		if next, err := tx.NextID(t.Context(), "note"); err != nil || next != 5 {
			t.Errorf("the next is %d, %v, want 5", next, err)
		}
		if err := tx.DeleteCopies(t.Context(), `DELETE FROM note WHERE id = ?`, 1); err != nil {
			t.Error(err)
		}
		for name, want := range map[string]bool{"note": true, "nothing": false} {
			if has, err := tx.HasTable(t.Context(), name); err != nil || has != want {
				t.Errorf("table %s: %t, %v", name, has, err)
			}
		}
		return nil
	})
	if n := MustCount(t, db); err != nil || n != 3 {
		t.Errorf("got %v, %d notes, want 3", err, n)
	}
}

// TestList: rows in their order, the error of a row, and none.
func TestList(t *testing.T) {
	db := mustNotes(t, 2)
	text := func(row engine.Row) (s string, err error) {
		err = row.Scan(&s)
		return s, err
	}
	all, err := engine.Get(t.Context(), db, func(tx *engine.Tx) ([]string, error) {
		return engine.List(t.Context(), tx, text, `SELECT text FROM note ORDER BY id DESC`)
	})
	if want := []string{"note 1", "note 0"}; err != nil || !slices.Equal(all, want) {
		t.Errorf("got %q, %v, want %q", all, err, want)
	}
	err = db.Read(t.Context(), func(tx *engine.Tx) error {
		_, err := engine.List(t.Context(), tx, func(engine.Row) (int, error) { return 0, sql.ErrNoRows }, `SELECT text FROM note`)
		return err
	})
	if !problem.Is(err, problem.NotFound) {
		t.Errorf("got %v, want the error of the row", err)
	}
}

// TestRows_Scan_Column: an error names the column, the first of which is 1.
func TestRows_Scan_Column(t *testing.T) {
	db := MustOpen(t, filepath.Join(t.TempDir(), "guiche.db"))
	err := db.Read(t.Context(), func(tx *engine.Tx) error {
		return tx.QueryRow(t.Context(), `SELECT 1, 'zeta'`).Scan(new(int), new(int))
	})
	if err == nil || !strings.Contains(err.Error(), "column 2") {
		t.Errorf("got %v, want column 2 named", err)
	}
}

// TestOnce: what a snapshot tells is read once, and what a transaction that writes tells may
// change.
func TestOnce(t *testing.T) {
	for name, tc := range map[string]struct {
		write bool
		want  int
	}{"Snapshot": {false, 1}, "Write": {true, 3}} {
		tx, reads := engine.NewTx(nil, time.Now(), tc.write), 0
		for range 3 {
			got, err := engine.Once(tx, name, func() (string, error) { reads++; return "found", nil })
			if got != "found" || err != nil {
				t.Errorf("%s: got %q, %v", name, got, err)
			}
		}
		if reads != tc.want {
			t.Errorf("%s: read %d times, want %d", name, reads, tc.want)
		}
	}
	failed, tx := errors.New("failed"), engine.NewTx(nil, time.Now(), false)
	for range 2 {
		if _, err := engine.Once(tx, "key", func() (int, error) { return 0, failed }); !errors.Is(err, failed) {
			t.Errorf("got %v, want %v", err, failed)
		}
	}
}
