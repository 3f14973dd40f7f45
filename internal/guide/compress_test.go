package guide_test

import (
	"bytes"
	"io"
	"sync"
	"testing"

	"guiche/internal/guide"

	"codeberg.org/go-pdf/fpdf"
)

// TestWrite_Compressed: pages are compressed to the bytes that fpdf itself makes of them.
func TestWrite_Compressed(t *testing.T) {
	for name, pages := range map[string]int{"OnePage": 1, "Twelve": 12} {
		t.Run(name, func(t *testing.T) {
			write := func(compressed bool) []byte {
				pdf := fpdf.New("L", "pt", "A4", "")
				pdf.SetCatalogSort(true)
				pdf.SetCreationDate(guide.Undated)
				pdf.SetModificationDate(guide.Undated)
				pdf.SetCompression(compressed)
				pdf.SetFont("Helvetica", "", 12)
				for page := range pages {
					pdf.AddPage()
					pdf.Text(20, 20, "guia >> stream endobj")
					for line := range 50 * page {
						pdf.Line(0, float64(line), 100, float64(line))
					}
				}
				var out bytes.Buffer
				if err := pdf.Output(&out); err != nil {
					t.Fatal(err)
				}
				return out.Bytes()
			}
			var group sync.WaitGroup
			for range 8 {
				group.Go(func() {
					var got bytes.Buffer
					if err := guide.CompressPages(&got, write(false)); err != nil {
						t.Error(err)
					}
					if !bytes.Equal(got.Bytes(), write(true)) {
						t.Error("the document is another one than fpdf writes")
					}
				})
			}
			group.Wait()
		})
	}
	for _, broken := range []string{"", "startxref\n", "startxref\n9\n", "xref\n0 1\nstartxref\n0\n", "xref\n0 9\nstartxref\n0\n"} {
		if err := guide.CompressPages(io.Discard, []byte(broken)); err == nil {
			t.Errorf("%q: got no error", broken)
		}
	}
}
