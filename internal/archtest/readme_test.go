package archtest_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	promised = regexp.MustCompile("`(Test[A-Za-z0-9_]+)(\\*?)`")
	written  = regexp.MustCompile(`(?m)^func (Test[A-Za-z0-9_]+)\(`)
	madeBy   = regexp.MustCompile("(?:`| {4}|&& )make ([a-z]+(?:-[a-z]+)*)")
	target   = regexp.MustCompile(`(?m)^([a-z-]+):.*## `)
)

// TestReadme_Promises holds the README to naming only tests that are there.
func TestReadme_Promises(t *testing.T) {
	tests := testNames(t)
	named := promised.FindAllStringSubmatch(read(t, "README.md"), -1)
	if len(named) < 10 {
		t.Fatalf("found %d names of tests in the README", len(named))
	}
	for _, n := range named {
		if !stands(tests, n[1], n[2] == "*") {
			t.Errorf("the README names %s%s, and there is no such test", n[1], n[2])
		}
	}
}

// TestMake_Targets holds documents to naming only targets that make has.
func TestMake_Targets(t *testing.T) {
	var targets []string
	for _, m := range target.FindAllStringSubmatch(read(t, "Makefile"), -1) {
		targets = append(targets, m[1])
	}
	named := 0
	for _, name := range handWritten(t, ".md") {
		for _, m := range madeBy.FindAllStringSubmatch(read(t, name), -1) {
			named++
			if !slices.Contains(targets, m[1]) {
				t.Errorf("%s names make %s, and make has only %q", name, m[1], targets)
			}
		}
	}
	if named < 10 {
		t.Errorf("found %d targets in documents; is the reading of them broken?", named)
	}
}

func stands(tests []string, name string, prefix bool) bool {
	for _, test := range tests {
		if test == name || prefix && strings.HasPrefix(test, name) {
			return true
		}
	}
	return false
}

func testNames(t *testing.T) []string {
	t.Helper()
	var names []string
	for _, file := range handWritten(t, ".go") {
		for _, match := range written.FindAllStringSubmatch(read(t, file), -1) {
			names = append(names, match[1])
		}
	}
	return names
}
