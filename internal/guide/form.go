package guide

import (
	"bytes"
	"sync"
)

// drawnForm is what the form has on each guide, in the parts between which values stand. It is
// drawn once: frames, names of fields and empty lines are most of a guide. Its fonts are the
// first of each document.
type drawnForm struct {
	parts []formPart
	next  int  // of those that are known, the one that comes
	own   bool // a part has letters of another font, and fits this document alone
}

// formPart is what draws it, and what holds on the page then.
type formPart struct {
	text  []byte
	state state
}

// formKind is all that a form depends on.
type formKind struct {
	simulated                 bool
	procedures, professionals int // lines that are filled
}

// forms are those of first pages, a few kilobytes each.
var forms sync.Map // of []formPart, by formKind

// fill draws the page, with what is known of its form.
func (p *page) fill() {
	if p.number > 1 { // its lines have other numbers
		p.draw()
		return
	}
	kind := formKind{p.sheet.Simulated, len(slice(p.sheet.Request.Procedures, 1, ProceduresPerPage)),
		len(slice(p.sheet.Professionals, 1, ProfessionalsPerPage))}
	if known, ok := forms.Load(kind); ok {
		p.form.parts = known.([]formPart) // there are no others
		p.draw()
		return
	}
	p.draw()
	if !p.form.own {
		forms.Store(kind, p.form.parts)
	}
}

// unset is a colour that nothing has.
var unset = shade{1, 2, 3}

// printed draws the next part of the form, which sets whatever it needs.
func (p *pen) printed(draw func()) {
	if f := &p.form; f.next < len(f.parts) {
		part := f.parts[f.next]
		f.next++
		p.pdf.text, p.pdf.state = append(p.pdf.text, part.text...), part.state
		return
	}
	from, known := len(p.pdf.text), len(p.pdf.fonts)
	p.pdf.state = state{line: frameGrey, fill: unset}
	draw()
	p.form.parts = append(p.form.parts, formPart{bytes.Clone(p.pdf.text[from:]), p.pdf.state})
	p.form.next, p.form.own = len(p.form.parts), p.form.own || len(p.pdf.fonts) > known
}
