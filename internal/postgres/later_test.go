package postgres_test

import (
	"slices"
	"testing"

	"guiche/internal/postgres"
	"guiche/internal/postgres/postgrestest"
	"guiche/internal/problem"
	"guiche/internal/store/engine"
)

// TestTx_ExecLater: what runs later has run once the transaction is kept, before every statement that
// follows it, and its failure is the transaction's.
func TestTx_ExecLater(t *testing.T) {
	for _, change := range []func(*postgres.Options){nil, loosely} {
		db := opened(t, change)
		const add = `INSERT INTO note (number, token) VALUES (?, ?)`
		for range 2 { // at first the types are not known
			must(t, db.Write(t.Context(), func(tx *engine.Tx) error {
				token := []byte{1, 2, 3}
				err := tx.ExecLater(t.Context(), add, 1, token)
				token[0] = 9 // nobody's any more
				if err == nil {
					err = tx.InsertLater(t.Context(), "note", []string{"number"}, 2)
				}
				var n int
				if err == nil {
					err = tx.QueryRow(t.Context(), `SELECT count(*) FROM note WHERE number = 2 OR token = '\x010203'`).Scan(&n)
				}
				if err == nil && n != 2 {
					t.Errorf("%d rows are seen, want 2", n)
				}
				if err == nil {
					err = tx.ExecLater(t.Context(), `UPDATE note SET token = NULL, number = 3`)
				}
				return err
			}))
			if n := count(t, db); n != 2 {
				t.Errorf("%d rows, want 2", n)
			}
			err := db.Write(t.Context(), func(tx *engine.Tx) error {
				if err := tx.ExecLater(t.Context(), add, 4, []byte("a")); err != nil {
					return err
				}
				return engine.Error(tx.ExecLater(t.Context(), add, 5, []byte("a")))
			})
			if !problem.Is(err, problem.Conflict) || count(t, db) != 2 {
				t.Errorf("got %v and %d rows", err, count(t, db))
			}
			must(t, db.Write(t.Context(), func(tx *engine.Tx) error {
				return tx.ExecLater(t.Context(), `ALTER TABLE note DISABLE TRIGGER note_kept`)
			}))
			must(t, db.Write(t.Context(), func(tx *engine.Tx) error { return tx.ExecLater(t.Context(), `DELETE FROM note`) }))
		}
	}
}

// TestDB_Write_OneWay: a transaction of which nobody looks at anything before its end is one way, and takes
// another connection where one has ended.
func TestDB_Write_OneWay(t *testing.T) {
	server := postgrestest.Start(t)
	w, err := postgrestest.CountWays(t.Context(), server.Folder())
	must(t, err)
	db := opened(t, func(o *postgres.Options) { o.URL, o.Strict = w.Through(server.Database(t)), false })
	insert := func() error {
		return db.Write(t.Context(), func(tx *engine.Tx) error {
			return tx.InsertLater(t.Context(), "note", []string{"number"}, 1)
		})
	}
	must(t, insert())
	w.Take()
	must(t, insert())
	if ways := w.Take(); len(ways) != 1 {
		t.Errorf("ways: %q", ways)
	}
	together(6, func(int) {
		if err := insert(); err != nil {
			t.Error(err)
		}
	})
	server.Kill(t)
	server.Start(t)
	for range 8 {
		must(t, insert())
	}
	if n := count(t, db); n != 16 {
		t.Errorf("%d rows, want 16", n)
	}
	must(t, w.Close())
	if ways := w.Take(); !slices.ContainsFunc(ways, func(way string) bool { return len(way) > 0 }) {
		t.Error("no ways are counted")
	}
}
