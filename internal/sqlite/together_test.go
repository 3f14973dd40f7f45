package sqlite_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"guiche/internal/store/engine"
)

// TestDB_ReadTogether: reads under its context are of one moment, whatever is written
// meanwhile, and those after it see what was.
func TestDB_ReadTogether(t *testing.T) {
	db := MustOpen(t, filepath.Join(t.TempDir(), "guiche.db"))
	write := func(query string) {
		t.Helper()
		err := db.Write(t.Context(), func(tx *engine.Tx) error {
			_, err := tx.Exec(t.Context(), query)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	write(`CREATE TABLE page (id INTEGER PRIMARY KEY)`)
	count := func(ctx context.Context) (n int) {
		t.Helper()
		err := db.Read(ctx, func(tx *engine.Tx) error { return tx.QueryRow(ctx, `SELECT COUNT(*) FROM page`).Scan(&n) })
		if err != nil {
			t.Error(err)
		}
		return n
	}
	err := db.ReadTogether(t.Context(), func(ctx context.Context) error {
		if n := count(ctx); n != 0 {
			t.Errorf("got %d rows of none", n)
		}
		write(`INSERT INTO page DEFAULT VALUES`)
		return db.ReadTogether(ctx, func(ctx context.Context) error {
			if n := count(ctx); n != 0 {
				t.Errorf("of the same moment: got %d rows, want 0", n)
			}
			if n := count(t.Context()); n != 1 {
				t.Errorf("of its own moment: got %d rows, want 1", n)
			}
			return errTogether
		})
	})
	if !errors.Is(err, errTogether) {
		t.Errorf("got %v, want what the function returned", err)
	}
	if n := count(t.Context()); n != 1 {
		t.Errorf("afterwards: got %d rows, want 1", n)
	}
}

var errTogether = errors.New("read together")
