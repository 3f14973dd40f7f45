package guide

import "guiche/internal/guide/fonts"

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

// Shades of grey, and the others.
var (
	black     = grey(0)
	labelGrey = grey(60)
	blankGrey = grey(140)
	frameGrey = grey(70)
	gridGrey  = shade{165, 170, 175}
	barGrey   = shade{226, 230, 233}
	paleRed   = shade{244, 214, 208}
)

// Margins that ordinary printers reach.
const (
	left  = 18.0
	right = pageWidth - 18.0
	top   = 12.0
)

// pen draws on one page, at the height y, which moves down with each row.
type pen struct {
	pdf        *content
	form       drawnForm
	y          float64
	face       *fonts.Typeface
	size       float64
	shade      shade // of texts
	incomplete bool  // a character of a value could not be printed
}

// newPen returns the pen at the top of the last page.
func newPen(pdf *content) *pen {
	pdf.setLine(frameGrey)
	return &pen{pdf: pdf, y: top}
}

// box is one field of the form.
type box struct {
	label string
	value string
	width float64 // 0: the rest of the row, for one box in it
}

// setFont sets typeface, size and shade of texts.
func (p *pen) setFont(face *fonts.Typeface, size float64, s shade) {
	p.face, p.size, p.shade = face, size, s
}

// width returns the width of s in the current font.
func (p *pen) width(s string) float64 { return p.face.Width(s) * p.size / fonts.Thousandth }

// text writes s, which must be printable, from x on, switching between the subsets
// of the typeface that hold its characters.
func (p *pen) text(x, baseline float64, s string) {
	if s == "" {
		return
	}
	p.pdf.setFill(p.shade)
	subset := -1
	for _, r := range s {
		g := p.face.Glyph(r)
		if subset < 0 || g.Subset != subset && r != ' ' {
			if subset >= 0 {
				p.pdf.endText()
			}
			subset = g.Subset
			p.pdf.setFont(&p.face.Subsets[subset], p.size)
			p.pdf.beginText(x, baseline)
		}
		p.pdf.character(g.Code)
		x += g.Advance * p.size / fonts.Thousandth
	}
	p.pdf.endText()
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
	p.printed(func() {
		p.pdf.rectangle(x, p.y, width, height)
		p.setFont(regular(), labelSize, labelGrey)
		p.text(x+padding, p.y+labelBase, p.truncate(label, width-2*padding))
	})
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

// paragraph draws one box with as many lines as its height holds; see lines for longer text.
func (p *pen) paragraph(x, width, height float64, label, text string) {
	p.frame(x, width, height, label)
	p.lines(regular(), x+padding, p.y+labelHeight, width-2*padding, height-labelHeight, text, tableSize)
}

// lines writes as many lines of text as a height holds. Longer text shrinks, then gives up its
// line breaks, and is truncated when it does not fit even so.
func (p *pen) lines(face *fonts.Typeface, x, y, width, height float64, text string, size float64) {
	lines, small, whole := p.shrunk(face, width, height, text, size)
	if !whole {
		lines, small, whole = p.shrunk(face, width, height, joinLines(text), size)
	}
	if last := len(lines) - 1; !whole {
		lines[last] = p.truncate(lines[last]+ellipsis, width)
	}
	for i, l := range lines {
		p.text(x, y+small*(lineFactor*float64(i)+0.86), l)
	}
}

// shrunk lays text out in the largest font in which a height holds all of it, or in the smallest
// one as much as it holds.
func (p *pen) shrunk(face *fonts.Typeface, width, height float64, text string, size float64) (lines []string, small float64, whole bool) {
	for ; ; size -= step {
		p.setFont(face, size, black)
		lines, room := p.wrap(text, width), int(height/(size*lineFactor))
		switch {
		case len(lines) <= room:
			return lines, size, true
		case size <= smallest:
			return lines[:room], size, false
		}
	}
}

// bar draws the title of a section over the whole width and moves below it.
func (p *pen) bar(title string) {
	const height = 9.5
	p.printed(func() {
		p.pdf.setFill(barGrey)
		p.pdf.area(left, p.y, right-left, height)
		p.pdf.rectangle(left, p.y, right-left, height)
		p.setFont(bold(), 6.5, black)
		p.text(left+padding, p.y+6.9, title)
	})
	p.y += height
}
