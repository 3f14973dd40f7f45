package postgres_test

import (
	"slices"
	"sync"
	"testing"

	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// TestDB_Write_Together: who reads and then writes loses nothing to others who do the same.
func TestDB_Write_Together(t *testing.T) {
	db := opened(t, loosely)
	must(t, db.Write(t.Context(), func(tx *engine.Tx) error {
		_, err := tx.Exec(t.Context(), `INSERT INTO note (id) VALUES (1)`)
		return err
	}))
	const callers, each = 4, 10
	taken := int64(0)
	var mu sync.Mutex
	together(callers, func(int) {
		for range each {
			err := db.Write(t.Context(), func(tx *engine.Tx) error {
				tx.OnRollback(func() { mu.Lock(); taken++; mu.Unlock() })
				var n int64
				if err := tx.QueryRow(t.Context(), `SELECT number FROM note WHERE id = 1`).Scan(&n); err != nil {
					return engine.Error(err)
				}
				_, err := tx.Exec(t.Context(), `UPDATE note SET number = ? WHERE id = 1`, n+1)
				return engine.Error(err)
			})
			if err != nil {
				t.Error(err)
			}
		}
	})
	var n int
	must(t, db.Read(t.Context(), func(tx *engine.Tx) error { return tx.QueryRow(t.Context(), `SELECT number FROM note`).Scan(&n) }))
	if n != callers*each {
		t.Errorf("%d of %d were kept", n, callers*each)
	}
	t.Logf("%d runs were taken back", taken)
}

func together(callers int, do func(caller int)) {
	var all sync.WaitGroup
	for caller := range callers {
		all.Go(func() { do(caller) })
	}
	all.Wait()
}

// TestDB_Write_Equal: of equal requests at once the first is written, and the others find it.
func TestDB_Write_Equal(t *testing.T) {
	db := opened(t, loosely)
	const callers = 8
	for range 5 {
		token := uuid.Must(uuid.NewV7())
		ids := make([]int64, callers)
		together(callers, func(caller int) {
			err := db.Write(t.Context(), func(tx *engine.Tx) error {
				found, err := engine.List(t.Context(), tx, func(row engine.Row) (id int64, err error) { return id, row.Scan(&id) },
					`SELECT id FROM note WHERE token = ?`, engine.UID(token))
				if err == nil && len(found) == 0 {
					ids[caller], err = tx.InsertID(t.Context(), `INSERT INTO note (token) VALUES (?)`, engine.UID(token))
				} else if err == nil {
					ids[caller] = found[0]
				}
				return engine.Error(err)
			})
			if err != nil {
				t.Error(err)
			}
		})
		if slices.Min(ids) != slices.Max(ids) {
			t.Errorf("they found %v", ids)
		}
	}
	if n := count(t, db); n != 5 {
		t.Errorf("%d rows, want 5", n)
	}
}

// TestDB_Write_Taken: who found a unique value taken by one that it did not see runs again alone, as
// the next value that it chooses could be taken from it likewise.
func TestDB_Write_Taken(t *testing.T) {
	db := opened(t, loosely)
	insert := func(tx *engine.Tx, token string) error {
		_, err := tx.Exec(t.Context(), `INSERT INTO note (token) VALUES (?)`, []byte(token))
		return engine.Error(err)
	}
	must(t, db.Write(t.Context(), func(tx *engine.Tx) error { return insert(tx, "first") }))
	var alone []bool
	must(t, db.Write(t.Context(), func(tx *engine.Tx) error {
		locked := false
		err := tx.QueryRow(t.Context(), `SELECT EXISTS (SELECT 1 FROM pg_locks WHERE pid = pg_backend_pid()
			AND relation = 'schema_floor'::regclass AND mode = 'ExclusiveLock')`).Scan(&locked)
		if alone = append(alone, locked); err != nil {
			return err
		}
		return insert(tx, []string{"first", "second"}[len(alone)-1])
	}))
	if !slices.Equal(alone, []bool{false, true}) {
		t.Errorf("runs alone: %v", alone)
	}
}
