package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestKeys_Folder: keys may lie in a folder of their own. Whoever comes with others than those
// that the database was sealed with, or with none, is refused in one sentence and makes none.
func TestKeys_Folder(t *testing.T) {
	binary, top := MustBuild(t), t.TempDir()
	at := func(name string) string { return filepath.Join(top, name) }
	add := func(data, keys, login string) (string, error) {
		cmd := exec.CommandContext(t.Context(), binary, "user", "add", "-new", "-data", at(data), "-login", login, "-name", "Ana",
			"-role", "administracao")
		cmd.Env = append(os.Environ(), "GUICHE_KEYS="+keys)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	for _, data := range []string{"one", "other"} {
		if out, err := add(data, at("keys of "+data), "ana"); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if _, err := os.Stat(filepath.Join(at(data), "keys")); !os.IsNotExist(err) {
			t.Errorf("got %v, want no keys beside the data of %s", err, data)
		}
	}
	for name, tt := range map[string]struct{ keys, says string }{
		"Other": {at("keys of other"), "GUICHE_KEYS: " + at("keys of other/audit.key") + " is another key"},
		"None":  {"", "GUICHE_DATA: " + at("one/keys/audit.key") + " is missing"},
	} {
		t.Run(name, func(t *testing.T) {
			if out, err := add("one", tt.keys, "bia"); err == nil || !strings.Contains(out, tt.says) {
				t.Errorf("user add: got %v\n%s", err, out)
			}
			out, err := exec.CommandContext(t.Context(), binary, "serve", "-addr", "127.0.0.1:0", "-data", at("one"),
				"-keys", tt.keys).CombinedOutput()
			lines := strings.Split(strings.TrimSpace(string(out)), "\n")
			if err == nil || !strings.HasPrefix(lines[len(lines)-1], "guiche: "+tt.says) {
				t.Errorf("serve: got %v\n%s", err, out)
			}
			if _, err := os.Stat(filepath.Join(at("one"), "keys")); !os.IsNotExist(err) {
				t.Errorf("got %v, want no keys made", err)
			}
		})
	}
	s := serve(t, binary, "serve", "-addr", "127.0.0.1:0", "-data", at("one"), "-keys", at("keys of one"))
	s.line("Guichê em ")
	if err := s.stop(os.Interrupt); err != nil {
		t.Error(err)
	}
	for _, args := range [][]string{
		{"verify", "-keys", at("keys of one"), at("one")},
		{"key", "list", "-data", at("one"), "-keys", at("keys of one")},
		{"backup", "-data", at("one"), "-keys", at("keys of one"), "-to", at("copies"), "-recipient",
			"age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p"},
	} {
		out, err := exec.CommandContext(t.Context(), binary, args...).CombinedOutput()
		if err != nil || strings.Contains(string(out), "falta") {
			t.Errorf("%s: %v\n%s", args[0], err, out)
		}
	}
	if found, _ := filepath.Glob(at("copies/*/keys/audit.key.age")); len(found) != 1 {
		t.Errorf("got %v, want the keys in the encrypted copy", found)
	}
}
