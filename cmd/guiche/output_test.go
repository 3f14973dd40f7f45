package main_test

import (
	"bufio"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// TestServe_OutlivesOutput: whoever reads what a server prints may end before it, as tee does at the Ctrl+C that both
// get. The server goes on, and stops in order when it is told to.
func TestServe_OutlivesOutput(t *testing.T) {
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), MustBuild(t), "serve", "--addr", "127.0.0.1:0", "--data", t.TempDir())
	cmd.Stdout, cmd.Stderr = write, write
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = write.Close()
	s := &serving{t: t, cmd: cmd, out: bufio.NewReader(read)}
	url := strings.TrimPrefix(s.line("Guichê em "), "Guichê em ")
	s.line("Ctrl+C")
	_ = read.Close()
	for range 2 { // each is a line in the log
		if got := healthz(url); got != http.StatusOK {
			t.Fatalf("healthz: %d, want it to go on without a reader of its log", got)
		}
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("it ended with %v, want it to stop in order", err)
	}
}
