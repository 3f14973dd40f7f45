package archtest_test

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// ofOneEngine are words that one engine alone knows in a statement.
var ofOneEngine = regexp.MustCompile(`INSERT OR |value FROM json_each|group_concat|\biif\(|INDEXED BY|LIMIT -1|` +
	` MATCH |\browid\b|\btypeof\(|concat_ws|pragma_|PRAGMA |sqlite_|bm25|zeroblob|\bmax\([a-z_]+, \?|IS \?|` +
	`CROSS JOIN \w+( \w+)? ON| ILIKE |::[a-z]+\b|ANY\(\?|\bSKIP LOCKED`)

// onBoth are the stores whose statements every engine takes. The list only grows: a new store
// begins in it.
var onBoth = []string{
	"accessstore", "accountstore", "auditlog", "backupstore", "blobnames", "caselist", "checksum", "connectionstore",
	"damagestore", "deskstore", "directorystore", "keystore", "reportstore", "servicestore", "unsynced",
}

// TestStatements: no statement of a store is written for one engine alone. What they say
// differently stands in the engines, behind internal/store/engine.
func TestStatements(t *testing.T) {
	seen := 0
	for _, name := range handWritten(t, ".go") {
		store := path.Base(path.Dir(name))
		if !strings.Contains(name, "internal/store/"+store+"/") || !slices.Contains(onBoth, store) || strings.HasSuffix(name, "_test.go") {
			continue
		}
		for _, statement := range regexp.MustCompile("(?s)`[^`]*`").FindAllString(read(t, name), -1) {
			seen++
			if word := ofOneEngine.FindString(statement); word != "" {
				t.Errorf("%s: %q is of one engine alone: see engine's own words for both, in its package comment", name, word)
			}
		}
	}
	if seen < 100 {
		t.Errorf("found %d statements: the test looks for the wrong ones", seen)
	}
}
