package sqlite_test

import (
	"path/filepath"
	"testing"

	"guiche/internal/store/engine"
)

// TestTx_DeleteCopies: whatever becomes of it, what is deleted afterwards is overwritten as
// before.
func TestTx_DeleteCopies(t *testing.T) {
	db := MustOpen(t, filepath.Join(t.TempDir(), "guiche.db"))
	for _, text := range []string{"copy", "only"} {
		if err := db.Write(t.Context(), insert(t.Context(), text)); err != nil {
			t.Fatal(err)
		}
	}
	overwrites := func(tx *engine.Tx) (on int) {
		t.Helper()
		if err := tx.QueryRow(t.Context(), `PRAGMA secure_delete`).Scan(&on); err != nil {
			t.Error(err)
		}
		return on
	}
	for name, tt := range map[string]struct {
		statement string
		deletes   bool
	}{"Done": {`DELETE FROM note WHERE text = ?`, true}, "Failed": {`DELETE FROM nothing WHERE text = ?`, false}} {
		err := db.Write(t.Context(), func(tx *engine.Tx) error {
			before := overwrites(tx)
			if err := tx.DeleteCopies(t.Context(), tt.statement, "copy"); (err == nil) != tt.deletes {
				t.Errorf("%s: got %v", name, err)
			}
			if after := overwrites(tx); before != 1 || after != before {
				t.Errorf("%s: secure_delete was %d and is %d, want it on", name, before, after)
			}
			return nil
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := MustCount(t, db); got != 1 {
		t.Errorf("got %d notes, want the other one", got)
	}
}
