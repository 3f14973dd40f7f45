package sqlite_test

import (
	"context"
	"path/filepath"
	"sync"
	"testing"

	"guiche/internal/store/engine"
)

// TestDB_WriteDerived: whoever waits for the disk is in no group that does not, whatever
// comes at the same time.
func TestDB_WriteDerived(t *testing.T) {
	db := MustOpen(t, filepath.Join(t.TempDir(), "guiche.db"))
	const synced = 2
	var lazy, all sync.WaitGroup
	write := func(kind func(context.Context, func(*engine.Tx) error) error, check func(synchronous int)) {
		err := kind(t.Context(), func(tx *engine.Tx) error {
			var synchronous int
			err := tx.QueryRow(t.Context(), `PRAGMA synchronous`).Scan(&synchronous)
			check(synchronous)
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
	for range 100 {
		all.Go(func() {
			write(db.Write, func(got int) {
				if got != synced {
					t.Errorf("Write: got synchronous = %d, want %d", got, synced)
				}
			})
		})
		lazy.Go(func() { write(db.WriteDerived, func(int) {}) })
	}
	all.Wait()
	lazy.Wait()
	write(db.WriteDerived, func(got int) {
		if got == synced {
			t.Error("WriteDerived alone: it waits for the disk")
		}
	})
	if err := db.WriteDerived(t.Context(), insert(t.Context(), "a")); err != nil {
		t.Fatal(err)
	}
	if got := MustCount(t, db); got != 1 {
		t.Errorf("got %d notes, want the one that was written", got)
	}
}
