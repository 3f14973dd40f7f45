package postgres_test

import (
	"strings"
	"testing"

	"guiche/internal/postgres"
	"guiche/internal/postgres/postgrestest"
	"guiche/internal/store/engine"
)

// TestTx_Single: who reads by one query sends neither the beginning nor the end of a transaction; what comes after
// all the same is read whole, and writes nothing.
func TestTx_Single(t *testing.T) {
	w := postgrestest.Counted(t)
	db := opened(t, func(o *postgres.Options) { o.URL, o.Strict = w.Through(postgrestest.Database(t)), false })
	const insert, number = `INSERT INTO note (number) VALUES (?)`, `SELECT sum(number)::bigint FROM note`
	must(t, db.Write(t.Context(), func(tx *engine.Tx) error {
		_, err := tx.Exec(t.Context(), insert, 7)
		return err
	}))
	read := func(queries int) (n int) {
		must(t, db.Read(t.Context(), func(tx *engine.Tx) error {
			tx.Single()
			for range queries {
				if err := tx.QueryRow(t.Context(), number).Scan(&n); err != nil {
					return err
				}
			}
			return nil
		}))
		return n
	}
	read(1) // the server gets to know the statement
	for queries, begins := range map[int]int{1: 0, 2: 1} {
		w.Take()
		n := read(queries)
		went := strings.Join(w.Take(), "; ")
		if n != 7 || strings.Count(went, "BEGIN") != begins || strings.Count(went, "SELECT set_config") != queries {
			t.Errorf("%d queries: read %d by %s", queries, n, went)
		}
	}
	err := db.Read(t.Context(), func(tx *engine.Tx) error {
		tx.Single()
		_, err := tx.Exec(t.Context(), insert, 1)
		return err
	})
	if n := read(1); err == nil || n != 7 {
		t.Errorf("a write in what reads: %v, %d afterwards", err, n)
	}
}
