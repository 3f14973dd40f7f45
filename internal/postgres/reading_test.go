package postgres_test

import (
	"context"
	"errors"
	"testing"

	"guiche/internal/postgres"
	"guiche/internal/postgres/postgrestest"
	"guiche/internal/problem"
	"guiche/internal/store/engine"
)

// readPage reads as a page does: by two functions, the second of which reads together.
func readPage(t *testing.T, db *postgres.DB, between func()) (before, after int) {
	t.Helper()
	ctx, end := db.ReadOn(t.Context(), "a page")
	defer end()
	counted := func(ctx context.Context, n *int, query string) {
		must(t, db.Read(ctx, func(tx *engine.Tx) error { return tx.QueryRow(ctx, query).Scan(n) }))
	}
	counted(ctx, &before, `SELECT count(*) FROM note WHERE number >= 0`)
	between()
	must(t, db.ReadTogether(ctx, func(ctx context.Context) error {
		counted(ctx, &after, `SELECT count(*) FROM note`)
		return nil
	}))
	return before, after
}

// TestDB_ReadOn: what a page reads by several functions is of one moment, and comes by one way when it is
// read again.
func TestDB_ReadOn(t *testing.T) {
	w := postgrestest.Counted(t)
	db := opened(t, func(o *postgres.Options) { o.URL, o.Strict = w.Through(postgrestest.Database(t)), false })
	insert := func() {
		must(t, db.Write(t.Context(), func(tx *engine.Tx) error {
			_, err := tx.Exec(t.Context(), `INSERT INTO note (number) VALUES (1)`)
			return err
		}))
	}
	for n := range 3 {
		if before, after := readPage(t, db, insert); before != n || after != n {
			t.Errorf("read %d and %d, want %d of both", before, after, n)
		}
	}
	w.Take()
	if before, after := readPage(t, db, func() {}); before != 3 || after != 3 {
		t.Errorf("read %d and %d, want 3 of both", before, after)
	}
	if ways := w.Take(); len(ways) != 1 {
		t.Errorf("ways: %q", ways)
	}
	ctx, end := db.ReadOn(t.Context(), "")
	for n := range 2 { // what failed ends the transaction, and the next function begins another
		var got int
		err := db.Read(ctx, func(tx *engine.Tx) error {
			return tx.QueryRow(ctx, `SELECT 1 / count(*) FROM note WHERE number > 1`).Scan(&got)
		})
		if err == nil {
			t.Errorf("function %d did not fail", n)
		}
	}
	end()
	if n := count(t, db); n != 3 {
		t.Errorf("%d rows, want 3", n)
	}
}

// TestDB_ReadOn_Failing: a page is read whose last reader asked what fails now.
func TestDB_ReadOn_Failing(t *testing.T) {
	t.Parallel()
	db := opened(t, loosely)
	read := func(zero bool) error {
		ctx, end := db.ReadOn(t.Context(), "a page")
		defer end()
		return db.Read(ctx, func(tx *engine.Tx) (err error) {
			var n int
			if err = tx.QueryRow(ctx, `SELECT count(*) FROM note`).Scan(&n); err == nil && zero {
				err = tx.QueryRow(ctx, `SELECT 1 / (1 - count(*)) FROM note`).Scan(&n)
			}
			return err
		})
	}
	must(t, read(true))
	must(t, read(true))
	must(t, db.Write(t.Context(), func(tx *engine.Tx) error {
		_, err := tx.Exec(t.Context(), `INSERT INTO note (number) VALUES (1)`)
		return err
	}))
	must(t, read(false))
	if err := read(true); err == nil || problem.Is(err, problem.Busy) {
		t.Errorf("what fails now: %v", err)
	}
	must(t, read(false))
}

// TestDB_ReadOn_Killed: a page whose server ended since it was read is read on another connection.
func TestDB_ReadOn_Killed(t *testing.T) {
	t.Parallel()
	server := postgrestest.Start(t)
	db := opened(t, func(o *postgres.Options) { o.URL, o.Strict = server.Database(t), false })
	readPage(t, db, func() {})
	for range 2 {
		server.Kill(t)
		server.Start(t)
		if before, after := readPage(t, db, func() {}); before != 0 || after != 0 {
			t.Errorf("read %d and %d", before, after)
		}
	}
}

// TestDB_ReadOn_Swallowed: what goes on after a statement that failed is told that the transaction did not.
func TestDB_ReadOn_Swallowed(t *testing.T) {
	t.Parallel()
	db := opened(t, func(o *postgres.Options) { o.Strict = false })
	ctx, end := db.ReadOn(t.Context(), "")
	defer end()
	err := db.Read(ctx, func(tx *engine.Tx) error {
		_ = tx.QueryRow(ctx, `SELECT 1 / count(*) FROM note`).Scan(new(int))
		return nil
	})
	if !errors.Is(err, engine.ErrAborted) {
		t.Errorf("got %v", err)
	}
}
