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
	Style   string // "" or "B", as fpdf names it
	Glyphs  map[rune]Glyph
	Subsets []Subset
}

// Glyph is how a character is written.
type Glyph struct {
	Advance float64 // in thousandths of the size
	Subset  int     // its index in Typeface.Subsets
	Code    byte    // in the subset
}

// Subset is a part of a typeface as fpdf takes a font. Each has a space.
type Subset struct {
	Family     string // its name within a document
	Definition []byte // JSON
	Program    []byte // the font file, zlib
}

// Width returns the width of s in thousandths of the size.
func (t *Typeface) Width(s string) (sum float64) {
	for _, r := range s {
		sum += t.Glyphs[r].Advance
	}
	return sum
}

// Load returns the typefaces of this binary, or ErrNotPrepared.
var Load = sync.OnceValues(func() (Typefaces, error) { return Read(dist, "dist") })

// prepared is a subset in fonts.json.
type prepared struct {
	Definition json.RawMessage
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
	regular, err := readTypeface(files, dir, "", all.GoRegular)
	if err != nil {
		return Typefaces{}, err
	}
	bold, err := readTypeface(files, dir, "B", all.GoBold)
	return Typefaces{Regular: regular, Bold: bold}, err
}

func readTypeface(files fs.FS, dir, style string, subsets []prepared) (*Typeface, error) {
	if len(subsets) == 0 {
		return nil, errors.New("read the fonts: a typeface has no subset")
	}
	t := &Typeface{Style: style, Glyphs: make(map[rune]Glyph)}
	for i, s := range subsets {
		var definition struct {
			File string
			Cw   []float64 // the width of each code
		}
		if err := json.Unmarshal(s.Definition, &definition); err != nil {
			return nil, fmt.Errorf("read the definition of a font: %w", err)
		}
		characters := []rune(s.Characters)
		if len(characters) > len(definition.Cw) {
			return nil, fmt.Errorf("read the definition of a font: %d characters have %d widths", len(characters), len(definition.Cw))
		}
		program, err := fs.ReadFile(files, path.Join(dir, definition.File))
		if err != nil {
			return nil, fmt.Errorf("read a font: %w", err)
		}
		t.Subsets = append(t.Subsets, Subset{Family: fmt.Sprint("go", i), Definition: s.Definition, Program: program})
		for code, r := range characters {
			if _, ok := t.Glyphs[r]; !ok && r != 0 {
				t.Glyphs[r] = Glyph{Advance: definition.Cw[code], Subset: i, Code: byte(code)}
			}
		}
	}
	return t, nil
}
