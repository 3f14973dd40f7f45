package conformance

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Report writes a table of verdicts, one sentence a line, then what was found
// where nothing is shown, and the sums.
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
			fmt.Fprintf(&b, "%s %s/%s: %s\n", Broken, r.Chapter, r.Check, problem)
		}
	}
	fmt.Fprintf(&b, "%d sentences: %d kept, %d broken, %d open\n", len(results), count[Kept], count[Broken], count[Open])
	_, err := io.WriteString(w, b.String())
	return err
}

// OpenMark begins each line about what the specification leaves open.
const OpenMark = "ABERTO"
