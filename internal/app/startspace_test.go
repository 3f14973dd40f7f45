//go:build unix

package app_test

import (
	"bytes"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"guiche/internal/app"
	"guiche/internal/apptest"
)

// startedFolder names the folder of TestSpace_StartProcess.
const startedFolder = "GUICHE_TEST_STARTED_FOLDER"

// log keeps what a program logs.
type log struct {
	mu sync.Mutex
	b  bytes.Buffer
}

// Write implements io.Writer.
func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *log) has(text string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Contains(l.b.String(), text)
}

// TestSpace_StartProcess starts in a process of its own whose files can hold next to nothing at first;
// by itself it does nothing.
func TestSpace_StartProcess(t *testing.T) {
	folder := os.Getenv(startedFolder)
	if folder == "" {
		return
	}
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	signal.Ignore(syscall.SIGXFSZ) // the write fails then
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 100, Max: limit.Max}); err != nil {
		t.Fatal(err)
	}
	var said log
	started := make(chan error, 1)
	go func() {
		a, err := app.New(t.Context(), app.Config{Addr: "127.0.0.1:0", DataDir: folder, Logger: slog.New(slog.NewTextHandler(&said, nil))})
		if err == nil {
			a.Close()
		}
		started <- err
	}()
	for waits := false; !waits; waits = said.has("the start waits for disk space") {
		select {
		case err := <-started:
			t.Fatalf("it did not wait: %v", err)
		case <-time.After(time.Millisecond):
		}
	}
	select {
	case err := <-started:
		t.Fatalf("it did not wait: %v", err)
	default:
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	if err := <-started; err != nil {
		t.Error(err)
	}
}

// TestSpace_Start: a start on a disk without a byte waits for space and goes on by itself.
func TestSpace_Start(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{Empty: true})
	p.Stop()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestSpace_StartProcess$")
	cmd.Env = append(os.Environ(), startedFolder+"="+p.DataDir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
