package guide

import (
	"fmt"
	"io"
	"time"
)

// undated is the creation date of a PDF whose first sheet has none: the same sheets must
// give the same bytes.
var undated = time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC)

// draw puts each sheet on its pages and the pages into w. The title has nothing private of
// the sheets, because lists of files show it.
func draw(w io.Writer, sheets []Sheet) error {
	d := newDocument()
	defer d.release()
	for i, s := range sheets {
		drawSheet(&d.content, s, i == 0)
	}
	number, _ := oneLine(sheets[0].ProviderGuide)
	created, title := undated, "Guia SP/SADT "+number
	if at := sheets[0].IssuedAt; !at.IsZero() {
		created = at.In(time.UTC)
	}
	if len(sheets) > 1 {
		title = fmt.Sprintf("%d guias SP/SADT", len(sheets))
	}
	if err := d.write(w, title, created); err != nil {
		return fmt.Errorf("write guide: %w", err)
	}
	return nil
}

// drawSheet draws one guide on as many pages as its lines need.
func drawSheet(c *content, s Sheet, first bool) {
	pages := pagesOf(s)
	for i := range pages {
		c.addPage(first && i == 0)
		p := page{pen: newPen(c), sheet: s, number: i + 1, of: pages}
		p.fill()
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
