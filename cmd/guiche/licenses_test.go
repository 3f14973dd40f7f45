package main_test

import (
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"guiche/internal/licenses"
)

// TestLicenses: the program prints a licence text for every module linked into it and
// for every npm package in its browser files.
func TestLicenses(t *testing.T) {
	binary := MustBuild(t)
	out, err := exec.CommandContext(t.Context(), binary, "licenses").CombinedOutput()
	all, collected := licenses.All()
	if errors.Is(collected, licenses.ErrNotCollected) {
		if err == nil || !strings.Contains(string(out), "make build") {
			t.Errorf("built without them: got %v, %s", err, out)
		}
		return // there is nothing to print before `make licenses`
	}
	if err != nil || collected != nil {
		t.Fatalf("got %v, %v", err, collected)
	}
	texts := map[string]string{}
	for _, c := range all {
		for _, text := range c.Texts {
			name := c.Name + " " + c.Version
			if c.Name == "Go" {
				name = c.Name // in whatever version
			}
			texts[name] += text.Body
			if !strings.Contains(string(out), strings.TrimSpace(text.Body)) {
				t.Errorf("%s of %s is not printed", text.File, c.Name)
			}
		}
	}
	for _, name := range slices.Concat(linked(t, binary), shown(t)) {
		if len(texts[name]) < 200 {
			t.Errorf("%s: got a text of %d bytes; make licenses collects it", name, len(texts[name]))
		}
	}
}

// linked returns Go and the modules that a binary was built from.
func linked(t *testing.T, binary string) []string {
	t.Helper()
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"Go"}
	for _, m := range info.Deps {
		names = append(names, m.Path+" "+m.Version)
	}
	if len(names) < 20 {
		t.Errorf("got %d modules, want at least 20", len(names))
	}
	return names
}

// shown returns the npm packages that package.json lists for the browser.
func shown(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("../../static/package.json")
	if err != nil {
		t.Fatal(err)
	}
	var wanted struct{ Dependencies map[string]string }
	if err := json.Unmarshal(text, &wanted); err != nil {
		t.Fatal(err)
	}
	var names []string
	for name, version := range wanted.Dependencies {
		names = append(names, name+" "+version)
	}
	return names
}
