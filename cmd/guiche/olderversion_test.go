package main_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guiche/internal/postgres"
	"guiche/internal/postgres/postgrestest"
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
	for i, step := range []struct{ half, table, oldest string }{
		{"desk", "(id INTEGER PRIMARY KEY) STRICT", "39"}, {"service", "(id INTEGER PRIMARY KEY) STRICT", "20"},
		{"postgres/desk", "(id bigint PRIMARY KEY)", "50"}, {"postgres/service", "(id bigint PRIMARY KEY)", "21"},
	} {
		file := filepath.Join(folder, fmt.Sprint(i, ".sql"))
		content := "-- +goose Up\nCREATE TABLE later " + step.table + ";\nUPDATE schema_floor SET oldest = " + step.oldest + ";\n"
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		replaced[filepath.Join(top, "migrations", filepath.FromSlash(step.half), "99999_later.sql")] = file
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
	older, newer := MustBuild(t), MustBuildNewer(t)
	t.Run("Folder", func(t *testing.T) { checkOlderInFolder(t, older, newer) })
	t.Run("Server", func(t *testing.T) { checkOlderOnServer(t, older, newer) })
	t.Run("CommandsInFolder", func(t *testing.T) { checkNewerCommands(t, older, newer, "") })
	t.Run("CommandsOnServer", func(t *testing.T) { checkNewerCommands(t, older, newer, postgrestest.Database(t)) })
}

// checkNewerCommands: a command of the next version leaves the schema as it is under the version that works with it,
// and says what to do first.
func checkNewerCommands(t *testing.T, older, newer, database string) {
	t.Helper()
	place := []string{"--data", filepath.Join(t.TempDir(), "demo"), "--database", database}
	run := func(binary, command string) (string, error) {
		out, err := exec.CommandContext(t.Context(), binary, append(strings.Fields(command), place...)...).CombinedOutput()
		return string(out), err
	}
	running := serve(t, older, append([]string{"demo", "--addr", "127.0.0.1:0"}, place...)...)
	address := strings.TrimPrefix(running.line("Guichê em "), "Guichê em ")
	waitReady(t, address)
	for _, command := range []string{"user add -login lia -name Lia", "user disable -login ana", "key rotate", "key list", "migrate"} {
		want := "run guiche migrate, first"
		if command == "migrate" && database != "" {
			continue // the version before goes on with what was only added
		} else if command == "migrate" {
			want = "another guiche serves from"
		}
		if out, err := run(newer, command); err == nil || !strings.Contains(out, want) {
			t.Errorf("%s: got %v, %s, want it refused", command, err, out)
		}
	}
	if out, err := run(older, "key list"); err != nil {
		t.Errorf("of the version that runs: %v\n%s", err, out)
	}
	enter(t, address)
	if err := running.stop(os.Interrupt); err != nil {
		t.Error(err)
	}
	for _, command := range []string{"migrate", "user add -login lia -name Lia"} {
		if out, err := run(newer, command); err != nil {
			t.Errorf("%s: %v\n%s", command, err, out)
		}
	}
}

func checkOlderInFolder(t *testing.T, older, newer string) {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "demo")
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
	db, err := sqlite.Open(t.Context(), sqlite.Options{Path: filepath.Join(folder, "service", "service.db")})
	MustBreak(t, db, err)
	out, err := exec.CommandContext(t.Context(), older, "serve", "-addr", "127.0.0.1:0", "-data", folder).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "written by a newer version of the program") {
		t.Errorf("got %v, want it refused\n%s", err, out)
	}
	run(newer)
}

// checkOlderOnServer: on a database server the version before goes on as well, also while the next one
// changes the schema beside it.
func checkOlderOnServer(t *testing.T, older, newer string) {
	t.Helper()
	database, folder := postgrestest.Database(t), filepath.Join(t.TempDir(), "demo")
	start := func(binary string) (s *serving, address string) {
		t.Helper()
		s = serve(t, binary, "demo", "--addr", "127.0.0.1:0", "--data", folder, "--database", database)
		address = strings.TrimPrefix(s.line("Guichê em "), "Guichê em ")
		waitReady(t, address)
		enter(t, address)
		return s, address
	}
	stop := func(s *serving) {
		t.Helper()
		if err := s.stop(os.Interrupt); err != nil {
			t.Error(err)
		}
	}
	running, address := start(older)
	migrating := exec.CommandContext(t.Context(), newer, "migrate", "--data", folder, "--database", database)
	if out, err := migrating.CombinedOutput(); err != nil {
		t.Fatalf("migrate: %v\n%s", err, out)
	}
	waitReady(t, address)
	enter(t, address)
	stop(running)
	for _, binary := range []string{older, newer, older} {
		running, _ = start(binary)
		stop(running)
	}
	db, err := postgres.Open(t.Context(), postgres.Options{URL: database, Schema: "service"})
	MustBreak(t, db, err)
	out, err := exec.CommandContext(t.Context(), older, "demo", "--addr", "127.0.0.1:0", "--data", folder, "--database", database).
		CombinedOutput()
	if err == nil || !strings.Contains(string(out), "written by a newer version of the program") {
		t.Errorf("got %v, want it refused\n%s", err, out)
	}
	running, _ = start(newer)
	stop(running)
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

// MustBreak has a database say that only the newest version may go on, and closes it.
func MustBreak(t *testing.T, db engine.DB, err error) {
	t.Helper()
	if err == nil {
		err = db.Write(t.Context(), func(tx *engine.Tx) error {
			_, err := tx.Exec(t.Context(), `UPDATE schema_floor SET oldest = 99999`)
			return err
		})
		err = errors.Join(err, db.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}
