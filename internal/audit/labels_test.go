package audit_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"guiche/internal/audit"
)

// constants returns the values of the package's exported constants, by name.
func constants(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("got %d files, error %v", len(files), err)
	}
	values := map[string]string{}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Values) != 1 || !spec.Names[0].IsExported() {
				return true
			}
			if literal, ok := spec.Values[0].(*ast.BasicLit); ok && literal.Kind == token.STRING {
				values[spec.Names[0].Name], _ = strconv.Unquote(literal.Value)
			}
			return true
		})
	}
	return values
}

func TestLabels(t *testing.T) {
	events := 0
	for name, value := range constants(t) {
		if strings.HasPrefix(name, "Object") {
			if got := audit.ObjectLabel(value); got == value || got == "" {
				t.Errorf("%s: no label in labels.go", name)
			}
			continue
		}
		if strings.HasPrefix(name, "Reason") {
			if reason := audit.Reason(value); reason.Label() == "" || !slices.Contains(audit.Reasons(), reason) {
				t.Errorf("%s: no label, or not in Reasons", name)
			}
			continue
		}
		events++
		if e := audit.Event(value); e.Label() == value || e.Label() == "" || !e.Known() {
			t.Errorf("%s: got label %q, in a group %t; labels.go needs both", name, e.Label(), e.Known())
		}
	}
	listed, seen := 0, map[audit.Event]bool{}
	for _, group := range audit.Groups() {
		if group.Label == "" {
			t.Errorf("no heading above %v", group.Events)
		}
		for _, e := range group.Events {
			if listed++; seen[e] {
				t.Errorf("%s is in two groups", e)
			}
			seen[e] = true
		}
	}
	if listed != events {
		t.Errorf("got %d events in groups, want the %d constants", listed, events)
	}
}

func TestLabels_OfANewerVersion(t *testing.T) {
	e := audit.Event("algo.novo")
	if e.Known() || e.Label() != "algo.novo" || audit.ObjectLabel("coisa") != "coisa" {
		t.Errorf("got %t, %q, %q, want the words as they are", e.Known(), e.Label(), audit.ObjectLabel("coisa"))
	}
}
