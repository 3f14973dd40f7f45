package archtest_test

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// citation is one thing that a passage cites, named as in cited, and its line.
type citation struct {
	what string
	line int
}

const (
	numberPattern = `\d+(?:\.\d+)*`
	listPattern   = `(` + numberPattern + `(?:(?:, and |, | and | to |–)` + numberPattern + `)*)`
)

var (
	citesRows     = regexp.MustCompile(`\b[Rr]ows? ` + listPattern)
	citesSections = regexp.MustCompile(`\b(?:[Ss]pecification|[Ss]ections?) ` + listPattern)
	citesBare     = regexp.MustCompile(`\((\d\.\d(?:(?:, | and | to )\d\.\d)*)(?:\)|; | and rows? |, rows? )`)
	citesBeside   = regexp.MustCompile(`\b(\d\.\d)(?: and|,) rows? `)
	citesRules    = regexp.MustCompile(`\b(\d), rules? ` + listPattern)
	citesRulesOf  = regexp.MustCompile(`\b[Rr]ules? ` + listPattern + ` of (?:section|specification) (\d)`)
	citesTables   = regexp.MustCompile(`\b[Tt]ables? ` + listPattern)
	citesOutcome  = regexp.MustCompile(`\boutcome table\b`)
	numbers       = regexp.MustCompile(numberPattern)
	otherStandard = regexp.MustCompile(`\b(?:RFC|ISO) `)
)

// citations returns what a passage cites of interface.md.
func citations(p passage) []citation {
	var all []citation
	each := func(pattern *regexp.Regexp, take func(groups []string) []string) {
		for _, m := range pattern.FindAllStringSubmatchIndex(p.text, -1) {
			if ofOtherStandard(p.text[:m[0]]) {
				continue
			}
			groups := make([]string, len(m)/2)
			for i := range groups {
				groups[i] = p.text[m[2*i]:m[2*i+1]]
			}
			for _, what := range take(groups) {
				if c := (citation{what, p.at(m[0])}); !slices.Contains(all, c) {
					all = append(all, c)
				}
			}
		}
	}
	each(citesRows, func(g []string) []string { return spread("row ", g[1]) })
	each(citesSections, func(g []string) []string { return named("", g[1]) })
	each(citesBare, func(g []string) []string { return named("", g[1]) })
	each(citesBeside, func(g []string) []string { return g[1:] })
	each(citesRules, func(g []string) []string { return named(g[1]+", rule ", g[2]) })
	each(citesRulesOf, func(g []string) []string { return named(g[2]+", rule ", g[1]) })
	each(citesTables, func(g []string) []string { return named("table ", g[1]) })
	each(citesOutcome, func([]string) []string { return []string{"outcome table"} })
	return all
}

// ofOtherStandard reports whether the sentence before a citation names the standard
// that it is from.
func ofOtherStandard(before string) bool {
	return otherStandard.MatchString(before[strings.LastIndex(before, ". ")+1:])
}

// named puts a word before each number of a list.
func named(word, list string) []string {
	var all []string
	for _, n := range numbers.FindAllString(list, -1) {
		all = append(all, word+n)
	}
	return all
}

// spread is named, with all numbers between the two ends of "8 to 14"; one with a
// point in it ("row 5 and 2.3") is a section.
func spread(word, list string) []string {
	var all []string
	last := 0
	for i, n := range numbers.FindAllStringIndex(list, -1) {
		text := list[n[0]:n[1]]
		whole, err := strconv.Atoi(text)
		if err != nil {
			all = append(all, text)
			continue
		}
		if before := list[:n[0]]; i > 0 && (strings.HasSuffix(before, " to ") || strings.HasSuffix(before, "–")) {
			for between := last + 1; between < whole; between++ {
				all = append(all, word+strconv.Itoa(between))
			}
		}
		all = append(all, word+strconv.Itoa(whole))
		last = whole
	}
	return all
}
