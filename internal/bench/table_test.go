package bench_test

import (
	"bytes"
	"strings"
	"testing"

	"guiche/internal/bench"
)

// TestTable: each figure is a line of its own, and says whether its aim is met.
func TestTable(t *testing.T) {
	var lines, all bytes.Buffer
	table := &bench.Table{Log: &lines}
	table.Add("first page growth 1k to 1M", 1.03, "x", bench.AtMost(1.1))
	table.Add("history page over bare answer", 0.164, "", bench.AtLeast(0.18))
	table.Add("submit overhead", 11.2, "fdatasync", bench.None)
	table.Add("authorizations a second with 8 callers", 780.3, "", bench.AtLeast(750))
	want := "first page growth 1k to 1M: 1.03x\nhistory page over bare answer: 0.16\nsubmit overhead: 11.2 fdatasync\n" +
		"authorizations a second with 8 callers: 780\n"
	if lines.String() != want {
		t.Errorf("lines: got\n%s", lines.String())
	}
	table.Print(&all)
	for _, part := range []string{"1.03x   ≤ 1.10  met", "0.16   ≥ 0.18  NOT MET", "780   ≥ 750  met"} {
		if !strings.Contains(all.String(), part) {
			t.Errorf("no %q in\n%s", part, all.String())
		}
	}
}
