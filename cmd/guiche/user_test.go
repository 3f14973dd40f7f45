package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// runCommand runs guiche and returns exit code, standard output and standard error.
func runCommand(t *testing.T, args ...string) (code int, out, complaints string) {
	t.Helper()
	var o, e strings.Builder
	code = run(t.Context(), environment{args: args, lookup: func(string) (string, bool) { return "", false }, out: &o, err: &e})
	return code, o.String(), e.String()
}

func TestUser(t *testing.T) {
	folder := t.TempDir()
	data := "-data=" + folder
	for _, tt := range []struct {
		name      string
		args      []string
		code      int
		out, said string
	}{
		{"Add", []string{"add", "-new", "-login", "lia", "-name", "Lia", data, "-public-url", "https://guiche.clinica/"}, 0,
			"  https://guiche.clinica/ativar/", ""},
		{"AddTaken", []string{"add", "-login", "LIA", "-name", "Lia", data}, 1, "", "Já existe uma pessoa com este usuário."},
		{"Reset", []string{"reset", "-login", "lia", data}, 0, "/ativar/", ""},
		{"ResetElsewhere", []string{"reset", "-login", "lia", data}, 0, "ponha-o no lugar de http://127.0.0.1:8080", ""},
		{"ResetUnknown", []string{"reset", "-login", "bia", data}, 1, "", "Não há pessoa com este usuário."},
		{"Disable", []string{"disable", "-login", " Lia", data}, 0, "desativada", ""},
		{"ResetDisabled", []string{"reset", "-login", "lia", data}, 1, "", "desativada"},
		{"DisableUnknown", []string{"disable", "-login", "bia", data}, 1, "", "Não há pessoa"},
		{"NoLogin", []string{"disable", data}, 2, "", "-login is missing"},
		{"NoCommand", nil, 2, "", "Usage: guiche user COMMAND"},
		{"UnknownCommand", []string{"delete", "-login", "lia", data}, 2, "", "Usage: guiche user COMMAND"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			code, out, said := runCommand(t, append([]string{"user"}, tt.args...)...)
			if code != tt.code || !strings.Contains(out, tt.out) || !strings.Contains(said, tt.said) {
				t.Errorf("got %d, %q, %q, want %d, %q, %q", code, out, said, tt.code, tt.out, tt.said)
			}
		})
	}
}

// A mistyped folder does not become a new installation.
func TestUser_WrongFolder(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "engano")
	for _, act := range []string{"add", "disable", "reset"} {
		if code, _, said := runCommand(t, "user", act, "-login", "lia", "-data", folder); code != 1 || !strings.Contains(said, "GUICHE_DATA") {
			t.Errorf("%s: got %d, %q, want 1 and the setting named", act, code, said)
		}
	}
	if _, err := os.Stat(folder); !os.IsNotExist(err) {
		t.Errorf("got %v, want no folder", err)
	}
}
