//go:build unix

package atomicfile_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"guiche/internal/atomicfile"
)

// withoutDescriptors lets a function run while this process can open nothing more.
func withoutDescriptors(t *testing.T, run func()) {
	t.Helper()
	next, err := os.Open(t.TempDir()) // of the number that the next one would have
	if err != nil {
		t.Fatal(err)
	}
	limit := uint64(next.Fd())
	if err := next.Close(); err != nil {
		t.Fatal(err)
	}
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &before); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &before); err != nil {
			t.Error(err)
		}
	}()
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: limit, Max: before.Max}); err != nil {
		t.Fatal(err)
	}
	run()
}

// TestFolders_Synced: a folder is made without a descriptor and its name brought to disk
// with one: where that fails, nobody is told that the folder is there to stay.
func TestFolders_Synced(t *testing.T) {
	root := t.TempDir()
	old := filepath.Join(root, "old")
	if err := os.Mkdir(old, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, sync := range map[string]func() error{
		"MkdirAll":      func() error { return atomicfile.MkdirAll(filepath.Join(root, "new"), 0o700) },
		"EnsureFolder":  func() error { return atomicfile.EnsureFolder(old, 0o700) },
		"EnsureMissing": func() error { return atomicfile.EnsureFolder(filepath.Join(root, "missing"), 0o700) },
		"SyncNames":     func() error { return atomicfile.SyncNames(root) },
	} {
		var err error
		withoutDescriptors(t, func() { err = sync() })
		if !errors.Is(err, syscall.EMFILE) {
			t.Errorf("%s: got %v, want that its name was not synced", name, err)
		}
		if err := sync(); err != nil {
			t.Errorf("%s, with descriptors again: %v", name, err)
		}
	}
	for _, name := range []string{"new", "missing"} {
		if _, err := os.Stat(filepath.Join(root, name)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
