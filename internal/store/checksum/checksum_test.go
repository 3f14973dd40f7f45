package checksum_test

import (
	"context"
	"path/filepath"
	"testing"
	"testing/fstest"

	"guiche/internal/sqlite"
	"guiche/internal/store/checksum"
	"guiche/internal/store/engine"
)

var schema = fstest.MapFS{"00001_note.sql": {Data: []byte(`-- +goose Up
CREATE TABLE checksum_pending (table_name TEXT PRIMARY KEY) STRICT;
CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT, number INTEGER, share REAL, raw BLOB, later TEXT NOT NULL DEFAULT 'none',
	checksum BLOB) STRICT;
CREATE TABLE pair (a INTEGER, b BLOB, value TEXT NOT NULL, checksum BLOB, PRIMARY KEY (a, b)) STRICT;
`)}}

// The tables of these tests: one whose rows are numbered, and one with a key of two columns.
var (
	notes = checksum.Table{Name: "note", Key: []string{"id"}, Columns: []string{"text", "number", "share", "raw", "later"},
		Later: map[string]any{"later": "none"}}
	pairs  = checksum.Table{Name: "pair", Key: []string{"a", "b"}, Columns: []string{"value"}}
	tables = []checksum.Table{notes, pairs}
)

func MustOpen(tb testing.TB) (engine.DB, string) {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "rows.db")
	db, err := sqlite.Open(tb.Context(), sqlite.Options{Strict: true, Path: path, Migrations: schema})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = db.Close() })
	return db, path
}

// MustWrite runs a job in a transaction.
func MustWrite(tb testing.TB, db engine.DB, job func(ctx context.Context, tx *engine.Tx) error) {
	tb.Helper()
	if err := db.Write(tb.Context(), func(tx *engine.Tx) error { return job(tb.Context(), tx) }); err != nil {
		tb.Fatal(err)
	}
}

// MustExec does to the database what the program does not.
func MustExec(tb testing.TB, db engine.DB, statement string, args ...any) {
	tb.Helper()
	MustWrite(tb, db, func(ctx context.Context, tx *engine.Tx) error {
		_, err := tx.Exec(ctx, statement, args...)
		return err
	})
}

func MustInsert(tb testing.TB, db engine.DB, t checksum.Table, values ...any) {
	tb.Helper()
	MustWrite(tb, db, func(ctx context.Context, tx *engine.Tx) error { return t.Insert(ctx, tx, values...) })
}

// note inserts a plain row.
func note(tb testing.TB, db engine.DB, id int64) {
	tb.Helper()
	MustInsert(tb, db, notes, id, "Ana", int64(3), 0.5, []byte("raw"), "none")
}

// damaged are the names of the damaged rows that a condition finds.
func damaged(tb testing.TB, db engine.DB, t checksum.Table, where string, args ...any) (names []string) {
	tb.Helper()
	err := db.Read(tb.Context(), func(tx *engine.Tx) error {
		names = nil
		rows, err := t.Damaged(tb.Context(), tx, where, args...)
		for _, row := range rows {
			names = append(names, row.String())
		}
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return names
}

func wantDamaged(tb testing.TB, db engine.DB, t checksum.Table, want bool) {
	tb.Helper()
	if got := damaged(tb, db, t, `1 = 1`); (len(got) > 0) != want {
		tb.Errorf("got %q, want damage: %t", got, want)
	}
}

// one returns what a query for one value says.
func one[T any](tb testing.TB, db engine.DB, query string, args ...any) (value T) {
	tb.Helper()
	err := db.Read(tb.Context(), func(tx *engine.Tx) error { return tx.QueryRow(tb.Context(), query, args...).Scan(&value) })
	if err != nil {
		tb.Fatal(err)
	}
	return value
}
