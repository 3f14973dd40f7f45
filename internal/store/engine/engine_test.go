package engine_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"testing/fstest"

	"guiche/internal/sqlite"
	"guiche/internal/store/engine"
)

var errOwn = errors.New("the function's own error")

var schema = fstest.MapFS{"00001_note.sql": {Data: []byte(`-- +goose Up
CREATE TABLE note (id INTEGER PRIMARY KEY, uid BLOB UNIQUE, text TEXT NOT NULL UNIQUE, at INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE reply (id INTEGER PRIMARY KEY, note_id INTEGER NOT NULL REFERENCES note (id)) STRICT;
`)}}

// MustOpen opens the file with the tests' own schema: what is tested here is the same over
// each engine.
func MustOpen(tb testing.TB, path string) *sqlite.DB {
	tb.Helper()
	db, err := sqlite.Open(tb.Context(), sqlite.Options{Path: path, Migrations: schema})
	if err != nil {
		tb.Fatalf("Open: %v", err)
	}
	tb.Cleanup(func() { _ = db.Close() })
	return db
}

// MustCount returns how many notes are visible to a reader.
func MustCount(tb testing.TB, db engine.DB) int {
	tb.Helper()
	n, err := engine.Get(tb.Context(), db, func(tx *engine.Tx) (n int, err error) {
		err = tx.QueryRow(tb.Context(), `SELECT count(*) FROM note`).Scan(&n)
		return n, err
	})
	if err != nil {
		tb.Fatalf("count: %v", err)
	}
	return n
}

func insert(ctx context.Context, text string) func(*engine.Tx) error {
	return func(tx *engine.Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO note (text) VALUES (?)`, text)
		return err
	}
}

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
