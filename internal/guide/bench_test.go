package guide_test

import (
	"io"
	"testing"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"

	"guiche/internal/guide"
)

// empty writes a page with one letter of each of the guide's fonts: what the
// library costs without a guide.
func empty(b *testing.B) {
	b.Helper()
	pdf := fpdf.New("L", "pt", "A4", "")
	pdf.AddUTF8FontFromBytes("go", "", goregular.TTF)
	pdf.AddUTF8FontFromBytes("go", "B", gobold.TTF)
	pdf.AddPage()
	for _, style := range []string{"", "B"} {
		pdf.SetFont("go", style, 9)
		pdf.Text(20, 20, "A")
	}
	if err := pdf.Output(io.Discard); err != nil {
		b.Fatal(err)
	}
}

func write(b *testing.B, sheets ...guide.Sheet) {
	b.Helper()
	if err := guide.Write(io.Discard, sheets...); err != nil {
		b.Fatal(err)
	}
}

// ratio reports how many times longer work takes than base.
func ratio(b *testing.B, base, work func()) {
	b.Helper()
	times := func(f func()) float64 {
		f()
		b.ResetTimer()
		for range b.N {
			f()
		}
		return float64(b.Elapsed())
	}
	one := times(base)
	b.ReportMetric(times(work)/one, "ratio")
}

// BenchmarkWrite compares one guide with an empty PDF of the same library and
// fonts (expected under 10).
func BenchmarkWrite(b *testing.B) {
	s := sample(5)
	ratio(b, func() { empty(b) }, func() { write(b, s) })
}

// BenchmarkWrite_hundred compares a hundred guides in one PDF with one guide
// (expected under 100: the fonts are there once).
func BenchmarkWrite_hundred(b *testing.B) {
	sheets := make([]guide.Sheet, 100)
	for i := range sheets {
		sheets[i] = sample(5)
	}
	ratio(b, func() { write(b, sheets[0]) }, func() { write(b, sheets...) })
}
