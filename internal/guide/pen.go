package guide

import (
	"strings"

	"codeberg.org/go-pdf/fpdf"

	"guiche/internal/guide/fonts"
)

const (
	labelSize   = 5.5
	valueSize   = 8.75
	tableSize   = 8.0
	smallest    = 6.5  // text that does not fit at this size is truncated
	step        = 0.25 // by which a text shrinks
	lineFactor  = 1.14 // height of a line of text, in font sizes
	padding     = 2.5
	hairline    = 0.5
	labelHeight = 7.8  // of its box
	labelBase   = 5.9  // from the top of a box to the baseline of its label
	valueBase   = 15.5 // the same of its value
	lineDescent = 3.3  // from the baseline of a value to the end of its line in a table
)

// Shades of grey.
const (
	black     = 0
	labelGrey = 60
	blankGrey = 140
)

// The page: A4 landscape, with margins that ordinary printers reach.
const (
	left  = 18.0
	right = 841.89 - 18.0
	top   = 12.0
)

// pen draws on one page, at the height y, which moves down with each row.
type pen struct {
	pdf        *fpdf.Fpdf
	y          float64
	face       *fonts.Typeface
	size       float64
	incomplete bool     // a character of a value could not be printed
	inUse      struct { // the font that was selected last
		family, style string
		size          float64
	}
}

// newPen adds a page and returns the pen at its top.
func newPen(pdf *fpdf.Fpdf) *pen {
	pdf.AddPage()
	pdf.SetDrawColor(70, 70, 70)
	pdf.SetLineWidth(hairline)
	return &pen{pdf: pdf, y: top}
}

// box is one field of the form.
type box struct {
	label string
	value string
	width float64 // 0: the rest of the row, for one box in it
}

// setFont sets typeface and size, and the shade of grey of texts.
func (p *pen) setFont(face *fonts.Typeface, size float64, grey int) {
	p.face, p.size = face, size
	p.pdf.SetTextColor(grey, grey, grey)
}

// width returns the width of s in the current font.
func (p *pen) width(s string) float64 { return p.face.Width(s) * p.size / fonts.Thousandth }

// text writes s, which must be printable, from x on, switching between the subsets
// of the typeface that hold its characters.
func (p *pen) text(x, baseline float64, s string) {
	var run strings.Builder
	start, subset, width := x, 0, 0.0
	flush := func() {
		if run.Len() > 0 {
			p.useSubset(subset)
			p.pdf.Text(start, baseline, run.String())
			start, width = start+width, 0
			run.Reset()
		}
	}
	for _, r := range s {
		g := p.face.Glyphs[r]
		if g.Subset != subset && r != ' ' {
			flush()
			subset = g.Subset
		}
		run.WriteByte(g.Code)
		width += g.Advance * p.size / fonts.Thousandth
	}
	flush()
}

// useSubset selects a subset of the current typeface, and adds it to the document
// when it is not there yet.
func (p *pen) useSubset(index int) {
	s, style := p.face.Subsets[index], p.face.Style
	if u := p.inUse; u.family == s.Family && u.style == style && u.size == p.size {
		return
	}
	p.inUse.family, p.inUse.style, p.inUse.size = s.Family, style, p.size
	p.pdf.AddFontFromBytes(s.Family, style, s.Definition, s.Program)
	p.pdf.SetFont(s.Family, style, p.size)
}

// row draws boxes side by side over the whole width and moves below them.
func (p *pen) row(height float64, boxes ...box) {
	widths := make([]float64, len(boxes))
	for i, b := range boxes {
		widths[i] = b.width
	}
	spread(widths)
	x := left
	for i, b := range boxes {
		p.box(x, widths[i], height, b.label, b.value)
		x += widths[i]
	}
	p.y += height
}

// box draws the border of a box, its label and its value.
func (p *pen) box(x, width, height float64, label, value string) {
	p.frame(x, width, height, label)
	p.line(x+padding, p.y+valueBase, value, width-2*padding, valueSize)
}

// spread gives the one width that is 0 the rest of the page's width.
func spread(widths []float64) {
	rest, open := right-left, -1
	for i, w := range widths {
		rest -= w
		if w == 0 {
			open = i
		}
	}
	if open >= 0 {
		widths[open] = rest
	}
}

// frame draws the border of a box and its label.
func (p *pen) frame(x, width, height float64, label string) {
	p.pdf.Rect(x, p.y, width, height, "D")
	p.setFont(regular(), labelSize, labelGrey)
	p.text(x+padding, p.y+labelBase, p.truncate(label, width-2*padding))
}

// line writes one line of a value, smaller when it does not fit, and truncated when
// it does not fit even then.
func (p *pen) line(x, baseline float64, text string, width, size float64) {
	p.fittedText(regular(), x, baseline, p.oneLine(text), width, size)
}

// fittedText is line for a text that is printable, in any typeface.
func (p *pen) fittedText(face *fonts.Typeface, x, baseline float64, text string, width, size float64) {
	p.setFont(face, size, black)
	for size > smallest && p.width(text) > width {
		size -= step
		p.setFont(face, size, black)
	}
	p.text(x, baseline, p.truncate(text, width))
}

// paragraph draws one box with as many lines as its height holds; longer text
// shrinks and is then truncated.
func (p *pen) paragraph(x, width, height float64, label, text string) {
	p.frame(x, width, height, label)
	p.lines(regular(), x+padding, p.y+labelHeight, width-2*padding, height-labelHeight, text, tableSize)
}

// lines writes as many lines of text as a height holds; longer text shrinks and is
// then truncated.
func (p *pen) lines(face *fonts.Typeface, x, y, width, height float64, text string, size float64) {
	lay := func() (lines []string, room int) {
		p.setFont(face, size, black)
		return p.wrap(text, width), int(height / (size * lineFactor))
	}
	lines, room := lay()
	for len(lines) > room && size > smallest {
		size -= step
		lines, room = lay()
	}
	if len(lines) > room {
		lines = lines[:room]
		lines[room-1] = p.truncate(lines[room-1]+ellipsis, width)
	}
	for i, l := range lines {
		p.text(x, y+size*(lineFactor*float64(i)+0.86), l)
	}
}

// bar draws the title of a section over the whole width and moves below it.
func (p *pen) bar(title string) {
	const height = 9.5
	p.pdf.SetFillColor(226, 230, 233)
	p.pdf.Rect(left, p.y, right-left, height, "FD")
	p.setFont(bold(), 6.5, black)
	p.text(left+padding, p.y+6.9, title)
	p.y += height
}
