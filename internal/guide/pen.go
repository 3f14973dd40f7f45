package guide

import "codeberg.org/go-pdf/fpdf"

const (
	family = "go" // the name of our font within the document

	labelSize   = 5.5
	valueSize   = 9.0
	tableSize   = 8.0
	smallest    = 6.5  // what does not fit at this size is cut
	step        = 0.25 // by which a text shrinks
	lineFactor  = 1.14 // height of a line of text, in font sizes
	padding     = 2.5
	gap         = 1.0 // between boxes
	hairline    = 0.4
	labelHeight = 7.5 // what a label takes of its box
)

// The page: A4 lying, with margins that office printers reach.
const (
	left  = 18.0
	right = 841.89 - 18.0
	top   = 12.0
)

// pen draws at the height y and moves down as it goes.
type pen struct {
	pdf *fpdf.Fpdf
	y   float64
}

// newPen opens a page and returns the pen at its top.
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
	width float64 // 0: what is left of the row, for one box in it
}

// font sets style ("" or "B") and size, and the shade of grey of texts.
func (p *pen) font(style string, size float64, grey int) {
	p.pdf.SetFont(family, style, size)
	p.pdf.SetTextColor(grey, grey, grey)
}

// width returns the width of s in the current font.
func (p *pen) width(s string) float64 { return p.pdf.GetStringWidth(s) }

// row draws boxes side by side over the whole width and moves below them.
func (p *pen) row(height float64, boxes ...box) {
	widths := make([]float64, len(boxes))
	for i, b := range boxes {
		widths[i] = b.width
	}
	spread(widths, gap)
	x := left
	for i, b := range boxes {
		p.box(x, widths[i], height, b.label, b.value)
		x += widths[i] + gap
	}
	p.y += height + gap
}

// box draws the border of a box, its label and its value.
func (p *pen) box(x, width, height float64, label, value string) {
	p.frame(x, width, height, label)
	p.line(x+padding, p.y+height-2.7, value, width-2*padding, valueSize)
}

// spread gives the one width that is 0 what the others leave of the page.
func spread(widths []float64, gap float64) {
	rest, open := right-left-gap*float64(len(widths)-1), -1
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
	p.font("", labelSize, 60)
	p.pdf.Text(x+padding, p.y+6.2, p.cut(label, width-2*padding))
}

// line writes one line of a value, smaller when it does not fit, and cut when it
// does not fit even then.
func (p *pen) line(x, baseline float64, text string, width, size float64) {
	text = oneLine(text)
	p.font("", size, 0)
	for size > smallest && p.width(text) > width {
		size -= step
		p.font("", size, 0)
	}
	p.pdf.Text(x, baseline, p.cut(text, width))
}

// paragraph draws one box from x to the right edge with as many lines as its
// height holds; longer text shrinks and is then cut.
func (p *pen) paragraph(x, height float64, label, text string) {
	p.frame(x, right-x, height, label)
	width := right - x - 2*padding
	size := tableSize
	lines, room := p.lay(text, width, height, size)
	for len(lines) > room && size > smallest {
		size -= step
		lines, room = p.lay(text, width, height, size)
	}
	if len(lines) > room {
		lines = lines[:room]
		lines[room-1] = p.cut(lines[room-1]+ellipsis, width)
	}
	for i, l := range lines {
		p.pdf.Text(x+padding, p.y+labelHeight+size*(lineFactor*float64(i)+0.86), l)
	}
}

// lay breaks text at a size and says how many lines of it the height holds.
func (p *pen) lay(text string, width, height, size float64) (lines []string, room int) {
	p.font("", size, 0)
	return p.wrap(text, width), int((height - labelHeight) / (size * lineFactor))
}

// bar draws the title of a section over the whole width and moves below it.
func (p *pen) bar(title string) {
	const height = 8.5
	p.pdf.SetFillColor(226, 230, 233)
	p.pdf.Rect(left, p.y, right-left, height, "F")
	p.font("B", 6.5, 0)
	p.pdf.Text(left+padding, p.y+6.4, title)
	p.y += height + gap
}
