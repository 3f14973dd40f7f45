//go:build unix

package golden_test

import (
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"guiche/internal/app"
)

// fileLimit is the size at which every file of TestUpdate_FullProcess ends.
const fileLimit = "GUICHE_TEST_FILE_LIMIT"

// TestUpdate_FullProcess updates a folder in a process of its own, whose files end as on a
// full disk; by itself it does nothing.
func TestUpdate_FullProcess(t *testing.T) {
	size, err := strconv.ParseUint(os.Getenv(fileLimit), 10, 64)
	if err != nil {
		return
	}
	signal.Ignore(syscall.SIGXFSZ) // the write fails then
	must(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: size, Max: size}))
	a, err := app.New(t.Context(), app.Config{Addr: "127.0.0.1:0", DataDir: os.Getenv(updatedFolder), Clock: oneMoment,
		Logger: slog.New(slog.DiscardHandler), Free: func(string) (int64, error) { return 0, nil }})
	must(t, err)
	a.Close()
}

// TestUpdate_Full: an update that finds no space for one of its steps is refused, and the
// next start with space completes it, every row as if nothing had happened.
func TestUpdate_Full(t *testing.T) {
	t.Parallel()
	wanted := MustRestore(t)
	must(t, update(t.Context(), wanted, oneMoment))
	refused := 0
	for _, size := range []int{1, 40 << 10, 200 << 10, 400 << 10, 700 << 10, 1 << 20} {
		folder := MustRestore(t)
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestUpdate_FullProcess$")
		cmd.Env = append(os.Environ(), updatedFolder+"="+folder, fmt.Sprint(fileLimit, "=", size))
		var ended *exec.ExitError
		if err := cmd.Run(); errors.As(err, &ended) {
			refused++
		} else if err != nil {
			t.Fatal(err)
		}
		must(t, update(t.Context(), folder, oneMoment))
		for half, file := range databases {
			got, want := dump(t, filepath.Join(folder, half, file)), dump(t, filepath.Join(wanted, half, file))
			if !maps.Equal(got, want) {
				t.Errorf("%d bytes: %s is not as after an update with space", size, half)
			}
		}
	}
	if refused < 3 {
		t.Errorf("only %d updates found no space", refused)
	}
}
