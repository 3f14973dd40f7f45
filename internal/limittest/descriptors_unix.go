//go:build unix

package limittest

import (
	"errors"
	"os"
	"syscall"
	"testing"
)

// WithoutDescriptors runs a function while this process can open nothing more. The test
// must not be parallel.
func WithoutDescriptors(t *testing.T, run func()) {
	t.Helper()
	next := mustOpen(t) // of the number that the next one would have
	limit := uint64(next.Fd())
	var before syscall.Rlimit
	if err := errors.Join(next.Close(), syscall.Getrlimit(syscall.RLIMIT_NOFILE, &before)); err != nil {
		t.Fatal(err)
	}
	defer setLimit(t, before)
	setLimit(t, syscall.Rlimit{Cur: limit, Max: before.Max})
	for { // numbers below the limit that are free
		f, err := os.Open(os.DevNull)
		if errors.Is(err, syscall.EMFILE) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = f.Close() }() // nothing was written
	}
	run()
}

func mustOpen(t *testing.T) *os.File {
	t.Helper()
	f, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func setLimit(t *testing.T, limit syscall.Rlimit) {
	t.Helper()
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Error(err)
	}
}
