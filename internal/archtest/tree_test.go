package archtest_test

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// root is the top of the repository, where its tests of the architecture look.
const root = "../.."

// made are folders of what is built or fetched.
var made = []string{"node_modules", ".git", "bin", "dist", "guiche-demo"}

// everyFile returns all files and folders of the repository, by their path from the
// top, with slashes.
func everyFile(t *testing.T) []string {
	t.Helper()
	var files []string
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && slices.Contains(made, d.Name()) {
			return fs.SkipDir
		}
		files = append(files, name)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// handWritten returns the files with one of the extensions that somebody wrote.
func handWritten(t *testing.T, extensions ...string) []string {
	t.Helper()
	return slices.DeleteFunc(everyFile(t), func(name string) bool {
		return strings.HasSuffix(name, "_templ.go") || !slices.Contains(extensions, path.Ext(name))
	})
}

// read returns the text of a file by its path from the top.
func read(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}
