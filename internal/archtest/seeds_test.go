package archtest_test

import (
	"path"
	"regexp"
	"strings"
	"testing"
)

var fuzzTest = regexp.MustCompile(`(?m)^func (Fuzz[A-Za-z0-9_]+)\(`)

// TestSeeds holds that each fuzz test has seeds in its package's testdata/fuzz, and
// that no seeds were left behind when a test moved or got another name.
func TestSeeds(t *testing.T) {
	folders := map[string]int{}
	for _, name := range everyFile(t) {
		if path.Base(path.Dir(path.Dir(name))) == "fuzz" {
			folders[path.Dir(name)]++
		}
	}
	for _, name := range handWritten(t, ".go") {
		if !strings.HasSuffix(name, "_test.go") {
			continue
		}
		for _, m := range fuzzTest.FindAllStringSubmatch(read(t, name), -1) {
			folder := path.Join(path.Dir(name), "testdata/fuzz", m[1])
			if folders[folder] < 3 {
				t.Errorf("%s: %s has %d seeds in %s, want at least 3", name, m[1], folders[folder], folder)
			}
			delete(folders, folder)
		}
	}
	for folder := range folders {
		t.Errorf("%s holds seeds of no test", folder)
	}
}
