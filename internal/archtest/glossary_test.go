package archtest_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	glossaryRow = regexp.MustCompile("^\\| [^|`]+ \\| (`[A-Za-z]+`) \\| [^|]+\\|$")
	backticked  = regexp.MustCompile("`([A-Z][A-Za-z]+)`")
)

// TestGlossary holds that each English word of the glossary is an exported name or a
// package of ours.
func TestGlossary(t *testing.T) {
	names := exportedNames(t)
	rows := 0
	for i, line := range strings.Split(read(t, ".github/glossary.md"), "\n") {
		words := backticked.FindAllString(line, -1)
		if m := glossaryRow.FindStringSubmatch(line); m != nil {
			rows++
			words = append(words, m[1])
		}
		slices.Sort(words)
		for _, word := range slices.Compact(words) {
			if !names[strings.Trim(word, "`")] {
				t.Errorf(".github/glossary.md:%d: no exported name or package is called %s", i+1, word)
			}
		}
	}
	if rows < 40 {
		t.Errorf("found %d words in the glossary; is the reading of its tables broken?", rows)
	}
}

// exportedNames returns the names of all packages and all that they export: types,
// functions, methods, fields, variables and constants, tests aside.
func exportedNames(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, name := range handWritten(t, ".go") {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, read(t, name), 0)
		if err != nil {
			t.Fatal(err)
		}
		names[path.Base(path.Dir(name))] = true
		for _, declared := range file.Decls {
			for name := range declaredBy(declared) {
				names[name] = true
			}
		}
	}
	return names
}

// declaredBy returns the exported names of a declaration.
func declaredBy(d ast.Decl) map[string]bool {
	names := map[string]bool{}
	take := func(all ...*ast.Ident) {
		for _, n := range all {
			if n.IsExported() {
				names[n.Name] = true
			}
		}
	}
	if f, ok := d.(*ast.FuncDecl); ok {
		take(f.Name)
		return names
	}
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.TypeSpec:
			take(n.Name)
		case *ast.ValueSpec:
			take(n.Names...)
		case *ast.Field:
			take(n.Names...)
		case *ast.FuncLit:
			return false
		}
		return true
	})
	return names
}
