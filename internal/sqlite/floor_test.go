package sqlite_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"testing/fstest"

	"guiche/internal/sqlite"
	"guiche/internal/store/engine"
)

// floored are migrations of a program: the first ones, and later ones that each say which
// program may go on.
func floored(oldest ...int) fstest.MapFS {
	all := fstest.MapFS{"00001_note.sql": schema["00001_note.sql"], "00002_schema_floor.sql": {Data: []byte(`-- +goose Up
CREATE TABLE schema_floor (id INTEGER PRIMARY KEY, oldest INTEGER NOT NULL, older INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO schema_floor (id, oldest) VALUES (1, 2);
`)}}
	for i, n := range oldest {
		all[fmt.Sprintf("%05d_more.sql", i+3)] = &fstest.MapFile{Data: fmt.Appendf(nil,
			"-- +goose Up\nCREATE TABLE more%d (id INTEGER PRIMARY KEY) STRICT;\nUPDATE schema_floor SET oldest = %d;\n", i, n)}
	}
	return all
}

func openFloored(t *testing.T, path string, migrations fstest.MapFS) (*sqlite.DB, error) {
	t.Helper()
	db, err := sqlite.Open(t.Context(), sqlite.Options{Path: path, Migrations: migrations})
	if err == nil {
		t.Cleanup(func() { _ = db.Close() })
	}
	return db, err
}

// TestOpen_Older: a program goes on with a newer schema whose migrations say so, as often as it
// starts, and no older one does. The newest one learns that it did.
func TestOpen_Older(t *testing.T) {
	path := filepath.Join(t.TempDir(), "guiche.db")
	newest := floored(2, 2, 4)
	open := func(migrations fstest.MapFS) *sqlite.DB {
		t.Helper()
		db, err := openFloored(t, path, migrations)
		if err != nil {
			t.Fatal(err)
		}
		return db
	}
	wantOlder := func(db *sqlite.DB, want bool) {
		t.Helper()
		if got, err := engine.WrittenByOlder(t.Context(), db); err != nil || got != want {
			t.Errorf("written by an older program: got %v, %v, want %v", got, err, want)
		}
	}
	MustClose(t, open(floored(2, 2)))
	for range 2 {
		db := open(floored())
		if err := db.Write(t.Context(), insert(t.Context(), fmt.Sprint(MustCount(t, db)))); err != nil {
			t.Error(err)
		}
		wantOlder(db, false) // it cannot make anything again
		if got := db.NewerSchema(); got != 4 {
			t.Errorf("got schema %d, want the newer one", got)
		}
		MustClose(t, db)
	}
	db := open(floored(2, 2))
	wantOlder(db, true)
	MustClose(t, db)
	db = open(newest) // another step, before it was done
	wantOlder(db, true)
	if err := engine.CaughtUp(t.Context(), db); err != nil {
		t.Error(err)
	}
	wantOlder(db, false)
	MustClose(t, db)
	for known, want := range map[int]error{0: sqlite.ErrNewerSchema, 1: sqlite.ErrNewerSchema, 2: nil, 3: nil} {
		db, err := openFloored(t, path, floored([]int{2, 2, 4}[:known]...))
		if !errors.Is(err, want) {
			t.Errorf("a program of schema %d: got %v, want %v", known+2, err, want)
		}
		if err == nil {
			MustClose(t, db)
		}
	}
}
