package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestBackup(t *testing.T) {
	folder := t.TempDir()
	data, to := filepath.Join(folder, "data"), filepath.Join(folder, "copies")
	if code, _, said := runCommand(t, "user", "add", "-new", "-login", "lia", "-name", "Lia", "-data", data); code != 0 {
		t.Fatal(said)
	}
	for _, tt := range []struct {
		name      string
		args      []string
		code      int
		out, said string
	}{
		{"NoFolder", []string{"backup", "-data", data}, 2, "", "-to is missing"},
		{"WrongData", []string{"backup", "-data", data + "x", "-to", to}, 1, "", "GUICHE_DATA"},
		{"WrongRecipient", []string{"backup", "-data", data, "-to", to, "-recipient", "lia"}, 1, "", "no age recipient"},
		{"KeepFewerThanNone", []string{"backup", "-data", data, "-to", to, "-keep", "-3"}, 2, "", "-keep must not be negative"},
		{"Plain", []string{"backup", "-data", data, "-to", to, "-keep", "3"}, 0, "não leva as chaves", ""},
		{"VerifyFolder", []string{"verify", to}, 0, "Nenhum dano encontrado", ""},
		{"VerifySaysWhatNot", []string{"verify", to}, 0, "Não conferido: A corrente da auditoria", ""},
		{"VerifyData", []string{"verify", data}, 0, "Nenhum dano encontrado", ""},
		{"VerifyNothing", []string{"verify", folder}, 1, "", "no backup"},
		{"VerifyWithoutPath", []string{"verify"}, 2, "", "Usage: guiche verify"},
		{"VerifyWrongIdentity", []string{"verify", "-identity", folder, to}, 1, "", "identity"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			code, out, said := runCommand(t, tt.args...)
			if code != tt.code || !strings.Contains(out, tt.out) || !strings.Contains(said, tt.said) {
				t.Errorf("got %d, %q, %q, want %d, %q, %q", code, out, said, tt.code, tt.out, tt.said)
			}
		})
	}
	copies, _ := filepath.Glob(filepath.Join(to, "*", "desk", "guiche.db"))
	if len(copies) != 1 {
		t.Fatalf("got %q, want one copy", copies)
	}
	if err := os.Truncate(copies[0], 5000); err != nil {
		t.Fatal(err)
	}
	if code, out, said := runCommand(t, "verify", to); code != 1 || !strings.Contains(out, "DANO: ") || !strings.Contains(said, "damage") {
		t.Errorf("damaged: got %d, %q, %q", code, out, said)
	}
}

// TestBackup_OlderUnreadable: a backup that was made is told of, also where nothing could be removed beside it.
func TestBackup_OlderUnreadable(t *testing.T) {
	folder := t.TempDir()
	data, to := filepath.Join(folder, "data"), filepath.Join(folder, "copies")
	if code, _, said := runCommand(t, "user", "add", "-new", "-login", "lia", "-name", "Lia", "-data", data); code != 0 {
		t.Fatal(said)
	}
	if err := os.MkdirAll(filepath.Join(to, "2026-01-02T030405Z"), 0o700); err != nil {
		t.Fatal(err)
	}
	code, out, said := runCommand(t, "backup", "-data", data, "-to", to, "-keep", "3")
	if code != 1 || !strings.Contains(out, "Cópia feita em "+to) || !strings.Contains(said, "blobs stay") {
		t.Errorf("got %d, %q, %q, want where it is, and why nothing was removed", code, out, said)
	}
}
