package guide

import (
	"bytes"
	"compress/zlib"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/text/encoding/charmap"

	"guiche/internal/guide/truetype"
)

// typeface is one of Go's own fonts: free, small, with every letter of European
// languages. They are embedded in each PDF, so that a guide looks the same at the
// operator's desk.
//
// Each is cut at run time, once, into subsets of one byte per character, which a
// document takes over as they are. The library's own way (AddUTF8FontFromBytes)
// cuts anew for each document, which takes 5 ms where a whole guide takes 0.6 ms.
// The fonts uncut would make a guide 146 kB instead of 34 kB. Cutting them in the
// build would take as much code and save 7 ms, once.
type typeface struct {
	name    string
	style   string // "" or "B", as the library says
	stem    int    // width of a stem, in thousandths of the size
	file    []byte
	parsed  *sfnt.Font
	glyphs  map[rune]glyph
	subsets []func() subset
}

// glyph is how a character is written.
type glyph struct {
	id      uint16  // in the font
	advance float64 // in thousandths of the size
	subset  int     // of the typeface's
	code    byte    // in the subset
}

// subset is a part of a typeface as the library takes a font: at most 224
// characters, each of them one byte.
type subset struct {
	family     string
	definition []byte // JSON
	program    []byte // the font file, zlib
}

const (
	firstCode       = 32  // of a character in a subset: a space
	replacementCode = 127 // free in Windows-1252
	otherCodes      = 255 - firstCode
	thousandth      = 1000
)

// The typefaces, read once.
var (
	regular = sync.OnceValue(func() *typeface { return newTypeface("GoRegular", "", 87, goregular.TTF) })
	bold    = sync.OnceValue(func() *typeface { return newTypeface("GoBold", "B", 135, gobold.TTF) })
)

// newTypeface reads a font that is part of the program; it panics when it is damaged.
func newTypeface(name, style string, stem int, file []byte) *typeface {
	parsed, err := sfnt.Parse(file)
	if err != nil {
		panic("guide: the built-in font is damaged: " + err.Error())
	}
	t := &typeface{name: name, style: style, stem: stem, file: file, parsed: parsed, glyphs: make(map[rune]glyph)}
	t.readGlyphs()
	for i, chars := range t.assignCodes() {
		t.subsets = append(t.subsets, sync.OnceValue(func() subset { return t.newSubset(i, chars) }))
	}
	return t
}

// readGlyphs finds the characters of the Basic Multilingual Plane that the font has.
func (t *typeface) readGlyphs() {
	var buf sfnt.Buffer
	for r := ' '; r <= 0xFFFF; r++ {
		id, err := t.parsed.GlyphIndex(&buf, r)
		if err != nil || id == 0 {
			continue
		}
		advance, err := t.parsed.GlyphAdvance(&buf, id, fixed.I(thousandth), font.HintingNone)
		if err == nil {
			t.glyphs[r] = glyph{id: uint16(id), advance: float64(advance.Round())}
		}
	}
}

// assignCodes gives every character its code in a subset and returns the
// characters of each by code. The first is Windows-1252, which is enough for nearly
// every guide; the others have the remaining characters in the order of Unicode.
func (t *typeface) assignCodes() []map[byte]rune {
	subsets := []map[byte]rune{{}}
	assign := func(r rune, subset int, code byte) {
		g := t.glyphs[r]
		g.subset, g.code = subset, code
		t.glyphs[r], subsets[subset][code] = g, r
	}
	var others []rune
	for _, r := range slices.Sorted(maps.Keys(t.glyphs)) {
		if code, ok := charmap.Windows1252.EncodeRune(r); r == replacement {
			assign(r, 0, replacementCode)
		} else if ok && code >= firstCode {
			assign(r, 0, code)
		} else {
			others = append(others, r)
		}
	}
	for chars := range slices.Chunk(others, otherCodes) {
		subsets = append(subsets, map[byte]rune{firstCode: ' '})
		for i, r := range chars {
			assign(r, len(subsets)-1, byte(firstCode+1+i))
		}
	}
	return subsets
}

// fontDefinition is a font as the library reads it (its names).
type fontDefinition struct {
	Tp, Name, Diff, File string
	Desc                 fpdf.FontDescType
	Cw                   []int
	OriginalSize         int
}

// newSubset cuts a subset out of the font.
func (t *typeface) newSubset(index int, chars map[byte]rune) subset {
	var glyphs []uint16
	widths := make([]int, 256)
	for code, r := range chars {
		glyphs = append(glyphs, t.glyphs[r].id)
		widths[code] = int(t.glyphs[r].advance)
	}
	program, err := truetype.Subset(t.file, glyphs)
	if err != nil {
		panic("guide: cut the built-in font: " + err.Error())
	}
	// Six letters and a plus sign mark a font that was cut (ISO 32000-1, 9.6.4).
	name := fmt.Sprintf("GUICH%c+%s", 'A'+index, t.name)
	definition, err := json.Marshal(fontDefinition{
		Tp: "TrueType", Name: name, Diff: differences(chars), File: name + ".z", // .z: compressed
		Desc: t.descriptor(), Cw: widths, OriginalSize: len(program),
	})
	if err != nil {
		panic("guide: describe the built-in font: " + err.Error())
	}
	return subset{fmt.Sprint(family, index), definition, compress(program)}
}

// descriptor returns the measures of the font in thousandths of the size.
func (t *typeface) descriptor() fpdf.FontDescType {
	const nonsymbolic = 32
	var buf sfnt.Buffer
	metrics, err := t.parsed.Metrics(&buf, fixed.I(thousandth), font.HintingNone)
	box, boxErr := t.parsed.Bounds(&buf, fixed.I(thousandth), font.HintingNone)
	if err != nil || boxErr != nil {
		panic("guide: the built-in font is damaged")
	}
	d := fpdf.FontDescType{
		Ascent: metrics.Ascent.Round(), Descent: -metrics.Descent.Round(), CapHeight: metrics.CapHeight.Round(),
		Flags: nonsymbolic, StemV: t.stem,
	}
	// The font's y grows downwards here, upwards in a PDF.
	d.FontBBox.Xmin, d.FontBBox.Xmax = box.Min.X.Floor(), box.Max.X.Ceil()
	d.FontBBox.Ymin, d.FontBBox.Ymax = -box.Max.Y.Ceil(), -box.Min.Y.Floor()
	return d
}

// differences names the characters that have another code than in Windows-1252; a
// PDF reader finds their text by these names.
func differences(chars map[byte]rune) string {
	var b strings.Builder
	for _, code := range slices.Sorted(maps.Keys(chars)) {
		if r := chars[code]; charmap.Windows1252.DecodeByte(code) != r {
			fmt.Fprintf(&b, "%d /uni%04X ", code, r)
		}
	}
	return strings.TrimSpace(b.String())
}

func compress(data []byte) []byte {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	_, _ = w.Write(data) // a bytes.Buffer takes everything
	_ = w.Close()
	return b.Bytes()
}

// width returns the width of s in thousandths of the size.
func (t *typeface) width(s string) (sum float64) {
	for _, r := range s {
		sum += t.glyphs[r].advance
	}
	return sum
}
