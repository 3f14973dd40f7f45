package sqlite_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"guiche/internal/sqlite"
	"guiche/internal/store/engine"
	"guiche/migrations"
)

var schema = fstest.MapFS{"00001_note.sql": {Data: []byte(`-- +goose Up
CREATE TABLE note (id INTEGER PRIMARY KEY, uid BLOB UNIQUE, text TEXT NOT NULL UNIQUE, at INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE reply (id INTEGER PRIMARY KEY, note_id INTEGER NOT NULL REFERENCES note (id)) STRICT;
`)}}

// MustOpen opens the file with the tests' own schema and closes it at the end.
func MustOpen(tb testing.TB, path string) *sqlite.DB {
	tb.Helper()
	db, err := sqlite.Open(tb.Context(), sqlite.Options{Path: path, Migrations: schema})
	if err != nil {
		tb.Fatalf("Open: %v", err)
	}
	tb.Cleanup(func() { MustClose(tb, db) })
	return db
}

func MustClose(tb testing.TB, db *sqlite.DB) {
	tb.Helper()
	if err := db.Close(); err != nil {
		tb.Errorf("Close: %v", err)
	}
}

// MustCount returns how many notes are visible to a reader.
func MustCount(tb testing.TB, db *sqlite.DB) int {
	tb.Helper()
	var n int
	err := db.Read(tb.Context(), func(tx *engine.Tx) error {
		return tx.QueryRow(tb.Context(), `SELECT count(*) FROM note`).Scan(&n)
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

func TestOpen(t *testing.T) {
	t.Run("CreatesPrivateFiles", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "a b#c?d%e", "desk")
		db := MustOpen(t, filepath.Join(dir, "guiche.db"))
		if err := db.Write(t.Context(), insert(t.Context(), "x")); err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string]fs.FileMode{".": 0o700, "guiche.db": 0o600, "guiche.db-wal": 0o600, "guiche.db-shm": 0o600} {
			info, err := os.Stat(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			if got := info.Mode().Perm(); got != want {
				t.Errorf("%s: got mode %o, want %o", name, got, want)
			}
		}
	})

	t.Run("TightensLooseFile", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "guiche.db")
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		MustOpen(t, path)
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("got mode %v, error %v, want 0600", info.Mode(), err)
		}
	})

	t.Run("KeepsDataAcrossOpens", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "guiche.db")
		db := MustOpen(t, path)
		if err := db.Write(t.Context(), insert(t.Context(), "stays")); err != nil {
			t.Fatal(err)
		}
		MustClose(t, db)
		if got := MustCount(t, MustOpen(t, path)); got != 1 {
			t.Errorf("got %d notes, want 1", got)
		}
	})

	t.Run("RealMigrations", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "guiche.db")
		for range 2 {
			db, err := sqlite.Open(t.Context(), sqlite.Options{Path: path, Migrations: migrations.Desk})
			if err != nil {
				t.Fatalf("Open: %v", err)
			}
			if err := db.Check(t.Context()); err != nil {
				t.Errorf("Check: %v", err)
			}
			MustClose(t, db)
		}
	})
}

// Every connection has the settings, those of readers too.
func TestOpen_Settings(t *testing.T) {
	db := MustOpen(t, filepath.Join(t.TempDir(), "guiche.db"))
	common := map[string]int{
		"foreign_keys": 1, "recursive_triggers": 1, "synchronous": 2, "busy_timeout": 5000, "trusted_schema": 0,
		"cell_size_check": 1, "secure_delete": 1, "temp_store": 2,
	}
	check := func(pragma string, want int) func(*engine.Tx) error {
		return func(tx *engine.Tx) error {
			var got int
			if err := tx.QueryRow(t.Context(), "PRAGMA "+pragma).Scan(&got); err != nil {
				return err
			}
			if got != want {
				t.Errorf("%s: got %d, want %d", pragma, got, want)
			}
			return nil
		}
	}
	for pragma, want := range common {
		if err := errors.Join(db.Write(t.Context(), check(pragma, want)), db.Read(t.Context(), check(pragma, want))); err != nil {
			t.Errorf("%s: %v", pragma, err)
		}
	}
	if err := errors.Join(db.Write(t.Context(), check("query_only", 0)), db.Read(t.Context(), check("query_only", 1))); err != nil {
		t.Error(err)
	}
}

