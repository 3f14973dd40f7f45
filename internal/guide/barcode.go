package guide

import (
	"image/color"
	"strings"

	"github.com/boombuler/barcode/code128"
)

// Code 128 (ISO/IEC 15417): a quiet zone of ten modules on either side, and no
// module so thin that a desk scanner misses it.
const (
	quietModules = 10
	widestModule = 1.0
	thinnest     = 0.5
)

// barcode draws number as Code 128 with its right end at x, within width. There is no
// barcode for a number that Code 128 cannot encode, or only in bars too thin to read:
// the number is printed above in any case.
func (p *pen) barcode(number string, x, y, width, height float64) {
	if number == "" || strings.ContainsFunc(number, unencodable) {
		return
	}
	code, err := code128.Encode(number)
	if err != nil {
		return
	}
	modules := code.Bounds().Dx()
	module := min(widestModule, width/float64(modules+2*quietModules))
	if module < thinnest {
		return
	}
	x -= module * float64(modules+quietModules)
	p.pdf.setFill(black)
	for i := 0; i < modules; {
		n := 1
		for i+n < modules && code.At(i+n, 0) == code.At(i, 0) {
			n++
		}
		if code.At(i, 0) == color.Black {
			p.pdf.area(x+module*float64(i), y, module*float64(n), height)
		}
		i += n
	}
}

// unencodable reports whether a scanner would not type r as it was given: code128 takes ñ, ò, ó
// and ô for functions of Code 128, which say nothing or set the scanner.
func unencodable(r rune) bool { return r < ' ' || r > '~' }
