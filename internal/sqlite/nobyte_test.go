//go:build unix

package sqlite_test

import (
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"

	"guiche/internal/problem"
	"guiche/internal/sqlite"
)

// TestOpen_NoByte: where there is no space for a single byte of what SQLite keeps beside a
// database, whoever opens it is told that there is no space, and not to try again.
func TestOpen_NoByte(t *testing.T) {
	path := filepath.Join(t.TempDir(), "guiche.db")
	MustClose(t, MustOpen(t, path))
	var db *sqlite.DB
	var err error
	withoutByte(t, func() { db, err = sqlite.Open(t.Context(), sqlite.Options{Path: path, Migrations: schema}) })
	if err == nil {
		_ = db.Close()
	}
	if !problem.Is(err, problem.NoSpace) {
		t.Errorf("got %v, want that there is no space", err)
	}
}

// withoutByte runs a function while no file can grow by more than a byte.
func withoutByte(t *testing.T, run func()) {
	t.Helper()
	signal.Ignore(syscall.SIGXFSZ) // a file cannot grow then
	defer signal.Reset(syscall.SIGXFSZ)
	var was syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &was); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 1, Max: was.Max}); err != nil {
		t.Fatal(err)
	}
	run()
	if restored := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &was); restored != nil {
		t.Fatal(restored)
	}
}

// TestOpenToRead_NoByte: on a full disk a database without a log is read as it is, and one with a log is not called
// damaged.
func TestOpenToRead_NoByte(t *testing.T) {
	path, killed := filepath.Join(t.TempDir(), "guiche.db"), filepath.Join(t.TempDir(), "killed.db")
	db := MustOpen(t, path)
	if err := db.Write(t.Context(), insert(t.Context(), "one")); err != nil {
		t.Fatal(err)
	}
	for _, end := range []string{"", "-wal"} {
		content, err := os.ReadFile(path + end)
		if err == nil {
			err = os.WriteFile(killed+end, content, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	MustClose(t, db)
	var err, errKilled error
	withoutByte(t, func() {
		db, err = sqlite.OpenToRead(t.Context(), path)
		_, errKilled = sqlite.OpenToRead(t.Context(), killed)
	})
	if err != nil {
		t.Fatal(err)
	}
	defer MustClose(t, db)
	if got := MustCount(t, db); got != 1 {
		t.Errorf("got %d notes, want 1", got)
	}
	if !problem.Is(errKilled, problem.NoSpace) {
		t.Errorf("with a log: got %v, want that there is no space", errKilled)
	}
}
