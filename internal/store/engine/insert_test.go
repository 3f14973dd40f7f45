package engine_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"guiche/internal/sqlite"
	"guiche/internal/store/engine"
)

var twoTables = []string{
	`CREATE TABLE parent (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT`,
	`CREATE TABLE child (id INTEGER PRIMARY KEY, parent INTEGER NOT NULL REFERENCES parent (id)) STRICT`,
}

func mustFamilies(t *testing.T) *sqlite.DB {
	t.Helper()
	db := MustOpen(t, filepath.Join(t.TempDir(), "guiche.db"))
	for _, table := range twoTables {
		err := db.Write(t.Context(), func(tx *engine.Tx) error {
			_, err := tx.Exec(t.Context(), table)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return db
}

// insertFamilies adds parents with a child each, the first numbers asked for as the
// program does.
func insertFamilies(ctx context.Context, tx *engine.Tx, n int) error {
	for i := range n {
		parent, err := tx.NextID(ctx, "parent")
		if err != nil {
			return err
		}
		if err := tx.Insert(ctx, "parent", []string{"id", "name"}, parent, fmt.Sprint("p", i)); err != nil {
			return err
		}
		child, err := tx.NextID(ctx, "child")
		if err != nil {
			return err
		}
		if err := tx.Insert(ctx, "child", []string{"id", "parent"}, child, parent); err != nil {
			return err
		}
	}
	return nil
}

// families counts the parents that have their child.
func families(ctx context.Context, tx *engine.Tx) (n int, err error) {
	err = tx.QueryRow(ctx, `SELECT COUNT(*) FROM parent p JOIN child c ON c.parent = p.id AND c.id = p.id`).Scan(&n)
	return n, err
}

// TestDB_WriteMany: rows stand in the order of their tables, and whoever reads in the same
// transaction sees them.
func TestDB_WriteMany(t *testing.T) {
	for name, write := range map[string]func(*sqlite.DB, context.Context, func(*engine.Tx) error) error{
		"One": (*sqlite.DB).Write, "Many": (*sqlite.DB).WriteMany,
	} {
		t.Run(name, func(t *testing.T) {
			db := mustFamilies(t)
			for round := range 2 {
				const n = 75 // a few statements of many rows and some of one
				err := write(db, t.Context(), func(tx *engine.Tx) error {
					if err := insertFamilies(t.Context(), tx, n); err != nil {
						return err
					}
					if got, err := families(t.Context(), tx); err != nil || got != n*(round+1) {
						t.Errorf("within: got %d, %v", got, err)
					}
					return insertFamilies(t.Context(), tx, 0)
				})
				if err != nil {
					t.Fatal(err)
				}
			}
			got, err := engine.Get(t.Context(), db, func(tx *engine.Tx) (int, error) { return families(t.Context(), tx) })
			if err != nil || got != 150 {
				t.Errorf("got %d families, %v, want 150", got, err)
			}
		})
	}
}

// TestDB_WriteMany_Failure: whatever fails, nothing stays, and the reason is told.
func TestDB_WriteMany_Failure(t *testing.T) {
	stop := errors.New("stop")
	for name, tc := range map[string]struct {
		end  func(ctx context.Context, tx *engine.Tx) error
		want func(error) bool
	}{
		"Caller": {func(context.Context, *engine.Tx) error { return stop }, func(err error) bool { return errors.Is(err, stop) }},
		"AtEnd": {func(ctx context.Context, tx *engine.Tx) error {
			return tx.Insert(ctx, "child", []string{"id", "parent"}, 900, 900)
		}, func(err error) bool { return err != nil }},
		"AtQuery": {func(ctx context.Context, tx *engine.Tx) error {
			if err := tx.Insert(ctx, "child", []string{"id", "parent"}, 900, 900); err != nil {
				return err
			}
			_, err := families(ctx, tx)
			return err
		}, func(err error) bool { return err != nil && !errors.Is(err, context.Canceled) }},
	} {
		t.Run(name, func(t *testing.T) {
			db := mustFamilies(t)
			err := db.WriteMany(t.Context(), func(tx *engine.Tx) error {
				if err := insertFamilies(t.Context(), tx, 3); err != nil {
					return err
				}
				return tc.end(t.Context(), tx)
			})
			if !tc.want(err) {
				t.Errorf("got %v", err)
			}
			got, err := engine.Get(t.Context(), db, func(tx *engine.Tx) (int, error) { return families(t.Context(), tx) })
			if err != nil || got != 0 {
				t.Errorf("got %d families, %v, want none", got, err)
			}
		})
	}
}

// TestTx_NextID_Many: the next number follows those of rows that wait to be written.
func TestTx_NextID_Many(t *testing.T) {
	db := mustFamilies(t)
	err := db.WriteMany(t.Context(), func(tx *engine.Tx) error {
		if err := tx.Insert(t.Context(), "parent", []string{"id", "name"}, 50, "p"); err != nil {
			return err
		}
		for want := int64(51); want < 53; want++ {
			if next, err := tx.NextID(t.Context(), "parent"); err != nil || next != want {
				t.Errorf("got %d, %v, want %d", next, err, want)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
