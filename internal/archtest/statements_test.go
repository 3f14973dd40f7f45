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

// ofNoEngine are the packages beside the stores that hold no statements of their own.
var ofNoEngine = []string{"engine", "storetest"}

// onBoth are the stores whose statements every engine takes, and whose tests make test-postgres runs on
// PostgreSQL: all that there are.
func onBoth(t *testing.T) []string {
	t.Helper()
	tested := regexp.MustCompile(`(?m)^BOTH := (.+)$`).FindStringSubmatch(read(t, "Makefile"))
	if tested == nil {
		t.Fatal("the Makefile names no stores in BOTH")
	}
	var stores []string
	for _, name := range handWritten(t, ".go") {
		folder, store := path.Split(path.Dir(name))
		if folder == "internal/store/" && !slices.Contains(ofNoEngine, store) && !slices.Contains(stores, store) {
			stores = append(stores, store)
		}
	}
	slices.Sort(stores)
	if got := strings.Fields(tested[1]); !slices.Equal(got, stores) {
		t.Errorf("BOTH of the Makefile is %q, want each store: %q", got, stores)
	}
	return stores
}

// TestStatements: no statement of a store is written for one engine alone. What they say
// differently stands in the engines, behind internal/store/engine.
func TestStatements(t *testing.T) {
	seen, stores := 0, onBoth(t)
	for _, name := range handWritten(t, ".go") {
		store := path.Base(path.Dir(name))
		if !strings.Contains(name, "internal/store/"+store+"/") || !slices.Contains(stores, store) || strings.HasSuffix(name, "_test.go") {
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

var (
	columnLine = regexp.MustCompile(`(?m)^(?:    |ALTER TABLE \w+ ADD COLUMN )(\w+) +(?:bigint|text|bytea|integer|boolean)\b(.*)$`)
	orderedBy  = regexp.MustCompile("ORDER BY ([^)`]*)")
	column     = regexp.MustCompile(`\w+`)
)

// TestStatements_Nulls: where a column may be empty the engines put empty ones at other ends, so that who orders by
// it says where they are. A name that is of another table's filled column as well is not looked at.
func TestStatements_Nulls(t *testing.T) {
	empty := emptyColumns(t)
	for _, name := range handWritten(t, ".go") {
		if !strings.HasPrefix(name, "internal/store/") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		for _, order := range orderedBy.FindAllStringSubmatch(read(t, name), -1) {
			by := slices.IndexFunc(column.FindAllString(order[1], -1), func(word string) bool { return empty[word] })
			if by >= 0 && !strings.Contains(order[1], "NULLS ") && !strings.Contains(order[1], "COALESCE(") {
				t.Errorf("%s: ORDER BY %s, which may be empty: say NULLS FIRST or NULLS LAST", name, order[1])
			}
		}
	}
}

// emptyColumns are the columns of PostgreSQL's schema that may be empty in each table that has one of the name.
func emptyColumns(t *testing.T) map[string]bool {
	t.Helper()
	empty := map[string]bool{}
	for _, name := range everyFile(t) {
		if !strings.HasPrefix(name, "migrations/postgres/") || path.Ext(name) != ".sql" {
			continue
		}
		for _, m := range columnLine.FindAllStringSubmatch(read(t, name), -1) {
			known, seen := empty[m[1]]
			empty[m[1]] = (known || !seen) && !strings.Contains(m[2], "NOT NULL") && !strings.Contains(m[2], "PRIMARY KEY")
		}
	}
	if !empty["previous_uid"] || empty["submission_id"] {
		t.Error("the schema is read wrongly")
	}
	return empty
}
