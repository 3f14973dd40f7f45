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

// TestRestore_Killed kills a restore at every stage: the folder is no installation yet, or
// the whole one, and the restore can be run again.
func TestRestore_Killed(t *testing.T) {
	binary, folder := MustBuild(t), t.TempDir()
	data, to := filepath.Join(folder, "data"), filepath.Join(folder, "copies")
	mustRun(t, binary, "user", "add", "-login", "lia", "-name", "Lia", "-data", data)
	mustRun(t, binary, "backup", "-data", data, "-to", to)
	args := func(name string) []string {
		return []string{"restore", "-from", to, "-keys", filepath.Join(data, "keys"), "-data", filepath.Join(folder, name)}
	}
	began := time.Now()
	mustRun(t, binary, args("first")...)
	const kills = 12
	usual := time.Since(began)
	done := 0
	for i := range kills {
		name := "killed" + strconv.Itoa(i)
		restored := filepath.Join(folder, name)
		cmd := exec.CommandContext(t.Context(), binary, args(name)...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(usual*time.Duration(i)/kills, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait() // killed, or done before
		// A reset opens an installation that is there, and nothing else.
		reset := exec.CommandContext(t.Context(), binary, "user", "reset", "-login", "lia", "-data", restored)
		if err := reset.Run(); err != nil {
			mustRun(t, binary, args(name)...)
		} else {
			done++
		}
		mustRun(t, binary, "verify", restored)
	}
	t.Logf("%d of %d had happened", done, kills)
}
