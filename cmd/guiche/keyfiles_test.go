package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestKeys_Files: each key may be a file of its own, as secrets are mounted; a renewed one lies
// beside the first, and an encrypted copy holds all of them under their usual names.
func TestKeys_Files(t *testing.T) {
	binary, top := MustBuild(t), t.TempDir()
	at := func(name string) string { return filepath.Join(top, name) }
	keys := "audit=" + at("secrets/trail") + ",browser=" + at("secrets/known") + ",seal=" + at("vault/sealing")
	run := func(keys string, args ...string) (string, error) {
		cmd := exec.CommandContext(t.Context(), binary, args...)
		cmd.Env = append(os.Environ(), "GUICHE_KEYS="+keys, "GUICHE_DATA="+at("data"))
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	ok := func(args ...string) string {
		t.Helper()
		out, err := run(keys, args...)
		if err != nil || strings.Contains(out, "falta") {
			t.Fatalf("%s: %v\n%s", args[0], err, out)
		}
		return out
	}
	ok("user", "add", "-new", "-login", "ana", "-name", "Ana", "-role", "administracao")
	ok("key", "rotate")
	if list := ok("key", "list"); !strings.Contains(list, at("secrets/trail")) || !strings.Contains(list, at("vault/seal-")) {
		t.Errorf("got %s, want the files that were given and the renewed one beside its first", list)
	}
	ok("backup", "-to", at("copies"), "-recipient", "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p")
	if found, _ := filepath.Glob(at("copies/*/keys/*.key.age")); len(found) != 4 {
		t.Errorf("got %v, want four keys in the encrypted copy", found)
	}
	t.Setenv("GUICHE_KEYS", keys)
	s := serve(t, binary, "serve", "-addr", "127.0.0.1:0", "-data", at("data"))
	s.line("Guichê em ")
	if err := s.stop(os.Interrupt); err != nil {
		t.Error(err)
	}
	for given, says := range map[string]string{
		strings.Replace(keys, "secrets/trail", "secrets/known", 1): "GUICHE_KEYS: " + at("secrets/known") + " is another key",
		"audit=" + at("secrets/trail"):                             "GUICHE_KEYS: no file is given for the key browser",
	} {
		if out, err := run(given, "serve", "-addr", "127.0.0.1:0"); err == nil || !strings.Contains(out, says) {
			t.Errorf("got %v\n%s\nwant %s", err, out, says)
		}
	}
}
