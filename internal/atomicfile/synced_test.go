//go:build unix

package atomicfile_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"guiche/internal/atomicfile"
	"guiche/internal/limittest"
)

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
		limittest.WithoutDescriptors(t, func() { err = sync() })
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
