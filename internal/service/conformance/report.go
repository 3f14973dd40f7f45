package conformance

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
)

// Report writes a table of verdicts, one sentence a line, then what was found
// where nothing is shown, the keys of the configuration that would try more, and the
// sums.
func Report(w io.Writer, results []Result) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	count := map[Verdict]int{}
	for _, r := range results {
		count[r.Verdict]++
		fmt.Fprintf(table, "%s\t%s/%s\t%s\n", r.Verdict, r.Chapter, r.Check, cut(r.Sentence))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	var b strings.Builder
	for _, r := range results {
		for _, finding := range r.Findings {
			fmt.Fprintf(&b, "%s %s/%s: %s\n", OpenMark, r.Chapter, r.Check, finding)
		}
		for _, problem := range r.Problems {
			fmt.Fprintf(&b, "%s %s/%s: %s\n", r.Verdict, r.Chapter, r.Check, problem)
		}
	}
	for _, line := range wanting(results) {
		b.WriteString(line)
	}
	fmt.Fprintf(&b, "%d sentences: %d kept, %d broken, %d differ from a decision of Guichê, %d open\n",
		len(results), count[Kept], count[Broken], count[Differs], count[Open])
	_, err := io.WriteString(w, b.String())
	return err
}

// wanting says which keys of the configuration would let more sentences be tried.
func wanting(results []Result) (lines []string) {
	count := map[string]int{}
	for _, r := range results {
		for _, finding := range r.Findings {
			if key, wants := strings.CutPrefix(finding, notTried+"no "); wants {
				count[key]++
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(count)) {
		lines = append(lines, fmt.Sprintf("give %s to try %d sentences more\n", key, count[key]))
	}
	return lines
}

// OpenMark begins each line about what the specification leaves open.
const OpenMark = "ABERTO"
