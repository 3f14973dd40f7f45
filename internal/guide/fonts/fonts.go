// Package fonts holds the typefaces of the guides as the build prepares them
// (static/fonts.mjs): Go's own fonts, which are free, small and have every letter of
// European languages, cut into subsets of one byte per character. A guide embeds the
// subsets that it uses, so that it looks the same at the operator's desk.
package fonts

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"sync"
)

//go:embed all:dist
var dist embed.FS

// ErrNotPrepared is returned by a binary that was built without the fonts.
var ErrNotPrepared = errors.New("this binary was built without the fonts of the guides: `make build` prepares them")

// Thousandth is how many units of Glyph.Advance a size has.
const Thousandth = 1000

// Typefaces are those of a guide.
type Typefaces struct{ Regular, Bold *Typeface }

// Typeface is one of them; it has its characters in one or more subsets.
type Typeface struct {
	Glyphs  map[rune]Glyph
	Subsets []Subset

	common [256]Glyph // of the first characters, which are most; without a code there is none
}

// Glyph is how a character is written.
type Glyph struct {
	Advance float64 // in thousandths of the size
	Subset  int     // its index in Typeface.Subsets
	Code    byte    // in the subset
}

// Subset is a part of a typeface as a document takes a font. Each has a space.
type Subset struct {
	Definition Definition
	Program    []byte // the font file, zlib
}

// FirstCode is the first code that a character may have.
const FirstCode = ' '

// Definition is what a document says of a font.
type Definition struct {
	Name, File   string
	Diff         string // characters with another code than in Windows-1252
	OriginalSize int    // bytes of the font file
	Desc         Descriptor
	Cw           []int // the width of each code
}

// Descriptor are the measures of a font, in thousandths of its size (ISO 32000-1, 9.8).
type Descriptor struct {
	Ascent, Descent, CapHeight, Flags, StemV int
	FontBBox                                 struct{ Xmin, Ymin, Xmax, Ymax int }
}

// Glyph returns how a character is written, the zero Glyph for one that there is not.
func (t *Typeface) Glyph(r rune) Glyph {
	if r >= 0 && int(r) < len(t.common) {
		return t.common[r]
	}
	return t.Glyphs[r]
}

// Has reports whether the typeface has a character.
func (t *Typeface) Has(r rune) bool { return t.Glyph(r).Code != 0 }

// Width returns the width of s in thousandths of the size.
func (t *Typeface) Width(s string) (sum float64) {
	for _, r := range s {
		sum += t.Glyph(r).Advance
	}
	return sum
}

// Load returns the typefaces of this binary, or ErrNotPrepared.
var Load = sync.OnceValues(func() (Typefaces, error) { return Read(dist, "dist") })

// prepared is a subset in fonts.json.
type prepared struct {
	Definition Definition
	Characters string // by code, U+0000 for none
}

// Read reads the typefaces that the build prepared into a folder.
func Read(files fs.FS, dir string) (Typefaces, error) {
	list, err := fs.ReadFile(files, path.Join(dir, "fonts.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return Typefaces{}, ErrNotPrepared
	}
	if err != nil {
		return Typefaces{}, fmt.Errorf("read the fonts: %w", err)
	}
	var all struct{ GoRegular, GoBold []prepared }
	if err := json.Unmarshal(list, &all); err != nil {
		return Typefaces{}, fmt.Errorf("read the fonts: %w", err)
	}
	regular, err := readTypeface(files, dir, all.GoRegular)
	if err != nil {
		return Typefaces{}, err
	}
	bold, err := readTypeface(files, dir, all.GoBold)
	return Typefaces{Regular: regular, Bold: bold}, err
}

func readTypeface(files fs.FS, dir string, subsets []prepared) (*Typeface, error) {
	if len(subsets) == 0 {
		return nil, errors.New("read the fonts: a typeface has no subset")
	}
	t := &Typeface{Glyphs: make(map[rune]Glyph)}
	for i, s := range subsets {
		characters := []rune(s.Characters)
		if len(characters) > len(s.Definition.Cw) {
			return nil, fmt.Errorf("read the definition of a font: %d characters have %d widths", len(characters), len(s.Definition.Cw))
		}
		program, err := fs.ReadFile(files, path.Join(dir, s.Definition.File))
		if err != nil {
			return nil, fmt.Errorf("read a font: %w", err)
		}
		t.Subsets = append(t.Subsets, Subset{Definition: s.Definition, Program: program})
		for code, r := range characters {
			if _, ok := t.Glyphs[r]; !ok && r != 0 {
				t.Glyphs[r] = Glyph{Advance: float64(s.Definition.Cw[code]), Subset: i, Code: byte(code)}
			}
		}
	}
	for r := range t.common {
		t.common[r] = t.Glyphs[rune(r)]
	}
	return t, nil
}
