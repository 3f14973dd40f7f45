package archtest_test

import (
	"regexp"
	"strings"
	"testing"
)

var (
	promised = regexp.MustCompile("`(Test[A-Za-z0-9_]+)(\\*?)`")
	written  = regexp.MustCompile(`(?m)^func (Test[A-Za-z0-9_]+)\(`)
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
