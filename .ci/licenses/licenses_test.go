package main_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"guiche/internal/licenses"
)

// program is a repository with one linked module, one npm package that is shown and
// one that only tests use.
var program = map[string]string{
	"LICENSE": "Apache License, Version 2.0",
	"go.mod": "module program\n\ngo 1.26.0\n\nrequire example.test/some v1.0.0\n\n" +
		"replace example.test/some => ./some\n",
	"cmd/guiche/main.go":    "package main\n\nimport _ \"example.test/some/part\"\n\nfunc main() {}\n",
	"some/go.mod":           "module example.test/some\n\ngo 1.26.0\n",
	"some/LICENSE.txt":      "Permission is hereby granted, free of charge, to any person obtaining a copy\nof this software",
	"some/part/part.go":     "package part\n",
	"some/part/COPYING":     "for any purpose with or without fee is hereby granted, provided that the above",
	"some/unused/unused.go": "package unused\n",
	"some/unused/LICENSE":   "Mozilla Public License Version 2.0",
	"static/package-lock.json": `{"packages": {"": {}, "node_modules/@scope/shown": {"version": "2.0.0"},
		"node_modules/tests": {"version": "1.0.0", "dev": true}}}`,
	shownTerms: "Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee",
}

const shownTerms = "static/node_modules/@scope/shown/LICENSE"

// MustLay writes the program to a folder, with other files besides.
func MustLay(t *testing.T, more map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for _, files := range []map[string]string{program, more} {
		for name, text := range files {
			path := filepath.Join(root, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	return root
}

func collect(t *testing.T, root string, args ...string) ([]byte, error) {
	t.Helper()
	args = append([]string{"run", ".", "-C", root, "-targets", "linux/amd64 windows/amd64"}, args...)
	return exec.CommandContext(t.Context(), "go", args...).CombinedOutput()
}

func TestLicenses(t *testing.T) {
	dir := t.TempDir()
	bill := filepath.Join(dir, "sbom.json")
	out, err := collect(t, MustLay(t, nil), "-o", filepath.Join(dir, licenses.File), "-sbom", bill, "-version", "v1.2.3")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	all, err := licenses.Read(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	sbom, err := os.ReadFile(bill)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"Guichê":            "Apache-2.0",
		"Go":                "BSD-3-Clause",
		"example.test/some": "ISC AND MIT",
		"@scope/shown":      "0BSD",
	}
	for _, c := range all {
		if want[c.Name] != c.License {
			t.Errorf("%s: got %q, want %q", c.Name, c.License, want[c.Name])
		}
		if len(c.Texts) == 0 || strings.TrimSpace(c.Texts[0].Body) == "" {
			t.Errorf("%s has no text", c.Name)
		}
	}
	if len(all) != len(want) {
		t.Errorf("got %d components, want %d", len(all), len(want))
	}

	t.Run("SBOM", func(t *testing.T) {
		var got struct {
			BomFormat, SpecVersion string
			Metadata               struct {
				Component struct{ Type, Version string }
			}
			Components   []struct{ Name, Version, PURL string }
			Dependencies []struct{ DependsOn []string }
		}
		if err := json.Unmarshal(sbom, &got); err != nil {
			t.Fatal(err)
		}
		if got.BomFormat != "CycloneDX" || got.SpecVersion != "1.5" {
			t.Errorf("got %s %s, want CycloneDX 1.5", got.BomFormat, got.SpecVersion)
		}
		if c := got.Metadata.Component; c.Type != "application" || c.Version != "v1.2.3" {
			t.Errorf("got %+v", c)
		}
		purls := map[string]bool{}
		for _, c := range got.Components {
			purls[c.PURL] = true
		}
		for _, want := range []string{"pkg:golang/example.test/some@v1.0.0", "pkg:npm/%40scope/shown@2.0.0"} {
			if !purls[want] {
				t.Errorf("no component %s", want)
			}
		}
		if len(got.Dependencies) != 1 || len(got.Dependencies[0].DependsOn) != len(got.Components) {
			t.Errorf("dependencies: %+v", got.Dependencies)
		}
	})
}

func TestLicenses_Refuses(t *testing.T) {
	t.Run("ErrNoText", func(t *testing.T) {
		root := MustLay(t, nil)
		if err := os.Remove(filepath.Join(root, shownTerms)); err != nil {
			t.Fatal(err)
		}
		out, err := collect(t, root, "-o", filepath.Join(root, "out"))
		if err == nil || !strings.Contains(string(out), "@scope/shown 2.0.0 has no licence text") {
			t.Errorf("got %v, %s", err, out)
		}
	})
	for _, file := range []string{"new.ttf", "new.z"} {
		t.Run("ErrUnknownFont_"+file, func(t *testing.T) {
			root := MustLay(t, map[string]string{
				"cmd/guiche/" + file: "",
				"cmd/guiche/font.go": "package main\n\nimport _ \"embed\"\n\n//go:embed " + file + "\nvar font []byte\n",
			})
			out, err := collect(t, root, "-o", filepath.Join(root, "out"))
			if err == nil || !strings.Contains(string(out), file+" are not known") {
				t.Errorf("got %v, %s", err, out)
			}
		})
	}
}
