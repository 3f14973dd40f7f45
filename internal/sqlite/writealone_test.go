package sqlite_test

import (
	"fmt"
	"path/filepath"
	"sync"
	"testing"

	"guiche/internal/store/engine"
)

// TestDB_WriteAlone: among writers that share commits it sees what is committed and
// nothing else.
func TestDB_WriteAlone(t *testing.T) {
	db := MustOpen(t, filepath.Join(t.TempDir(), "guiche.db"))
	release := hold(t, db)
	var started, done sync.WaitGroup
	for i := range 60 {
		started.Add(2)
		done.Go(func() {
			started.Done()
			if err := db.Write(t.Context(), insert(t.Context(), fmt.Sprint(i))); err != nil {
				t.Error(err)
			}
		})
		done.Go(func() {
			started.Done()
			err := db.WriteAlone(t.Context(), func(tx *engine.Tx) error {
				var seen int
				if err := tx.QueryRow(t.Context(), `SELECT count(*) FROM note`).Scan(&seen); err != nil {
					return err
				}
				if committed := MustCount(t, db); seen != committed {
					t.Errorf("got %d notes, want the %d that are committed", seen, committed)
				}
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	started.Wait()
	if err := release(); err != nil {
		t.Fatal(err)
	}
	done.Wait()
	if got := MustCount(t, db); got != 60 {
		t.Errorf("got %d notes, want 60", got)
	}
}
