package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
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

// killed starts a command for each of a row of moments within its usual time, kills it
// then, and has look see what is left.
func killed(t *testing.T, usual time.Duration, command func(n int) *exec.Cmd, look func(n int)) {
	t.Helper()
	const kills = 12
	for n := range kills {
		cmd := command(n)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(usual*time.Duration(n)/kills, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait() // killed, or done before
		look(n)
	}
}

// TestBackup_Killed kills backups and restores at every stage.
func TestBackup_Killed(t *testing.T) {
	binary, folder := MustBuild(t), t.TempDir()
	data, to := filepath.Join(folder, "data"), filepath.Join(folder, "copies")
	mustRun(t, binary, "user", "add", "-new", "-login", "lia", "-name", "Lia", "-data", data)
	run := func(args ...string) (usual time.Duration) {
		t.Helper()
		began := time.Now()
		mustRun(t, binary, args...)
		return time.Since(began)
	}
	// What has a backup's name is whole, and the next one clears away what was left.
	t.Run("Backup", func(t *testing.T) {
		args := []string{"backup", "-data", data, "-to", to, "-keep", "2"}
		usual := run(args...)
		killed(t, usual, func(int) *exec.Cmd { return exec.CommandContext(t.Context(), binary, args...) }, func(int) { run("verify", to) })
		run(args...)
		run("verify", to)
		entries, err := os.ReadDir(to)
		if err != nil || len(entries) != 4 { // two backups, the blobs, the lock
			t.Errorf("got %v, %v", entries, err)
		}
	})
	// The folder is no installation yet, or the whole one, and a restore can be run again.
	t.Run("Restore", func(t *testing.T) {
		args := func(n int) []string {
			restored := filepath.Join(folder, "restored"+strconv.Itoa(n))
			return []string{"restore", "-from", to, "-keys", filepath.Join(data, "keys"), "-data", restored}
		}
		usual := run(args(-1)...)
		killed(t, usual, func(n int) *exec.Cmd { return exec.CommandContext(t.Context(), binary, args(n)...) }, func(n int) {
			restored := args(n)[6]
			// A reset opens an installation that is there, and nothing else.
			if err := exec.CommandContext(t.Context(), binary, "user", "reset", "-login", "lia", "-data", restored).Run(); err != nil {
				run(args(n)...)
			}
			run("verify", restored)
		})
	})
}
