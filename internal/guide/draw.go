package guide

import (
	"bytes"
	"fmt"
	"io"
	"time"

	"codeberg.org/go-pdf/fpdf"
)

// undated is the creation date of a PDF whose first sheet has none: fpdf would take
// the current time, and the same sheets must give the same bytes.
var undated = time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC)

// draw puts each sheet on its pages and the pages into w.
func draw(w io.Writer, sheets []Sheet) error {
	pdf := newDocument(sheets)
	for _, s := range sheets {
		drawSheet(pdf, s)
	}
	document := documents.Get().(*bytes.Buffer) //nolint:forcetypeassert // the pool has no others
	defer documents.Put(document)
	document.Reset()
	err := pdf.Output(document)
	if err == nil {
		err = compressPages(w, document.Bytes())
	}
	if err != nil {
		return fmt.Errorf("write guide: %w", err)
	}
	return nil
}

// newDocument returns an empty document. Its title has nothing private of the
// sheets, because lists of files show it. All lengths in this package are points
// (1/72 inch).
func newDocument(sheets []Sheet) *fpdf.Fpdf {
	number, _ := oneLine(sheets[0].ProviderGuide)
	created, title := undated, "Guia SP/SADT "+number
	if at := sheets[0].IssuedAt; !at.IsZero() {
		created = at.In(time.UTC)
	}
	if len(sheets) > 1 {
		title = fmt.Sprintf("%d guias SP/SADT", len(sheets))
	}
	pdf := fpdf.New("L", "pt", "A4", "")
	pdf.SetCreationDate(created)
	pdf.SetModificationDate(created)
	pdf.SetCatalogSort(true)
	pdf.SetCompression(false) // see compressPages
	pdf.SetLang("pt-BR")
	pdf.SetTitle(title, true)
	pdf.SetProducer("Guichê", true)
	pdf.SetAutoPageBreak(false, 0)
	pdf.SetMargins(0, 0, 0)
	return pdf
}

// drawSheet draws one guide on as many pages as its lines need.
func drawSheet(pdf *fpdf.Fpdf, s Sheet) {
	pages := pagesOf(s)
	for i := range pages {
		p := page{pen: newPen(pdf), sheet: s, number: i + 1, of: pages}
		p.draw()
	}
}

// pagesOf returns how many pages the procedures and professionals of s fill.
func pagesOf(s Sheet) int {
	return max(1,
		(len(s.Request.Procedures)+ProceduresPerPage-1)/ProceduresPerPage,
		(len(s.Professionals)+ProfessionalsPerPage-1)/ProfessionalsPerPage)
}

// slice returns the lines of a page (from 1) out of all lines.
func slice[T any](all []T, page, perPage int) []T {
	from := min(len(all), (page-1)*perPage)
	return all[from:min(len(all), from+perPage)]
}
