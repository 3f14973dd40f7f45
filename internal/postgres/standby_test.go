package postgres_test

import (
	"strings"
	"testing"

	"guiche/internal/postgres"
	"guiche/internal/postgres/postgrestest"
	"guiche/internal/problem"
	"guiche/internal/store/engine"
)

// addNote is a transaction that writes.
func addNote(t *testing.T, db *postgres.DB) error {
	return db.Write(t.Context(), func(tx *engine.Tx) error {
		_, err := tx.Exec(t.Context(), `INSERT INTO note (number) VALUES (1)`)
		return err
	})
}

// readNotes is a transaction that reads.
func readNotes(t *testing.T, db *postgres.DB) error {
	return db.Read(t.Context(), func(tx *engine.Tx) error {
		var n int
		return tx.QueryRow(t.Context(), `SELECT count(*) FROM note`).Scan(&n)
	})
}

// TestDB_Standby: a database that moves to another server is out of reach as long as its address leads to one that
// takes nothing, and no connection to that one is kept. Who only looks may look there.
func TestDB_Standby(t *testing.T) {
	server := postgrestest.Start(t)
	url := server.Database(t)
	db := opened(t, func(o *postgres.Options) { o.URL, o.Strict = url, false })
	must(t, addNote(t, db))
	server.Standby(t)
	for what, err := range map[string]error{"write": addNote(t, db), "read": readNotes(t, db)} {
		if !problem.Is(err, problem.Busy) || !postgres.IsAway(err) {
			t.Errorf("%s: got %v, want that the server is away", what, err)
		}
	}
	must(t, readNotes(t, opened(t, func(o *postgres.Options) { o.URL, o.Migrations = url, nil })))
	server.Promote(t)
	must(t, addNote(t, db))
	must(t, readNotes(t, db))
}

// TestDB_Standby_Pooler: a pooler does not tell that a standby is behind it. What writes is out of reach all the same,
// and so it is where a server was set to take nothing.
func TestDB_Standby_Pooler(t *testing.T) {
	server := postgrestest.Start(t)
	db := opened(t, func(o *postgres.Options) { o.URL, o.Strict = server.Pooled(t), false })
	refused := func(code string) {
		t.Helper()
		must(t, readNotes(t, db))
		if err := addNote(t, db); !problem.Is(err, problem.Busy) || !strings.Contains(err.Error(), code) {
			t.Errorf("got %v, want problem.Busy for %s", err, code)
		}
		if err := db.TakesChanges(t.Context()); !problem.Is(err, problem.Busy) {
			t.Errorf("takes changes: got %v, want problem.Busy", err)
		}
	}
	must(t, addNote(t, db))
	must(t, db.TakesChanges(t.Context()))
	server.Standby(t)
	refused("0A000")
	server.Promote(t)
	must(t, addNote(t, db))
	server.Exec(t, `ALTER SYSTEM SET default_transaction_read_only = on`)
	server.Kill(t)
	server.Start(t)
	refused("25006")
}
