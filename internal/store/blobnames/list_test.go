package blobnames_test

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"guiche/internal/blob"
	"guiche/internal/sqlite"
	"guiche/internal/store/blobnames"
	"guiche/internal/store/engine"
	"guiche/internal/store/storetest"
	"guiche/migrations"
)

// TestNames_Beginning lists names by their beginning, also in a copy that lacks a column.
func TestNames_Beginning(t *testing.T) {
	db := mustNotes(t)
	columns := []blobnames.Column{
		{Table: "note", Name: "text", Passing: true}, {Table: "note", Name: "picture"},
		{Table: "note", Name: "later"}, {Table: "other", Name: "x"},
	}
	for _, row := range [][2]string{{"ab1", ""}, {"ab0", "ac1"}, {"ab1", "ab9"}, {"b", "ab1"}} {
		err := db.Write(t.Context(), func(tx *engine.Tx) error {
			_, err := tx.Exec(t.Context(), `INSERT INTO note (text, picture) VALUES (?, ?)`, row[0], row[1])
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for prefix, want := range map[string][]blob.Ref{
		"ab": {"ab0", "ab1", "ab9"}, "ac": {"ac1"}, "ad": nil, "": {"ab0", "ab1", "ab9", "ac1", "b"},
	} {
		got, err := blobnames.New(db, columns...).Beginning(t.Context(), prefix)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: got %q, %v, want %q", prefix, got, err, want)
		}
	}
	got, err := blobnames.New(db, columns...).Passing(t.Context())
	if want := []blob.Ref{"ab0", "ab1", "b"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("passing: got %q, %v, want %q", got, err, want)
	}
	got, err = blobnames.New(db, columns[1:]...).Passing(t.Context())
	if err != nil || got != nil {
		t.Errorf("none passing: got %q, %v", got, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := blobnames.New(db, columns...).Beginning(ended, ""); err == nil {
		t.Error("got no error for a read that failed")
	}
}

// MustCopy is a database copied to look into it.
func MustCopy(t *testing.T, db *sqlite.DB) *sqlite.DB {
	t.Helper()
	snapshot, err := db.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "copy.db")
	if err := snapshot.CopyTo(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	if err := snapshot.Close(); err != nil {
		t.Fatal(err)
	}
	copied, err := sqlite.OpenCopy(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = copied.Close() })
	return copied
}

func TestNames_Beginning_Copy(t *testing.T) {
	storetest.OfSQLite(t)
	whole := mustOpen(t, migrations.Desk)
	mustExec(t, whole, notes)
	db := MustCopy(t, whole)
	got, err := blobnames.New(db, blobnames.Column{Table: "note", Name: "text"}).Beginning(t.Context(), "")
	if err != nil || got != nil {
		t.Errorf("got %q, %v, want none", got, err)
	}
}