func TestOpen_Refuses(t *testing.T) {
	t.Run("NewerSchema", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "guiche.db")
		newer := fstest.MapFS{"00001_note.sql": schema["00001_note.sql"],
			"00002_more.sql": {Data: []byte("-- +goose Up\nCREATE TABLE more (id INTEGER PRIMARY KEY) STRICT;\n")}}
		db, err := sqlite.Open(t.Context(), sqlite.Options{Path: path, Migrations: newer})
		if err != nil {
			t.Fatal(err)
		}
		MustClose(t, db)
		_, err = sqlite.Open(t.Context(), sqlite.Options{Path: path, Migrations: schema})
		if !errors.Is(err, sqlite.ErrNewerSchema) {
			t.Errorf("got %v, want ErrNewerSchema", err)
		}
	})

	t.Run("FailedMigrationLeavesNothing", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "guiche.db")
		broken := fstest.MapFS{"00001_x.sql": {Data: []byte("-- +goose Up\nCREATE TABLE note (id INTEGER PRIMARY KEY) " +
			"STRICT;\nCREATE TABLE note (id INTEGER PRIMARY KEY) STRICT;\n")}}
		if _, err := sqlite.Open(t.Context(), sqlite.Options{Path: path, Migrations: broken}); err == nil {
			t.Fatal("got no error, want one")
		}
		MustOpen(t, path) // its own table note would collide
	})

	t.Run("NotADatabase", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "guiche.db")
		if err := os.WriteFile(path, []byte(strings.Repeat("not a database ", 100)), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := sqlite.Open(t.Context(), sqlite.Options{Path: path, Migrations: schema}); err == nil {
			t.Fatal("got no error, want one")
		}
	})
}

func TestDB_Check(t *testing.T) {
	path := filepath.Join(t.TempDir(), "guiche.db")
	db := MustOpen(t, path)
	err := db.Write(t.Context(), func(tx *engine.Tx) error {
		for range 200 {
			if _, err := tx.Exec(t.Context(), `INSERT INTO note (text) VALUES (hex(randomblob(400)))`); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	MustClose(t, db)
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	copy(raw[len(raw)-3*4096:], make([]byte, 2*4096))
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := MustOpen(t, path).Check(t.Context()); err == nil {
		t.Error("got no error for damaged pages, want one")
	}
}

func TestDB_Read(t *testing.T) {
	clock := time.Date(2026, 11, 20, 10, 0, 0, 123456789, time.FixedZone("BRT", -3*3600))
	db, err := sqlite.Open(t.Context(), sqlite.Options{
		Path: filepath.Join(t.TempDir(), "guiche.db"), Migrations: schema, Clock: func() time.Time { return clock },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { MustClose(t, db) })

	t.Run("RefusesWrites", func(t *testing.T) {
		if err := db.Read(t.Context(), insert(t.Context(), "x")); err == nil {
			t.Error("got no error, want one")
		}
	})
	t.Run("OneMoment", func(t *testing.T) {
		err := db.Read(t.Context(), func(tx *engine.Tx) error {
			var before, after int
			if err := tx.QueryRow(t.Context(), `SELECT count(*) FROM note`).Scan(&before); err != nil {
				return err
			}
			if err := db.Write(t.Context(), insert(t.Context(), "meanwhile")); err != nil {
				return err
			}
			if err := tx.QueryRow(t.Context(), `SELECT count(*) FROM note`).Scan(&after); err != nil {
				return err
			}
			if after != before {
				t.Errorf("got %d then %d notes in one snapshot, want equal", before, after)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	})
	t.Run("Now", func(t *testing.T) {
		_ = db.Read(t.Context(), func(tx *engine.Tx) error {
			if want := clock.UTC().Truncate(time.Microsecond); tx.Now != want {
				t.Errorf("got %v, want %v", tx.Now, want)
			}
			return nil
		})
	})
	t.Run("Cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		err := db.Read(ctx, func(tx *engine.Tx) error {
			cancel()
			return tx.QueryRow(ctx, `SELECT 1`).Scan(new(int))
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want context.Canceled", err)
		}
	})
}
