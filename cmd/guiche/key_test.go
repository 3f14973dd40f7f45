package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"guiche/internal/app"
	"guiche/internal/apptest"
)

// mustInstall returns the folder of an installation that has a sealed secret, stopped.
func mustInstall(t *testing.T) string {
	t.Helper()
	p := apptest.Start(t, apptest.Options{})
	p.LogIn(t, apptest.Administration).ConnectTo(t, apptest.StartOtherService(t, nil), nil)
	p.Stop()
	return p.DataDir
}

func TestKey(t *testing.T) {
	folder := mustInstall(t)
	data := "-data=" + folder
	for _, tt := range []struct {
		name      string
		args      []string
		code      int
		out, said string
	}{
		{"List", []string{"list", data}, 0, "em uso", ""},
		{"Rotate", []string{"rotate", data}, 0, "Segredos selados com ela: 1.", ""},
		{"ListOld", []string{"list", data}, 0, "anterior", ""},
		{"RotateElsewhere", []string{"rotate", "-data=" + filepath.Join(folder, "engano")}, 1, "", "GUICHE_DATA"},
		{"ReplaceNoName", []string{"replace", data}, 2, "", "-name is missing"},
		{"ReplaceUnknown", []string{"replace", data, "-name", "outra"}, 1, "", "none of"},
		{"ReplaceNotLost", []string{"replace", data, "-name", "seal"}, 1, "", "not lost"},
		{"NoCommand", nil, 2, "", "Usage: guiche key COMMAND"},
		{"UnknownCommand", []string{"delete", data}, 2, "", "Usage: guiche key COMMAND"},
		{"UnknownFlag", []string{"rotate", "-nada"}, 2, "", "flag"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			code, out, said := runCommand(t, append([]string{"key"}, tt.args...)...)
			if code != tt.code || !strings.Contains(out, tt.out) || !strings.Contains(said, tt.said) {
				t.Errorf("got %d, %q, %q, want %d, %q, %q", code, out, said, tt.code, tt.out, tt.said)
			}
		})
	}
	t.Run("ListUnread", func(t *testing.T) {
		browser := filepath.Join(folder, "keys", "browser.key")
		whole, err := os.ReadFile(browser)
		if err == nil {
			err = os.WriteFile(browser, whole[:10], 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		code, out, said := runCommand(t, "key", "list", data)
		if code != 0 || !strings.Contains(out, browser+" holds 10 bytes") || strings.Contains(out, "não está na pasta") {
			t.Errorf("got %d, %q, %q, want that the file is there, and what is wrong with it", code, out, said)
		}
		if err := os.WriteFile(browser, whole, 0o600); err != nil {
			t.Fatal(err)
		}
	})
	t.Run("Replace", func(t *testing.T) {
		keys, err := app.ListKeys(t.Context(), app.Config{DataDir: folder})
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range keys {
			if k.Name == "seal" {
				_ = os.Remove(k.File) // the earlier key may be gone already
			}
		}
		if code, _, said := runCommand(t, "key", "rotate", data); code != 1 || !strings.Contains(said, "guiche key replace -name seal") {
			t.Errorf("got %d, %q, want the way out named", code, said)
		}
		code, out, said := runCommand(t, "key", "replace", data, "-name", "seal")
		if code != 0 || !strings.Contains(out, "Chaves novas em uso") {
			t.Errorf("got %d, %q, %q", code, out, said)
		}
		code, out, _ = runCommand(t, "key", "rotate", data)
		if code != 0 || !strings.Contains(out, "já não abriam e ficaram como estavam: 1") {
			t.Errorf("got %d, %q, want what does not open counted", code, out)
		}
	})
}
