//go:build unix

package sqlite_test

import (
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
	signal.Ignore(syscall.SIGXFSZ) // a file cannot grow then
	defer signal.Reset(syscall.SIGXFSZ)
	var was syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &was); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 1, Max: was.Max}); err != nil {
		t.Fatal(err)
	}
	db, err := sqlite.Open(t.Context(), sqlite.Options{Path: path, Migrations: schema})
	if restored := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &was); restored != nil {
		t.Fatal(restored)
	}
	if err == nil {
		_ = db.Close()
	}
	if !problem.Is(err, problem.NoSpace) {
		t.Errorf("got %v, want that there is no space", err)
	}
}
