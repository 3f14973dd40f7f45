package sqlite_test

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"sync"
	"testing"

	"guiche/internal/limittest"
	"guiche/internal/problem"
	"guiche/internal/store/engine"
)

// TestDB_Write_Busy: while another program keeps the database, whoever writes is told that
// nothing was done, all who wait at once; reading goes on, and so does all when it ends.
func TestDB_Write_Busy(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "guiche.db")
	db := MustOpen(t, path)
	beside, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = beside.Close() })
	release := limittest.Occupy(t, beside)
	defer release()
	var writers sync.WaitGroup
	for i := range 50 {
		writers.Go(func() {
			ran := false
			err := db.Write(t.Context(), func(tx *engine.Tx) error { ran = true; return insert(t.Context(), fmt.Sprint(i))(tx) })
			if !problem.Is(err, problem.Busy) || ran {
				t.Errorf("got %v, ran %t, want that the data is out of reach and nothing was done", err, ran)
			}
		})
	}
	if got := MustCount(t, db); got != 0 {
		t.Errorf("got %d notes", got)
	}
	writers.Wait()
	release()
	if err := db.Write(t.Context(), insert(t.Context(), "later")); err != nil || MustCount(t, db) != 1 {
		t.Errorf("got %v, %d notes, want the one that was written afterwards", err, MustCount(t, db))
	}
}
