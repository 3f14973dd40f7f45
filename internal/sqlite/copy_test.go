package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"guiche/internal/sqlite"
)

// MustOpenCopy opens a database to look into it.
func MustOpenCopy(tb testing.TB, path string) *sqlite.DB {
	tb.Helper()
	db, err := sqlite.OpenCopy(tb.Context(), path)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { MustClose(tb, db) })
	return db
}

func mustSnapshot(t *testing.T, db *sqlite.DB) *sqlite.Snapshot {
	t.Helper()
	s, err := db.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// TestSnapshot_CopyTo: the copy is of the moment of the snapshot, however much is
// written while it is made.
func TestSnapshot_CopyTo(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	db := MustOpen(t, filepath.Join(folder, "notes.db"))
	write := func(text string) {
		if err := db.Write(t.Context(), insert(t.Context(), text)); err != nil {
			t.Error(err)
		}
	}
	for i := range 300 {
		write(fmt.Sprintf("before %d %01000d", i, i))
	}
	snapshot := mustSnapshot(t, db)
	write("after")
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range 300 {
			write(fmt.Sprint("meanwhile ", i))
		}
	})
	path := filepath.Join(folder, "copy", "of notes?.db")
	if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := snapshot.CopyTo(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	wg.Wait()
	copied := MustOpenCopy(t, path)
	if got := MustCount(t, copied); got != 300 {
		t.Errorf("got %d notes, want the 300 of the snapshot", got)
	}
	if err := copied.Check(t.Context()); err != nil {
		t.Error(err)
	}
	if err := copied.Write(t.Context(), insert(t.Context(), "x")); !errors.Is(err, sqlite.ErrClosed) {
		t.Errorf("write: got %v, want ErrClosed", err)
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 1 {
		t.Errorf("got %v, %v beside the copy, want nothing", entries, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("got %v, %v, want mode 0600", info, err)
	}
}

func TestSnapshot_CopyTo_Fails(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	db := MustOpen(t, filepath.Join(folder, "notes.db"))
	snapshot := mustSnapshot(t, db)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, err := range map[string]error{
		"There":     snapshot.CopyTo(t.Context(), filepath.Join(folder, "notes.db")),
		"NoFolder":  snapshot.CopyTo(t.Context(), filepath.Join(folder, "none", "notes.db")),
		"Cancelled": snapshot.CopyTo(ended, filepath.Join(folder, "cancelled.db")),
	} {
		if err == nil {
			t.Errorf("%s: got no error", name)
		}
	}
	if err := snapshot.CopyTo(t.Context(), filepath.Join(folder, "again.db")); err != nil {
		t.Errorf("after failures: %v", err)
	}
}

func TestSnapshot_CopyTo_RelativePath(t *testing.T) {
	t.Chdir(t.TempDir())
	snapshot := mustSnapshot(t, MustOpen(t, "notes.db"))
	if err := snapshot.CopyTo(t.Context(), "copy.db"); err != nil {
		t.Fatal(err)
	}
	MustOpenCopy(t, "copy.db")
}

// TestOpenToRead looks into a database that another one writes.
func TestOpenToRead(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "notes.db")
	db := MustOpen(t, path)
	if err := db.Write(t.Context(), insert(t.Context(), "one")); err != nil {
		t.Fatal(err)
	}
	reading, err := sqlite.OpenToRead(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer MustClose(t, reading)
	if err := db.Write(t.Context(), insert(t.Context(), "two")); err != nil {
		t.Fatal(err)
	}
	if got := MustCount(t, reading); got != 2 {
		t.Errorf("got %d notes, want 2", got)
	}
	if _, err := sqlite.OpenToRead(t.Context(), path+".none"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v, want that there is none", err)
	}
}

// TestOpenToRead_ReadOnly: on a disk that takes nothing the files beside a database cannot be made, and without
// them nobody can be writing it.
func TestOpenToRead_ReadOnly(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "notes.db")
	db := MustOpen(t, path)
	if err := db.Write(t.Context(), insert(t.Context(), "one")); err != nil {
		t.Fatal(err)
	}
	MustClose(t, db)
	for _, beside := range []string{"-wal", "-shm"} { // as little can be made there
		if err := os.Symlink(filepath.Join(path+".none", beside), path+beside); err != nil {
			t.Fatal(err)
		}
	}
	reading, err := sqlite.OpenToRead(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer MustClose(t, reading)
	if got := MustCount(t, reading); got != 1 {
		t.Errorf("got %d notes, want 1", got)
	}
}

// TestSnapshot_Close: whoever reads after a snapshot sees what was written since.
func TestSnapshot_Close(t *testing.T) {
	db := MustOpen(t, filepath.Join(t.TempDir(), "guiche.db"))
	snapshot, err := db.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Write(t.Context(), insert(t.Context(), "since")); err != nil {
		t.Fatal(err)
	}
	if err := snapshot.Close(); err != nil {
		t.Fatal(err)
	}
	if got := MustCount(t, db); got != 1 {
		t.Errorf("got %d notes, want the one of since then", got)
	}
}
