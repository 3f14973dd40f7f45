package blobnames_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"guiche/internal/blob"
	"guiche/internal/sqlite"
	"guiche/internal/store/blobnames"
	"guiche/internal/store/deskstore"
	"guiche/internal/store/engine"
	"guiche/internal/store/servicestore"
	"guiche/internal/store/storetest"
	"guiche/migrations"
)

func mustOpen(t testing.TB, schema fs.FS) *sqlite.DB {
	t.Helper()
	db, err := sqlite.Open(t.Context(), sqlite.Options{Strict: true, Path: filepath.Join(t.TempDir(), "rows.db"), Migrations: schema})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// notes are in a table of their own, beside those of the desk.
const notes = `CREATE TABLE note (text TEXT NOT NULL, picture TEXT NOT NULL)`

func mustNotes(t *testing.T) engine.DB {
	t.Helper()
	db := storetest.Open(t, migrations.Desk, nil)
	mustExec(t, db, notes)
	return db
}

func mustExec(t *testing.T, db engine.DB, statement string) {
	t.Helper()
	err := db.Write(t.Context(), func(tx *engine.Tx) error { _, err := tx.Exec(t.Context(), statement); return err })
	if err != nil {
		t.Fatal(err)
	}
}

func TestNames(t *testing.T) {
	db := mustNotes(t)
	names := blobnames.New(db, blobnames.Column{Table: "note", Name: "text"}, blobnames.Column{Table: "note", Name: "picture"})
	insert := func(ctx context.Context, text, picture string) error {
		return db.Write(ctx, func(tx *engine.Tx) error {
			_, err := tx.Exec(ctx, `INSERT INTO note (text, picture) VALUES (?, ?)`, text, picture)
			return err
		})
	}
	if err := errors.Join(insert(t.Context(), "a", ""), insert(t.Context(), "b", "c")); err != nil {
		t.Fatal(err)
	}
	all := []blob.Ref{"a", "b", "c", "d", ""}
	named, err := names.NamedBlobs(t.Context(), all)
	slices.Sort(named)
	if want := []blob.Ref{"a", "b", "c"}; err != nil || !slices.Equal(named, want) {
		t.Errorf("got %q, %v, want %q", named, err, want)
	}
	asked := false
	err = names.WithUnnamedBlobs(t.Context(), all, func(unnamed []blob.Ref) {
		asked = true
		if want := []blob.Ref{"d", ""}; !slices.Equal(unnamed, want) {
			t.Errorf("got %q, want %q", unnamed, want)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		if err := insert(ctx, "d", ""); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a row named it meanwhile: got %v", err)
		}
	})
	if err != nil || !asked {
		t.Errorf("got %v, asked what to remove: %t", err, asked)
	}
}

// TestNames_Unreadable: while the database cannot tell, nothing is taken for unnamed.
func TestNames_Unreadable(t *testing.T) {
	names := blobnames.New(mustNotes(t), blobnames.Column{Table: "other", Name: "text"})
	if named, err := names.NamedBlobs(t.Context(), []blob.Ref{"a"}); err == nil {
		t.Errorf("got %q and no error", named)
	}
	err := names.WithUnnamedBlobs(t.Context(), []blob.Ref{"a"}, func(unnamed []blob.Ref) { t.Errorf("%q may be removed", unnamed) })
	if err == nil {
		t.Error("got no error for what could not be asked")
	}
}

// TestNames_Indexed: each table is looked up by an index, so that a question costs the
// same among a million rows.
func TestNames_Indexed(t *testing.T) {
	for name, half := range map[string]struct {
		schema fs.FS
		names  func(engine.DB) *blobnames.Names
	}{"Desk": {migrations.Desk, deskstore.BlobNames}, "Service": {migrations.Service, servicestore.BlobNames}} {
		t.Run(name, func(t *testing.T) {
			storetest.OfSQLite(t)
			db := mustOpen(t, half.schema)
			query := half.names(db).Query()
			plan, err := engine.Get(t.Context(), db, func(tx *engine.Tx) ([]string, error) {
				return engine.List(t.Context(), tx, scanDetail, `EXPLAIN QUERY PLAN `+query, `{}`)
			})
			if err != nil {
				t.Fatal(err)
			}
			searched := 0
			for _, step := range plan {
				if strings.HasPrefix(step, "SCAN") && !strings.Contains(step, "wanted") {
					t.Errorf("reads a whole table: %s", step)
				}
				if regexp.MustCompile(`^SEARCH \w+ USING (COVERING )?INDEX`).MatchString(step) {
					searched++
				}
			}
			if want := strings.Count(query, "EXISTS"); searched != want {
				t.Errorf("%d of %d tables are looked up by an index:\n%s", searched, want, strings.Join(plan, "\n"))
			}
		})
	}
}

func scanDetail(row engine.Row) (detail string, err error) {
	var id, parent, unused int
	err = row.Scan(&id, &parent, &unused, &detail)
	return detail, err
}

var indexed = fstest.MapFS{"00001_note.sql": {Data: []byte(`-- +goose Up
CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
CREATE INDEX note_text ON note (substr(text, 1, 5)) WHERE text <> '';
`)}}

// BenchmarkNames asks about fifty blobs among many rows and among few: ratio says how many
// times longer the many take.
func BenchmarkNames(b *testing.B) {
	const few, many = 1_000, 1_000_000
	var refs []blob.Ref
	for i := range 50 {
		refs = append(refs, blob.Ref(fmt.Sprintf("%08x%056x", i*17, i*17)))
	}
	among := func(rows int) func() time.Duration {
		db := mustOpen(b, indexed)
		names := blobnames.New(db, blobnames.Column{Table: "note", Name: "text"})
		err := db.Write(b.Context(), func(tx *engine.Tx) error {
			_, err := tx.Exec(b.Context(), `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
				INSERT INTO note (text) SELECT printf('%08x%056x', i, i) FROM n`, rows)
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
		return func() time.Duration {
			start := time.Now()
			if _, err := names.NamedBlobs(b.Context(), refs); err != nil {
				b.Fatal(err)
			}
			return time.Since(start)
		}
	}
	small, large := among(few), among(many)
	var ofFew, ofMany time.Duration
	for b.Loop() {
		ofFew += small()
		ofMany += large()
	}
	b.ReportMetric(ofMany.Seconds()/ofFew.Seconds(), "ratio")
}
