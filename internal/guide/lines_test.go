package guide_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const pageHeight = 595.28

// MustLines returns the lines that are drawn on the pages of a PDF of one page, as
// rectangles without width or height.
func MustLines(tb testing.TB, pdf []byte) (lines []rectangle) {
	tb.Helper()
	name := filepath.Join(tb.TempDir(), "guide.pdf")
	if err := os.WriteFile(name, pdf, 0o600); err != nil {
		tb.Fatal(err)
	}
	for _, op := range strings.Split(string(MustRun(tb, nil, "qpdf", "--qdf", name, "-")), "\n") {
		var x, y, w, h, x1, y1 float64
		if n, _ := fmt.Sscanf(op, "%f %f m %f %f l S", &x, &y, &x1, &y1); n == 4 {
			lines = append(lines, rectangle{min(x, x1), max(x, x1), pageHeight - max(y, y1), pageHeight - min(y, y1)})
		}
		var how string
		if n, _ := fmt.Sscanf(op, "%f %f %f %f re %s", &x, &y, &w, &h, &how); n == 5 && how != "f" {
			x1, y, y1 = x+w, pageHeight-y, pageHeight-y-h
			lines = append(lines, rectangle{x, x1, y, y}, rectangle{x, x1, y1, y1}, rectangle{x, x, y, y1}, rectangle{x1, x1, y, y1})
		}
	}
	if len(lines) < 100 {
		tb.Fatalf("got %d lines, want those of the form", len(lines))
	}
	return lines
}

// checkClearOfLines fails when a line runs through a word. A word's place has the
// height of the font, so only its middle half counts there.
func checkClearOfLines(t *testing.T, pdf []byte) {
	t.Helper()
	const slack = 0.2
	lines := MustLines(t, pdf)
	for _, w := range MustWords(t, pdf)[0] {
		quarter := (w.YMax - w.YMin) / 4
		for _, l := range lines {
			if l.x0 < w.XMax-slack && l.x1 > w.XMin+slack && l.y0 < w.YMax-quarter && l.y1 > w.YMin+quarter {
				t.Errorf("got a line through %.30q at %.1f, %.1f", w.Text, w.XMin, w.YMin)
			}
		}
	}
}
