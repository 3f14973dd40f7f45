package guide_test

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"slices"
	"testing"

	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// TestWrite_glyphs takes the fonts out of a guide and holds each letter in them to
// the font that it was cut from.
func TestWrite_glyphs(t *testing.T) {
	const title = "AZÇaçã09—ĄĎŁřΩέЖя□" // its place is short
	const text = "ABCXYZ abcxyz 0123456789 ÁÂÃÀÉÊÍÓÔÕÚÜÇ áâãàéêíóôõúüçñ " +
		"ªº§ …—–“”‘’€ □ ĄĎŁŞřźő Ωμέ Жя"
	s := sample(1)
	s.Operator, s.Notes = title, text // bold and regular
	regular, bold := MustParse(t, goregular.TTF), MustParse(t, gobold.TTF)
	drawn := map[*sfnt.Font]map[rune]bool{regular: {}, bold: {}}
	for _, font := range MustFonts(t, MustWrite(t, s)) {
		for _, r := range text + title {
			shape, ok := outline(t, font, r)
			for original, found := range drawn {
				if whole, _ := outline(t, original, r); ok && slices.Equal(shape, whole) {
					found[r] = true
				}
			}
		}
	}
	for font, written := range map[*sfnt.Font]string{regular: text, bold: title} {
		for _, r := range written {
			if !drawn[font][r] {
				t.Errorf("got no %q as it is in the font (bold: %v)", r, font == bold)
			}
		}
	}
}

// MustFonts returns the fonts that are embedded in a PDF.
func MustFonts(tb testing.TB, pdf []byte) (fonts []*sfnt.Font) {
	tb.Helper()
	head, stream := []byte("/Length1 "), []byte("stream\n")
	for rest := pdf; ; {
		_, after, ok := bytes.Cut(rest, head)
		if !ok {
			return fonts
		}
		var size int
		if _, err := fmt.Sscan(string(after[:8]), &size); err != nil {
			tb.Fatal(err)
		}
		_, after, _ = bytes.Cut(after, stream)
		r, err := zlib.NewReader(bytes.NewReader(after))
		if err != nil {
			tb.Fatal(err)
		}
		file, err := io.ReadAll(r)
		if err != nil || len(file) != size {
			tb.Fatalf("got %d bytes, error %v, want %d of a font", len(file), err, size)
		}
		fonts, rest = append(fonts, MustParse(tb, file)), after
	}
}

func MustParse(tb testing.TB, file []byte) *sfnt.Font {
	tb.Helper()
	font, err := sfnt.Parse(file)
	if err != nil {
		tb.Fatalf("got error %v, want a font", err)
	}
	return font
}

// outline returns the shape of a character, and whether the font has it.
func outline(tb testing.TB, font *sfnt.Font, r rune) (shape sfnt.Segments, ok bool) {
	tb.Helper()
	var buf sfnt.Buffer
	id, err := font.GlyphIndex(&buf, r)
	if err != nil {
		tb.Fatal(err)
	}
	if id == 0 {
		return nil, false
	}
	segments, err := font.LoadGlyph(&buf, id, fixed.I(2048), nil)
	if err != nil {
		tb.Fatalf("load %q: %v", r, err)
	}
	return slices.Clone(segments), true
}
