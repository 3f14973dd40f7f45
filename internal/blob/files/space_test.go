//go:build unix

package files_test

import (
	"context"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"guiche/internal/blob"
	"guiche/internal/problem"
)

// limitedProcess says that a test runs in a process of its own, whose files may be limited.
const limitedProcess = "GUICHE_TEST_LIMITED_PROCESS"

// alone reports whether this is a process of the test's own; otherwise it runs the test in
// one, for a limit would end the files of others, too.
func alone(t *testing.T) bool {
	t.Helper()
	if os.Getenv(limitedProcess) != "" {
		return true
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), limitedProcess+"=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	return false
}

// limitFiles ends every file of this process at so many bytes, as a full disk does, and
// returns what ends that.
func limitFiles(t *testing.T, size uint64) (free func()) {
	t.Helper()
	signal.Ignore(syscall.SIGXFSZ) // the write fails then
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &before); err != nil {
		t.Fatal(err)
	}
	free = func() {
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &before); err != nil {
			t.Error(err)
		}
	}
	t.Cleanup(free)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: size, Max: before.Max}); err != nil {
		t.Fatal(err)
	}
	return free
}

// unfinishedSize is how much of blobs that are being written is on the disk.
func unfinishedSize(t *testing.T, dir string) (size int64) {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "blobs", "tmp", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range found {
		if info, err := os.Stat(path); err == nil {
			size += info.Size()
		}
	}
	return size
}

// TestStore_Put_Full: bytes that find no space are refused by their code and leave
// nothing; those that come only once wait for it, and are then stored whole.
func TestStore_Put_Full(t *testing.T) {
	if !alone(t) {
		return
	}
	dir, content := t.TempDir(), strings.Repeat("0123456789", 1000)
	store := MustOpen(t, dir)
	free := limitFiles(t, 1234)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, ctx := range map[string]context.Context{"AtOnce": t.Context(), "NoLonger": blob.WaitForSpace(t.Context(), ended)} {
		if _, err := store.Put(ctx, strings.NewReader(content)); !problem.Is(err, problem.NoSpace) {
			t.Errorf("%s: got %v, want that there is no space", name, err)
		}
		if got := unfinishedSize(t, dir); got != 0 {
			t.Errorf("%s: %d bytes are left", name, got)
		}
	}
	stored := make(chan blob.Ref)
	go func() {
		info, err := store.Put(blob.WaitForSpace(t.Context(), t.Context()), strings.NewReader(content))
		if err != nil {
			t.Error(err)
		}
		stored <- info.Ref
	}()
	for unfinishedSize(t, dir) < 1234 {
		select {
		case <-time.After(time.Millisecond):
		case <-stored:
			t.Fatal("it did not wait")
		}
	}
	free()
	f, err := store.Open(t.Context(), <-stored)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got, err := io.ReadAll(f); string(got) != content || err != nil {
		t.Errorf("got %d bytes, %v, want all that waited", len(got), err)
	}
}
