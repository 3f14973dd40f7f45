// Package storetest holds stores to saying when they could not read or write: what
// a query failed at is an error, never an empty list or a row that nobody wrote.
package storetest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"guiche/internal/sqlite"
	"guiche/internal/store/engine"
)

// Operation is one method of a store with arguments for which it succeeds.
type Operation struct {
	// Tables are those that it names in its SQL. Where one of them cannot be
	// reached, the operation returns that error and tries nothing else.
	Tables string // separated by spaces
	Do     func(ctx context.Context, db engine.DB) error
}

// CheckFailures runs each operation on a copy of the database at path, once as it is
// and once for each of its tables without that table. Foreign keys and triggers
// still reach it, so that only the store's own SQL fails.
func CheckFailures(t *testing.T, path string, schema fs.FS, operations map[string]Operation) {
	t.Helper()
	content, err := os.ReadFile(path)
	must(t, err)
	checkFailures(t, operations, func(t *testing.T) engine.DB {
		t.Helper()
		return openSQLite(t, writtenTo(t, content), schema)
	})
}

// CheckFailures is CheckFailures of a database that nobody has open any more.
func (d *Database) CheckFailures(t *testing.T, operations map[string]Operation) {
	t.Helper()
	checkFailures(t, operations, func(t *testing.T) engine.DB { t.Helper(); return d.copied(t) })
}

func checkFailures(t *testing.T, operations map[string]Operation, open func(*testing.T) engine.DB) {
	t.Helper()
	for name, o := range operations {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if err := o.Do(t.Context(), open(t)); err != nil {
				t.Fatalf("with every table: %v", err)
			}
			for table := range strings.FieldsSeq(o.Tables) {
				db := open(t)
				hide(t, db, table)
				if err := o.Do(t.Context(), db); err == nil || errors.Is(err, engine.ErrAborted) {
					t.Errorf("without %s: got %v, want the error of the statement that failed, at once", table, err)
				}
			}
		})
	}
}

// openSQLite opens a file with a database.
func openSQLite(tb testing.TB, path string, schema fs.FS) engine.DB {
	tb.Helper()
	db, err := sqlite.Open(tb.Context(), sqlite.Options{Strict: true, Path: path, Migrations: schema})
	must(tb, err)
	tb.Cleanup(func() { _ = db.Close() })
	return db
}

// writtenTo writes the file of a database into a folder of its own.
func writtenTo(tb testing.TB, content []byte) (path string) {
	tb.Helper()
	path = filepath.Join(tb.TempDir(), "copy.db")
	must(tb, os.WriteFile(path, content, 0o600))
	return path
}

// hide gives a table another name, which triggers and foreign keys follow. With the audit trail goes what
// is not in its chain yet.
func hide(t *testing.T, db engine.DB, table string) {
	t.Helper()
	if db.Shared() && table == "audit_entry" {
		hide(t, db, "audit_unlinked")
	}
	err := db.Write(t.Context(), func(tx *engine.Tx) error {
		_, err := tx.Exec(t.Context(), fmt.Sprintf(`ALTER TABLE "%s" RENAME TO "%[1]s_hidden"`, table))
		return err
	})
	if err != nil {
		t.Fatalf("hide %s: %v", table, err)
	}
}
