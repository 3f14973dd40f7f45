package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// mustRun runs the program to its end.
func mustRun(t *testing.T, binary string, args ...string) {
	t.Helper()
	if out, err := exec.CommandContext(t.Context(), binary, args...).CombinedOutput(); err != nil {
		t.Fatalf("%q: %v: %s", args, err, out)
	}
}

// TestBackup_Killed kills the command at every stage: what has a backup's name is whole,
// and the next one clears away what the killed one left.
func TestBackup_Killed(t *testing.T) {
	binary, folder := MustBuild(t), t.TempDir()
	data, to := filepath.Join(folder, "data"), filepath.Join(folder, "copies")
	mustRun(t, binary, "user", "add", "-login", "lia", "-name", "Lia", "-data", data)
	args := []string{"backup", "-data", data, "-to", to, "-keep", "2"}
	began := time.Now()
	mustRun(t, binary, args...)
	const kills = 12
	usual := time.Since(began)
	for i := range kills {
		cmd := exec.CommandContext(t.Context(), binary, args...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(usual*time.Duration(i)/kills, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait() // killed, or done before
		mustRun(t, binary, "verify", to)
	}
	mustRun(t, binary, args...)
	mustRun(t, binary, "verify", to)
	entries, err := os.ReadDir(to)
	if err != nil || len(entries) != 4 { // two backups, the blobs, the lock
		t.Errorf("got %v, %v", entries, err)
	}
}
