package guide

import (
	"math"
	"strconv"

	"guiche/internal/guide/fonts"
)

// The page: A4 landscape. All lengths in this package are points (1/72 inch), from the top
// left.
const (
	pageWidth  = 841.89
	pageHeight = 595.28
)

// shade is a colour of lines, areas or texts.
type shade struct{ red, green, blue uint8 }

// grey is black at 0.
func grey(level uint8) shade { return shade{level, level, level} }

// content is what pages show, in the operators of ISO 32000-1. It is written here and not by
// a library for its price: of an authorization, most would be the print of its guide.
type content struct {
	text  []byte
	ends  []int // of each page but the last
	fonts []*fonts.Subset
	state state
}

// state is what holds on a page until it is set anew.
type state struct {
	line, fill shade
	font       *fonts.Subset
	size       float64
}

// addPage ends the page before, if there is one.
func (c *content) addPage(first bool) {
	if !first {
		c.ends = append(c.ends, len(c.text))
	}
	c.state = state{} // black, and no font
	c.numbers(hairline)
	c.operator("w")
}

// setLine sets the colour of lines, and setFill that of areas and texts.
func (c *content) setLine(s shade) { c.setShade(&c.state.line, s, "G", "RG") }

func (c *content) setFill(s shade) { c.setShade(&c.state.fill, s, "g", "rg") }

func (c *content) setShade(current *shade, s shade, ofGrey, ofColour string) {
	if *current == s {
		return
	}
	*current = s
	if s == grey(s.red) {
		c.level(s.red)
		c.operator(ofGrey)
		return
	}
	c.level(s.red)
	c.level(s.green)
	c.level(s.blue)
	c.operator(ofColour)
}

// rectangle draws its border, and area fills it.
func (c *content) rectangle(x, y, width, height float64) {
	c.numbers(x, pageHeight-y-height, width, height)
	c.operator("re S")
}

func (c *content) area(x, y, width, height float64) {
	c.numbers(x, pageHeight-y-height, width, height)
	c.operator("re f")
}

func (c *content) stroke(fromX, fromY, toX, toY float64) {
	c.numbers(fromX, pageHeight-fromY)
	c.text = append(c.text, "m "...)
	c.numbers(toX, pageHeight-toY)
	c.operator("l S")
}

// turned has draw draw on the page turned by so many degrees around its middle.
func (c *content) turned(degrees float64, draw func()) {
	const x, y = pageWidth / 2, pageHeight / 2
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	before := c.state
	c.text = append(c.text, "q "...)
	for _, n := range []float64{cos, sin, -sin, cos, x + sin*y - cos*x, y - cos*y - sin*x} {
		c.text = append(strconv.AppendFloat(c.text, n, 'f', 5, 64), ' ')
	}
	c.operator("cm")
	draw()
	c.operator("Q")
	c.state = before
}

// setFont selects a font for texts.
func (c *content) setFont(s *fonts.Subset, size float64) {
	if c.state.font == s && c.state.size == size {
		return
	}
	c.state.font, c.state.size = s, size
	c.text = append(append(c.text, '/'), fontName(c.place(s))...)
	c.text = append(c.text, ' ')
	c.numbers(size)
	c.operator("Tf")
}

// place is that of a font among those of the document.
func (c *content) place(s *fonts.Subset) int {
	for i, known := range c.fonts {
		if known == s {
			return i
		}
	}
	c.fonts = append(c.fonts, s)
	return len(c.fonts) - 1
}

// fontName is how pages name a font of the document.
func fontName(place int) string { return "F" + strconv.Itoa(place+1) }

// beginText begins a text whose characters follow, and endText ends it.
func (c *content) beginText(x, baseline float64) {
	c.text = append(c.text, "BT "...)
	c.numbers(x, pageHeight-baseline)
	c.text = append(c.text, "Td ("...)
}

func (c *content) character(code byte) {
	if code == '(' || code == ')' || code == '\\' {
		c.text = append(c.text, '\\')
	}
	c.text = append(c.text, code)
}

func (c *content) endText() { c.operator(") Tj ET") }

func (c *content) operator(name string) { c.text = append(append(c.text, name...), '\n') }

// numbers writes each with two decimals.
func (c *content) numbers(all ...float64) {
	for _, n := range all {
		c.text = appendDecimal(c.text, int64(math.Round(n*100)), 2)
	}
}

// level writes a part of a colour, of which PDF has 0 to 1.
func (c *content) level(n uint8) { c.text = appendDecimal(c.text, (int64(n)*1000+127)/255, 3) }

// appendDecimal appends n with its last digits behind a point, and a space.
func appendDecimal(text []byte, n int64, decimals int) []byte {
	if n < 0 {
		text, n = append(text, '-'), -n
	}
	scale := int64(1)
	for range decimals {
		scale *= 10
	}
	text = strconv.AppendInt(text, n/scale, 10)
	if n %= scale; n > 0 {
		text = append(text, '.')
		for ; n > 0; n %= scale {
			scale /= 10
			text = append(text, '0'+byte(n/scale))
		}
	}
	return append(text, ' ')
}
