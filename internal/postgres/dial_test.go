package postgres_test

import (
	"sync"
	"testing"
	"time"

	"guiche/internal/postgres"
	"guiche/internal/postgres/postgrestest"
	"guiche/internal/store/engine"
)

// connectedBefore is how many connections each of the two pools has when their server goes.
const connectedBefore = 4

// TestDB_Vanished: where the server's machine goes without a word, in a transaction and between two, what runs then is
// given up after a while and done once by the server that took over. No other connection to the first is waited for.
func TestDB_Vanished(t *testing.T) {
	t.Parallel()
	w := postgrestest.Counted(t)
	db := opened(t, func(o *postgres.Options) {
		o.URL, o.Strict, o.AnswerWithin = w.Through(postgrestest.Database(t)), false, time.Second
	})
	meeting(connectedBefore, func(all *sync.WaitGroup) error {
		return db.Read(t.Context(), func(tx *engine.Tx) error { return meet(t, tx, all) })
	})
	meeting(connectedBefore, func(all *sync.WaitGroup) error {
		return db.Write(t.Context(), func(tx *engine.Tx) error { return meet(t, tx, all) })
	})
	went, runs := make(chan error, 1), 0
	go func() {
		went <- db.Write(t.Context(), func(tx *engine.Tx) error {
			runs++
			if _, err := tx.Exec(t.Context(), `INSERT INTO note (number) VALUES (?)`, 1); err != nil {
				return err
			}
			if runs == 1 {
				w.Vanish()
			}
			_, err := tx.Exec(t.Context(), `INSERT INTO note (number) VALUES (?)`, 2)
			return err
		})
	}()
	select {
	case err := <-went:
		must(t, err)
	case <-time.After(time.Minute):
		t.Fatal("it waits for a server that is gone")
	}
	if n := count(t, db); n != 2 || runs != 2 {
		t.Errorf("%d rows after %d runs, want 2 after 2, for the other connections are given up, too", n, runs)
	}
}

// meeting does something so many times at once.
func meeting(n int, do func(all *sync.WaitGroup) error) {
	var all, done sync.WaitGroup
	all.Add(n)
	for range n {
		done.Go(func() { _ = do(&all) })
	}
	done.Wait()
}

// meet has a transaction wait until all have begun.
func meet(t *testing.T, tx *engine.Tx, all *sync.WaitGroup) error {
	var n int
	err := tx.QueryRow(t.Context(), `SELECT count(*) FROM note`).Scan(&n)
	all.Done()
	all.Wait()
	return err
}
