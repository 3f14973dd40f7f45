package guide

import (
	"fmt"
	"io"

	"codeberg.org/go-pdf/fpdf"
)

// draw puts each sheet on its pages.
func draw(w io.Writer, sheets []Sheet) error {
	pdf := fpdf.New("L", "pt", "A4", "")
	for range sheets {
		pdf.AddPage()
	}
	if err := pdf.Output(w); err != nil {
		return fmt.Errorf("write guide: %w", err)
	}
	return nil
}
