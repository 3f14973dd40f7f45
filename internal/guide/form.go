package guide

import (
	"bytes"
	"sync"
)

// formKind is all that the form of a first page depends on: frames, names of fields and empty
// lines, most of what it shows. It lies in a stream of its own below that of the values, so that
// it is drawn and compressed once. Its fonts are the first of each document.
type formKind struct {
	simulated                 bool
	procedures, professionals int // lines that are filled
}

// forms are those that were drawn, compressed: a few kilobytes each.
var forms sync.Map // of []byte, by formKind

// fill draws the page on the document.
func (p *page) fill(d *document) error {
	kind := formKind{p.sheet.Simulated, len(slice(p.sheet.Request.Procedures, 1, ProceduresPerPage)),
		len(slice(p.sheet.Professionals, 1, ProfessionalsPerPage))}
	if p.number == 1 { // the lines of others have other numbers
		known, _ := forms.Load(kind)
		p.form, _ = known.([]byte)
	}
	p.draw()
	if p.form == nil {
		packed, err := d.pack(d.form)
		if err != nil {
			return err
		}
		p.form = bytes.Clone(packed)
		if p.number == 1 && !p.ownForm {
			forms.Store(kind, p.form)
		}
	}
	d.forms = append(d.forms, p.form)
	return nil
}

// printed draws the next part of the form, unless that is known.
func (p *pen) printed(draw func()) {
	if p.form != nil {
		return
	}
	fonts := len(p.pdf.fonts)
	p.pdf.onForm(draw)
	p.ownForm = p.ownForm || len(p.pdf.fonts) > fonts
}
