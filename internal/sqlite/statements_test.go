package sqlite_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"guiche/internal/problem"
	"guiche/internal/sqlite"
	"guiche/internal/store/engine"
)

// mustNotes is a database with so many notes, their ids from 1.
func mustNotes(tb testing.TB, n int) *sqlite.DB {
	tb.Helper()
	db := MustOpen(tb, filepath.Join(tb.TempDir(), "guiche.db"))
	for i := range n {
		if err := db.Write(tb.Context(), insert(tb.Context(), fmt.Sprint("note ", i))); err != nil {
			tb.Fatal(err)
		}
	}
	return db
}

// pairs counts the pairs of notes, by a query within another with the same text.
func pairs(ctx context.Context, tx *engine.Tx) (n int, err error) {
	err = each(ctx, tx, func() error { return each(ctx, tx, func() error { n++; return nil }) })
	return n, err
}

// each does something at every note.
func each(ctx context.Context, tx *engine.Tx, do func() error) error {
	rows, err := tx.Query(ctx, `SELECT id FROM note ORDER BY id`)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		if err := do(); err != nil {
			return err
		}
	}
	return rows.Err()
}

func TestTx_Query_Kept(t *testing.T) {
	t.Run("WithinItself", func(t *testing.T) {
		db := mustNotes(t, 5)
		for range 2 {
			got, err := engine.Get(t.Context(), db, func(tx *engine.Tx) (int, error) { return pairs(t.Context(), tx) })
			if err != nil || got != 25 {
				t.Errorf("got %d, error %v, want 25", got, err)
			}
		}
	})

	t.Run("LeftHalfway", func(t *testing.T) {
		db := mustNotes(t, 3)
		for range 10 { // more than there are readers
			var id int
			err := db.Read(t.Context(), func(tx *engine.Tx) error {
				return tx.QueryRow(t.Context(), `SELECT id FROM note ORDER BY id`).Scan(&id)
			})
			if err != nil || id != 1 {
				t.Fatalf("got %d, error %v, want the first", id, err)
			}
		}
	})

	t.Run("AfterAChangeOfTheSchema", func(t *testing.T) {
		db := mustNotes(t, 1)
		fits := func(columns int) error {
			return db.Read(t.Context(), func(tx *engine.Tx) error {
				dest := make([]any, columns)
				for i := range dest {
					dest[i] = new(any)
				}
				return tx.QueryRow(t.Context(), `SELECT * FROM note`).Scan(dest...)
			})
		}
		if err := fits(4); err != nil {
			t.Fatal(err)
		}
		err := db.Write(t.Context(), func(tx *engine.Tx) error {
			_, err := tx.Exec(t.Context(), `ALTER TABLE note ADD COLUMN more TEXT`)
			return err
		})
		if old, now := fits(4), fits(5); err != nil || old == nil || now != nil {
			t.Errorf("error %v; four columns %v, five %v, want that there are five", err, old, now)
		}
	})
}

func TestTx_Exec_Kept(t *testing.T) {
	t.Run("AfterItFailed", func(t *testing.T) {
		db := mustNotes(t, 1)
		for range 3 {
			if err := db.Write(t.Context(), insert(t.Context(), "note 0")); problem.CodeOf(engine.Error(err)) != problem.Conflict {
				t.Errorf("taken: got %v, want a conflict", err)
			}
		}
		if err := db.Write(t.Context(), insert(t.Context(), "note 1")); err != nil {
			t.Errorf("free: %v", err)
		}
		if got := MustCount(t, db); got != 2 {
			t.Errorf("got %d notes, want 2", got)
		}
	})

	t.Run("MoreTextsThanAreKept", func(t *testing.T) {
		db := mustNotes(t, 1)
		for round := range 2 {
			err := db.Write(t.Context(), func(tx *engine.Tx) error {
				rows, err := tx.Query(t.Context(), `SELECT id FROM note`) // open meanwhile
				if err != nil {
					return err
				}
				defer func() { _ = rows.Close() }()
				for i := range 600 {
					if _, err := tx.Exec(t.Context(), fmt.Sprintf(`INSERT INTO note (text) VALUES ('%d of %d')`, i, round)); err != nil {
						return err
					}
				}
				if !rows.Next() {
					t.Error("got no row, want the first note")
				}
				return rows.Err()
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if got := MustCount(t, db); got != 1201 {
			t.Errorf("got %d notes, want 1201", got)
		}
	})
}

// A query that its context ended leaves nothing behind for the next one.
func TestTx_Query_Ended(t *testing.T) {
	const endless = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) SELECT max(i) FROM n`
	db := mustNotes(t, 1)
	ask := func(ctx context.Context, most int) (got int, err error) {
		err = db.Read(ctx, func(tx *engine.Tx) error { return tx.QueryRow(ctx, endless, most).Scan(&got) })
		return got, err
	}
	for range 3 {
		ctx, cancel := context.WithCancel(t.Context())
		started := make(chan struct{})
		go func() { <-started; cancel() }()
		err := db.Read(ctx, func(tx *engine.Tx) error {
			close(started)
			return tx.QueryRow(ctx, endless, 1<<40).Scan(new(int))
		})
		if err == nil {
			t.Error("got no error, want that of the context")
		}
		for range 5 {
			if got, err := ask(t.Context(), 1000); err != nil || got != 1000 {
				t.Errorf("got %d, error %v, want 1000", got, err)
			}
		}
	}
}

// BenchmarkTx_QueryRow reports how much longer a query takes whose text is new than
// one that was asked before.
func BenchmarkTx_QueryRow(b *testing.B) {
	const queries = 1000
	db := mustNotes(b, 100)
	ask := func(text func(i int) string) float64 {
		start := time.Now()
		for i := range queries {
			err := db.Read(b.Context(), func(tx *engine.Tx) error {
				return tx.QueryRow(b.Context(), text(i), i%100+1).Scan(new(string))
			})
			if err != nil {
				b.Fatal(err)
			}
		}
		return time.Since(start).Seconds()
	}
	const query = `SELECT n.text FROM note n LEFT JOIN reply r ON r.note_id = n.id WHERE n.id = ?`
	var known, fresh float64
	for round := 0; b.Loop(); round++ {
		known += ask(func(int) string { return query })
		fresh += ask(func(i int) string { return fmt.Sprintf("%s -- %d of %d", query, i, round) })
	}
	b.ReportMetric(fresh/known, "gain")
	b.ReportMetric(0, "ns/op") // a round is no operation
}
