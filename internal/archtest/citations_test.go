package archtest_test

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestCitations holds that each section, row and table that a comment cites stands
// in interface.md.
func TestCitations(t *testing.T) {
	held := readInterface(read(t, interfacePage))
	count := 0
	for _, name := range handWritten(t, ".go", ".templ", ".sql", ".md") {
		for _, p := range passages(name, read(t, name)) {
			for _, c := range citations(p) {
				count++
				if !held[c.what] {
					t.Errorf("%s:%d cites %q, which is not in %s", name, c.line, c.what, interfacePage)
				}
			}
		}
	}
	if count < 250 {
		t.Errorf("found %d citations; is the reading of comments broken?", count)
	}
}

// TestCitations_Chapters holds the names of conformance's tests to sections and
// rows that exist.
func TestCitations_Chapters(t *testing.T) {
	held := readInterface(read(t, interfacePage))
	chapter := regexp.MustCompile(`\b(?:Test)?(?:Row(\d\d)_|Section(\d)(?:_(\d))?)`)
	for _, name := range handWritten(t, ".go") {
		if path.Dir(name) != "internal/service/conformance" {
			continue
		}
		for i, line := range strings.Split(read(t, name), "\n") {
			for _, m := range chapter.FindAllStringSubmatch(line, -1) {
				what := strings.TrimSuffix(m[2]+"."+m[3], ".")
				if m[1] != "" {
					what = "row " + strings.TrimPrefix(m[1], "0")
				}
				if !held[what] {
					t.Errorf("%s:%d names %q, which is not in %s", name, i+1, what, interfacePage)
				}
			}
		}
	}
}

// TestInterface_Complete holds that interface.md has every section and row, so that
// a slip in a heading does not hide one.
func TestInterface_Complete(t *testing.T) {
	held := readInterface(read(t, interfacePage))
	want := []string{"outcome table", "table 22", "table 50"}
	for _, numbers := range []struct {
		before string
		last   int
	}{{"", 9}, {"1.", 6}, {"2.", 5}, {"4.", 8}, {"5, rule ", 3}, {"7.", 5}, {"row ", 27}} {
		for n := 1; n <= numbers.last; n++ {
			want = append(want, numbers.before+strconv.Itoa(n))
		}
	}
	for _, what := range want {
		if !held[what] {
			t.Errorf("%s lacks %s", interfacePage, what)
		}
	}
}

// TestCitation_Read holds what counts as a citation: every way in which comments
// write one, and nothing that only looks like it.
func TestCitation_Read(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"holds the rate (row 10).", []string{"row 10"}},
		{"Limits are the settings of rows 8 to 11.", []string{"row 8", "row 9", "row 10", "row 11"}},
		{"rows 8–10", []string{"row 8", "row 9", "row 10"}},
		{"is rows 1, 12 and 28", []string{"row 1", "row 12", "row 28"}},
		{"serves GET /x (4.1 and row 14).", []string{"row 14", "4.1"}},
		{"TestX is 2.3 and row 5: absent", []string{"row 5", "2.3"}},
		{"is row 5 and 2.3", []string{"row 5", "2.3"}},
		{"names are (2.3, 2.4); ids", []string{"2.3", "2.4"}},
		{"(specification 4.6 to 4.8 and 5; rows 23 to 25)", []string{"row 23", "row 24", "row 25", "4.6", "4.8", "5"}},
		{"ends at once (specification 5, rule 2).", []string{"5", "5, rule 2"}},
		{"is rule 1 of section 5: no secret", []string{"5", "5, rule 1"}},
		{"revokes at once (5, rules 1 and 2)", []string{"5, rule 1", "5, rule 2"}},
		{"codes of section 3, ANS tables 22 and 50", []string{"3", "table 22", "table 50"}},
		{"by the outcome table", []string{"outcome table"}},
		{"Words of RFC 6749, section 5.2, and of its section 4.1.2.1", nil},
		{"as streams of ISO 32000-1 table 18 number them", nil},
		{"at most (0.8 lines) or (2.5 MB); OAuth 2.0, TLS 1.2", nil},
	} {
		p := passage{line: 1}
		p.add(c.text)
		var got []string
		for _, cited := range citations(p) {
			got = append(got, cited.what)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}

// TestPassages holds that a citation is found on the line on which it begins, also
// where it goes on over the next.
func TestPassages(t *testing.T) {
	for _, c := range []struct {
		name, content string
		want          []citation
	}{
		{"x.go", "package x\n\n// X is one of rows\n// 26 and 28.\nvar X = \"row 29\" // no row 30\n",
			[]citation{{"row 26", 3}, {"row 28", 3}, {"row 30", 5}}},
		{"x.sql", "CREATE TABLE x (y TEXT); -- row 26\n\n-- what row\n-- 28 says; no row 30\n",
			[]citation{{"row 26", 1}, {"row 28", 3}, {"row 30", 4}}},
		{"x.templ", "package x\n\n// of rows 26 and\n// 28: no row 30\n",
			[]citation{{"row 26", 3}, {"row 28", 3}, {"row 30", 4}}},
		{"x.md", "# X\n\nOf rows 26\nand 28: no row 30\n",
			[]citation{{"row 26", 3}, {"row 28", 3}, {"row 30", 4}}},
	} {
		var got []citation
		for _, p := range passages(c.name, c.content) {
			got = append(got, citations(p)...)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}
