//go:build unix

package sqlite_test

import (
	"path/filepath"
	"testing"

	"guiche/internal/limittest"
	"guiche/internal/problem"
	"guiche/internal/store/engine"
)

// TestDB_Read_NoDescriptors: a reader for whom no further connection can be opened is told
// so by its code; those that are open go on.
func TestDB_Read_NoDescriptors(t *testing.T) {
	db := MustOpen(t, filepath.Join(t.TempDir(), "guiche.db"))
	inner := func() error { return db.Read(t.Context(), func(*engine.Tx) error { return nil }) }
	outer := func() error { return db.Read(t.Context(), func(*engine.Tx) error { return inner() }) }
	limittest.WithoutDescriptors(t, func() {
		if err := outer(); !problem.Is(err, problem.Busy) {
			t.Errorf("got %v, want that the data is out of reach", err)
		}
		if err := inner(); err != nil {
			t.Errorf("over the connection that is open: %v", err)
		}
		if err := db.Write(t.Context(), insert(t.Context(), "x")); err != nil {
			t.Errorf("write: %v", err)
		}
	})
	if err := outer(); err != nil {
		t.Errorf("with descriptors again: %v", err)
	}
}
