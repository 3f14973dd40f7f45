package static_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"guiche/static"
)

// isBuilt reports whether the build of the assets has run.
func isBuilt() bool {
	_, err := fs.Stat(static.FS, "manifest.json")
	return err == nil
}

func TestPath(t *testing.T) {
	t.Run("UnknownNameKeepsItsName", func(t *testing.T) {
		if got, want := static.Path("no-such.css"), "/static/no-such.css"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
	t.Run("BuiltNamesCarryTheirHash", func(t *testing.T) {
		raw, err := fs.ReadFile(static.FS, "manifest.json")
		if err != nil {
			return // nothing was built: TestHandler_NotBuilt holds what happens then
		}
		names := map[string]string{}
		if err := json.Unmarshal(raw, &names); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"app.css", "app.js", "form.css", "form.js", "form-icons.svg", "htmx.js", "icons.svg", "mark.svg"} {
			got := static.Path(name)
			ext := filepath.Ext(name)
			pattern := "^/static/" + strings.TrimSuffix(name, ext) + `\.[0-9a-f]{12}\` + ext + "$"
			if !regexp.MustCompile(pattern).MatchString(got) {
				t.Errorf("got %q, want a match of %s", got, pattern)
			}
			for _, end := range []string{"", ".br", ".gz"} {
				if _, err := fs.Stat(static.FS, names[name]+end); err != nil {
					t.Errorf("%s: %v", names[name]+end, err)
				}
			}
		}
	})
}

// Every icon that a view names is in the sprite; package page's tests hold that
// the sprite has no other.
func TestIcons(t *testing.T) {
	named := regexp.MustCompile(`Icon\("([a-z0-9-]+)"\)`)
	icons := strings.Fields(mustFile(t, "icons.txt"))
	found := 0
	for path, text := range mustRead(t, "../web", ".templ") {
		for _, m := range named.FindAllStringSubmatch(text, -1) {
			found++
			if !slices.Contains(icons, m[1]) {
				t.Errorf("%s: icon %q is not in icons.txt", path, m[1])
			}
		}
	}
	if found < 10 {
		t.Errorf("got %d icons in the views, want at least 10", found)
	}
	if !slices.IsSorted(icons) {
		t.Error("icons.txt is not in order")
	}
}

// The dark theme stands twice in tokens.css, for the attribute and for the
// system's choice; the two say the same and set every colour of the light one.
func TestTokens_Themes(t *testing.T) {
	css := mustFile(t, "css/tokens.css")
	block := func(selector string) map[string]string {
		_, rest, ok := strings.Cut(css, "\n"+selector+"{")
		if !ok {
			t.Fatalf("no block %s", selector)
		}
		body, _, _ := strings.Cut(rest, "}")
		set := map[string]string{}
		for _, m := range regexp.MustCompile(`(--[a-z0-9-]+|color-scheme):([^;]+);`).FindAllStringSubmatch(body, -1) {
			set[m[1]] = m[2]
		}
		return set
	}
	light, dark, system := block(":root"), block("[data-bs-theme=dark]"), block(":root:not([data-bs-theme])")
	if len(light) < 30 {
		t.Fatalf("got %d tokens in the light theme, want at least 30", len(light))
	}
	for name := range light {
		if dark[name] == "" {
			t.Errorf("the dark theme lacks %s", name)
		}
		if dark[name] != system[name] {
			t.Errorf("%s: by attribute %q, by system %q", name, dark[name], system[name])
		}
	}
	if len(dark) != len(light) || len(system) != len(light) {
		t.Errorf("got %d dark and %d system tokens, want %d", len(dark), len(system), len(light))
	}
}

// The lockfile names no registry host, and every version is exact.
func TestManifest_Pinned(t *testing.T) {
	if strings.Contains(mustFile(t, "package-lock.json"), `"resolved"`) {
		t.Error("package-lock.json names the registry that it was made with")
	}
	var manifest struct{ Dependencies, DevDependencies map[string]string }
	if err := json.Unmarshal([]byte(mustFile(t, "package.json")), &manifest); err != nil {
		t.Fatal(err)
	}
	exact := regexp.MustCompile(`^\d+\.\d+\.\d+$`)
	for _, set := range []map[string]string{manifest.Dependencies, manifest.DevDependencies} {
		for name, version := range set {
			if !exact.MatchString(version) {
				t.Errorf("%s: got %q, want an exact version", name, version)
			}
		}
	}
}

func mustFile(tb testing.TB, path string) string {
	tb.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	return string(raw)
}

// mustRead returns the files below a folder with one of the endings, by path;
// generated views and tests are left out.
func mustRead(tb testing.TB, dir string, endings ...string) map[string]string {
	tb.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasSuffix(path, "_templ.go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		if slices.Contains(endings, filepath.Ext(path)) {
			files[path] = mustFile(tb, path)
		}
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	if len(files) == 0 {
		tb.Fatalf("no files in %s", dir)
	}
	return files
}
