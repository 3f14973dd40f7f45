//go:build unix

package golden_test

import (
	"fmt"
	"log/slog"
	"maps"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"

	"guiche/internal/app"
)

// limitFiles ends every file of this process at so many bytes, as a full disk does; 0 ends
// none.
func limitFiles(t *testing.T, size uint64) {
	t.Helper()
	signal.Ignore(syscall.SIGXFSZ) // the write fails then
	var limit syscall.Rlimit
	must(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit))
	if limit.Cur = limit.Max; size > 0 {
		limit.Cur = size
	}
	must(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit))
}

// TestUpdate_Full: an update that finds no space for one of its steps is refused, and the
// next start with space completes it, every row as if nothing had happened.
func TestUpdate_Full(t *testing.T) {
	t.Cleanup(func() { limitFiles(t, 0) })
	wanted := MustRestore(t)
	must(t, update(t.Context(), wanted, oneMoment))
	refused := 0
	for _, size := range []uint64{1, 8 << 10, 40 << 10, 100 << 10, 200 << 10, 400 << 10, 700 << 10, 1 << 20} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			folder := MustRestore(t)
			limitFiles(t, size)
			a, err := app.New(t.Context(), app.Config{Addr: "127.0.0.1:0", DataDir: folder, Clock: oneMoment,
				Logger: slog.New(slog.DiscardHandler), Free: func(string) (int64, error) { return 0, nil }})
			if err != nil {
				refused++
			} else {
				a.Close()
			}
			limitFiles(t, 0)
			must(t, update(t.Context(), folder, oneMoment))
			for half, file := range databases {
				got, want := dump(t, filepath.Join(folder, half, file)), dump(t, filepath.Join(wanted, half, file))
				if !maps.Equal(got, want) {
					t.Errorf("%s is not as after an update with space", half)
				}
			}
		})
	}
	if refused < 3 {
		t.Errorf("only %d updates found no space", refused)
	}
}
