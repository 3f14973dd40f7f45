package bench

import (
	"fmt"
	"io"
	"strings"
)

// Table is all that was measured, in the order in which it was.
type Table struct {
	Log    io.Writer // gets each row as it comes
	rows   []row
	notRun []string
}

// NotRun says what could not be measured here.
func (t *Table) NotRun(what string) {
	t.notRun = append(t.notRun, what)
	t.note("not run: %s", what)
}

// row is one figure.
type row struct {
	name  string
	value float64
	unit  string // after the figure: "x" without a space
	aim   aim
}

// aim is what a figure should be.
type aim struct {
	bound float64
	above bool // the bound is the least, not the most
}

var none = aim{}

func atMost(bound float64) aim  { return aim{bound: bound} }
func atLeast(bound float64) aim { return aim{bound: bound, above: true} }

// verdict is what stands beside a figure.
func (a aim) verdict(value float64) string {
	if a == none {
		return ""
	}
	sign, met := "≤", value <= a.bound
	if a.above {
		sign, met = "≥", value >= a.bound
	}
	if met {
		return fmt.Sprintf("%s %s  met", sign, figure(a.bound))
	}
	return fmt.Sprintf("%s %s  NOT MET", sign, figure(a.bound))
}

// figure shows three digits.
func figure(v float64) string {
	switch {
	case v >= 100 || v == float64(int64(v)) && v != 0:
		return fmt.Sprintf("%.0f", v)
	case v >= 2:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.2f", v)
}

// add takes a figure, and says it as one line: "name: 1.03x".
func (t *Table) add(name string, value float64, unit string, a aim) {
	r := row{name, value, unit, a}
	t.rows = append(t.rows, r)
	_, _ = fmt.Fprintf(t.Log, "%s: %s\n", name, r.shown())
}

// note says something that is no figure.
func (t *Table) note(format string, args ...any) { _, _ = fmt.Fprintf(t.Log, format+"\n", args...) }

func (r row) shown() string {
	if r.unit == "" || r.unit == "x" {
		return figure(r.value) + r.unit
	}
	return figure(r.value) + " " + r.unit
}

// Print shows all figures with their aims.
func (t *Table) Print(w io.Writer) {
	if len(t.rows)+len(t.notRun) == 0 {
		return
	}
	_, _ = fmt.Fprintf(w, "\n%-64s %18s   %s\n%s\n", "What", "measured", "aim", strings.Repeat("-", 106))
	for _, r := range t.rows {
		_, _ = fmt.Fprintf(w, "%-64s %18s   %s\n", r.name, r.shown(), r.aim.verdict(r.value))
	}
	if len(t.notRun) > 0 {
		_, _ = fmt.Fprintf(w, "%d not run:\n  %s\n", len(t.notRun), strings.Join(t.notRun, "\n  "))
	}
}
