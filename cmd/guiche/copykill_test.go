package main_test

import (
	"bufio"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"guiche/internal/postgres/postgrestest"

	"github.com/jackc/pgx/v5"
)

// TestCopy_Killed kills copies to PostgreSQL and back at every stage: what is there then does not start, and the
// next call goes on with it until it is whole.
func TestCopy_Killed(t *testing.T) {
	binary, folder := MustBuild(t), t.TempDir()
	data, there, back := filepath.Join(folder, "data"), filepath.Join(folder, "there"), filepath.Join(folder, "back")
	demo := serve(t, binary, "demo", "--addr", "127.0.0.1:0", "--data", data)
	demo.line("Guichê em ")
	if err := demo.stop(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	url := postgrestest.Database(t)
	t.Run("ToServer", func(t *testing.T) {
		killCopies(t, binary, []string{"copy", "-from", data, "-to", there, "-to-database", url}, "-data", there, "-database", url)
		mustRun(t, binary, "verify", "-data", there, "-database", url)
	})
	endLeases(t, url)
	t.Run("Back", func(t *testing.T) {
		killCopies(t, binary, []string{"copy", "-from", there, "-from-database", url, "-to", back}, "-data", back)
		mustRun(t, binary, "verify", back)
	})
}

// stages are after how many lines of what it tells a copy is killed. There are about a hundred.
var stages = []int{1, 2, 5, 12, 20, 30, 42, 55, 68, 80, 88, 92}

// killCopies calls a copy that is killed again and again, and at last lets it end.
func killCopies(t *testing.T, binary string, args []string, target ...string) {
	t.Helper()
	partial := 0
	for _, stage := range stages {
		killAfter(t, stage, exec.CommandContext(t.Context(), binary, args...))
		out, err := exec.CommandContext(t.Context(), binary, append([]string{"key", "list"}, target...)...).CombinedOutput()
		if err == nil || !strings.Contains(string(out), "run guiche copy again") {
			t.Errorf("killed after %d lines: %v, %s", stage, err, out)
			continue
		}
		partial++
	}
	if partial < len(stages) {
		t.Errorf("of %d copies %d were cut short", len(stages), partial)
	}
	mustRun(t, binary, args...)
	mustRun(t, binary, append([]string{"key", "list"}, target...)...)
}

// killAfter kills a command that has told so many lines.
func killAfter(t *testing.T, lines int, cmd *exec.Cmd) {
	t.Helper()
	told, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for scanner := bufio.NewScanner(told); lines > 0 && scanner.Scan(); lines-- {
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait() // killed, or done before
}

// endLeases has the database say that nobody works with it, as it does by itself after 20 seconds.
func endLeases(t *testing.T, url string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(t.Context()) }()
	if _, err := conn.Exec(t.Context(), `UPDATE desk.lease SET ended = 1`); err != nil {
		t.Fatal(err)
	}
}
