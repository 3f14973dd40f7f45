package archtest_test

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	namedDocument = regexp.MustCompile(`[\w./-]+\.(?:md|txt)\b`)
	namedPackage  = regexp.MustCompile(`\b(?:internal|cmd|web|migrations)(?:/[a-z0-9_.]*[a-z0-9_])+`)
	linkedFile    = regexp.MustCompile(`\]\(([^()#\s]+)(?:#[^()\s]*)?\)`)
	// elsewhere are words for what a reader of the repository cannot open.
	elsewhere = regexp.MustCompile(`(?i)\bopen points\b|\bthe brief\b|\bissues? #?\d+|(?-i:\bDESIGN\b)`)
)

// TestDocuments holds that comments and documents name no document which is not in
// the repository.
func TestDocuments(t *testing.T) {
	all := everyFile(t)
	for _, name := range handWritten(t, ".go", ".templ", ".sql", ".md") {
		for _, p := range passages(name, read(t, name)) {
			for _, d := range absent(all, name, p) {
				t.Errorf("%s:%d names %q, which is not in the repository", name, d.line, d.what)
			}
		}
	}
}

// TestDocuments_Links holds that what a document links to is there.
func TestDocuments_Links(t *testing.T) {
	all := everyFile(t)
	for _, name := range handWritten(t, ".md") {
		for i, line := range strings.Split(read(t, name), "\n") {
			for _, m := range linkedFile.FindAllStringSubmatch(line, -1) {
				target := path.Join(path.Dir(name), m[1])
				if !strings.Contains(m[1], "://") && !slices.Contains(all, target) {
					t.Errorf("%s:%d links to %s, and nothing is there", name, i+1, target)
				}
			}
		}
	}
}

// TestDocuments_Packages holds that packages and files which comments and documents
// name by their path are there, so that none is left with its old name.
func TestDocuments_Packages(t *testing.T) {
	all := everyFile(t)
	for _, name := range handWritten(t, ".go", ".templ", ".sql", ".md") {
		for _, p := range passages(name, read(t, name)) {
			for _, m := range namedPackage.FindAllStringIndex(p.text, -1) {
				if what := p.text[m[0]:m[1]]; !slices.Contains(all, what) {
					t.Errorf("%s:%d names %s, and nothing is there", name, p.at(m[0]), what)
				}
			}
		}
	}
}

// absent returns the documents that a passage of a file names and the repository
// lacks. One may be named by its path from the top, from the file, or by its name.
func absent(all []string, file string, p passage) []citation {
	var lacking []citation
	for _, m := range namedDocument.FindAllStringIndex(p.text, -1) {
		document := p.text[m[0]:m[1]]
		there := slices.ContainsFunc(all, func(f string) bool {
			return f == path.Clean(document) || f == path.Join(path.Dir(file), document) || path.Base(f) == document
		})
		if !there {
			lacking = append(lacking, citation{document, p.at(m[0])})
		}
	}
	for _, m := range elsewhere.FindAllStringIndex(p.text, -1) {
		lacking = append(lacking, citation{p.text[m[0]:m[1]], p.at(m[0])})
	}
	return lacking
}

// TestDocuments_Absent holds what counts as naming a document.
func TestDocuments_Absent(t *testing.T) {
	all := []string{"README.md", "internal/x/notes.md", "static/icons.txt"}
	for _, c := range []struct {
		text string
		want []string
	}{
		{"see README.md, notes.md and ../../README.md", nil},
		{"as internal/x/notes.md and icons.txt say", nil},
		{"see plan.md", []string{"plan.md"}},
		{"see ../notes.md", []string{"../notes.md"}},
		{"the open points say; as DESIGN says; issue 9", []string{"open points", "DESIGN", "issue 9"}},
		{"open points of a design, an issue", []string{"open points"}},
	} {
		p := passage{line: 1}
		p.add(c.text)
		var got []string
		for _, d := range absent(all, "internal/x/x.go", p) {
			got = append(got, d.what)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}
