package main_test

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guiche/internal/sqlite"
	"guiche/internal/store/engine"
)

// MustBuildNewer builds a program of the next version: this one with a step more in both
// schemas, which only adds and says so.
func MustBuildNewer(t *testing.T) string {
	t.Helper()
	top, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	folder, replaced := t.TempDir(), map[string]string{}
	for half, oldest := range map[string]string{"desk": "39", "service": "20"} {
		step := filepath.Join(folder, half+".sql")
		content := "-- +goose Up\nCREATE TABLE later (id INTEGER PRIMARY KEY) STRICT;\nUPDATE schema_floor SET oldest = " + oldest + ";\n"
		if err := os.WriteFile(step, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		replaced[filepath.Join(top, "migrations", half, "99999_later.sql")] = step
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "overlay.json"), overlay, 0o600); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "guiche")
	build := exec.CommandContext(t.Context(), "go", "build", "-overlay", filepath.Join(folder, "overlay.json"), "-o", path, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	return path
}

// TestOlderVersion: the version before goes on with a schema to which the next one only added,
// as often as it starts, and not with one that says otherwise.
func TestOlderVersion(t *testing.T) {
	older, newer, folder := MustBuild(t), MustBuildNewer(t), filepath.Join(t.TempDir(), "demo")
	run := func(binary string) {
		t.Helper()
		s := serve(t, binary, "serve", "-addr", "127.0.0.1:0", "-data", folder)
		url := strings.TrimPrefix(s.line("Guichê em "), "Guichê em ")
		waitReady(t, url)
		if err := s.stop(os.Interrupt); err != nil {
			t.Error(err)
		}
	}
	for _, binary := range []string{older, newer, older, older, newer} {
		run(binary)
	}
	MustBreak(t, filepath.Join(folder, "service", "service.db"))
	out, err := exec.CommandContext(t.Context(), older, "serve", "-addr", "127.0.0.1:0", "-data", folder).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "written by a newer version of the program") {
		t.Errorf("got %v, want it refused\n%s", err, out)
	}
	run(newer)
}

// waitReady waits until the program has started.
func waitReady(t *testing.T, url string) {
	t.Helper()
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for {
		res, err := http.Get(url + "/readyz")
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if res.StatusCode == http.StatusOK {
			return
		}
		<-again.C
	}
}

// MustBreak has a database say that only the newest version may go on.
func MustBreak(t *testing.T, path string) {
	t.Helper()
	db, err := sqlite.Open(t.Context(), sqlite.Options{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	err = db.Write(t.Context(), func(tx *engine.Tx) error {
		_, err := tx.Exec(t.Context(), `UPDATE schema_floor SET oldest = 99999`)
		return err
	})
	if err != nil {
		t.Error(err)
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
}
