package archtest_test

import (
	"regexp"
	"strings"
)

// interfacePage is the document whose sections and rows comments cite.
const interfacePage = "internal/authorization/interface.md"

// cited names what interface.md holds, each as citations name it: "2.3",
// "5, rule 2", "row 11", "table 50", "outcome table".
type cited map[string]bool

var (
	headingOfSection = regexp.MustCompile(`^##+ (\d(?:\.\d)?) `)
	itemOfSection    = regexp.MustCompile(`^- \*\*(\d\.\d)\*\*`)
	itemOfRule       = regexp.MustCompile(`^- \*\*Rule (\d)\*\*`)
	headingOfRow     = regexp.MustCompile(`^##+ Row (\d+):`)
	rowOfTables      = regexp.MustCompile(`^\| (\d\d(?:, \d\d)*) \|`)
)

// readInterface reads the headings and numbered items of interface.md.
func readInterface(text string) cited {
	held := cited{}
	section := ""
	for _, line := range strings.Split(text, "\n") {
		if m := headingOfSection.FindStringSubmatch(line); m != nil {
			section = m[1]
			held[section] = true
		}
		if m := itemOfSection.FindStringSubmatch(line); m != nil {
			held[m[1]] = true
		}
		if m := itemOfRule.FindStringSubmatch(line); m != nil {
			held[section+", rule "+m[1]] = true
		}
		if m := headingOfRow.FindStringSubmatch(line); m != nil {
			held["row "+m[1]] = true
		}
		if m := rowOfTables.FindStringSubmatch(line); m != nil {
			for _, number := range strings.Split(m[1], ", ") {
				held["table "+number] = true
			}
		}
		if line == "# Outcome table" {
			held["outcome table"] = true
		}
	}
	return held
}
