package truetype_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"

	"guiche/internal/guide/truetype"
)

// TestSubset_RealFonts holds what is left of Go's fonts to the fonts themselves.
func TestSubset_RealFonts(t *testing.T) {
	const kept, others = "Aéçã ß€Ω", "BòЖ§"
	for name, file := range map[string][]byte{"Regular": goregular.TTF, "Bold": gobold.TTF} {
		t.Run(name, func(t *testing.T) {
			whole := MustParse(t, file)
			var glyphs []uint16
			for _, r := range kept {
				glyphs = append(glyphs, glyphOf(t, whole, r))
			}
			cut := MustSubset(t, file, glyphs)
			small := MustParse(t, cut)
			for _, r := range kept + others {
				id := glyphOf(t, small, r)
				if want := glyphOf(t, whole, r); id != want {
					t.Errorf("%q: got glyph %d, want %d", r, id, want)
				}
				if got, want := advance(t, small, id), advance(t, whole, id); got != want {
					t.Errorf("%q: got advance %v, want %v", r, got, want)
				}
				want := outline(t, whole, id)
				if strings.ContainsRune(others, r) {
					want = nil
				}
				if got := outline(t, small, id); !slices.Equal(got, want) {
					t.Errorf("%q: got another outline, want %d segments", r, len(want))
				}
			}
			if len(outline(t, small, 0)) == 0 {
				t.Error("got no outline for glyph 0, want the sign for what is missing")
			}
			if len(cut) > len(file)/8 {
				t.Errorf("got %d bytes of %d, want far fewer", len(cut), len(file))
			}
		})
	}
}

// TestSubset_Tables holds the file to the format: tables in the order of their
// names, aligned, with their checksums, and only those that a PDF needs.
func TestSubset_Tables(t *testing.T) {
	file := MustSubset(t, goregular.TTF, []uint16{36})
	var names []string
	end := 12 + 16*8
	for i := range int(binary.BigEndian.Uint16(file[4:])) {
		entry := file[12+16*i:]
		sum, offset, length := binary.BigEndian.Uint32(entry[4:]), binary.BigEndian.Uint32(entry[8:]), binary.BigEndian.Uint32(entry[12:])
		if int(offset) != end || offset%4 != 0 {
			t.Errorf("%s: got offset %d, want %d", entry[:4], offset, end)
		}
		end = int(offset+length+3) &^ 3
		if got := checksum(file[offset:end]); got != sum {
			t.Errorf("%s: got checksum %x, want %x", entry[:4], sum, got)
		}
		names = append(names, string(entry[:4]))
	}
	if got, want := strings.Join(names, " "), "cmap glyf head hhea hmtx loca maxp post"; got != want {
		t.Errorf("got tables %s, want %s", got, want)
	}
	if end != len(file) {
		t.Errorf("got %d bytes, want the %d of the tables", len(file), end)
	}
	// Version 1.0; 8 tables are 8 times 16 bytes, 2 to the power of 3, and no rest.
	if want := []byte{0, 1, 0, 0, 0, 8, 0, 128, 0, 3, 0, 0}; !bytes.Equal(file[:12], want) {
		t.Errorf("got header %v, want %v", file[:12], want)
	}
	if post := tableOf(t, file, "post"); len(post) != 32 || !bytes.Equal(post[:4], []byte{0, 3, 0, 0}) ||
		!bytes.Equal(post[4:], tableOf(t, goregular.TTF, "post")[4:32]) {
		t.Errorf("got post %v, want the font's without names of glyphs", post)
	}
}

// square is a simple glyph with one contour of one point, and with hints.
func square(x byte, hints ...byte) []byte {
	box := []byte{0, x, 0, 0, 0, 9, 0, 9}
	return slices.Concat([]byte{0, 1}, box, []byte{0, 0}, []byte{0, byte(len(hints))}, hints, []byte{0x37, x, x})
}

// component is a part of a composite glyph: more says that another one follows.
func component(glyph byte, flags uint16, place ...byte) []byte {
	return slices.Concat(binary.BigEndian.AppendUint16(nil, flags), []byte{0, glyph}, place)
}

func composite(components ...[]byte) []byte {
	return slices.Concat([]byte{0xff, 0xff, 0, 0, 0, 0, 0, 9, 0, 9}, slices.Concat(components...))
}

const (
	words, scale, more, twoScales, matrix, hinted = 1 << 0, 1 << 3, 1 << 5, 1 << 6, 1 << 7, 1 << 8
)

// TestSubset_Glyphs cuts a font of a few glyphs and looks at the bytes.
func TestSubset_Glyphs(t *testing.T) {
	glyphs := [][]byte{
		0: square(0), 1: square(1, 7, 7, 7), 2: {}, 3: square(3, 8), 4: square(4), 5: square(5), 6: square(6),
		7: composite(component(3, more, 1, 1), component(4, hinted, 2, 2), []byte{0, 2, 9, 9}), // hints at its end
		8: composite(component(3, words|scale|more, 0, 1, 0, 1, 64, 0), component(5, words|twoScales|more, 0, 1, 0, 1, 64, 0, 64, 0),
			component(6, matrix, 1, 1, 64, 0, 0, 0, 0, 0, 64, 0)),
		9: composite(component(7, 0, 1, 1)),
	}
	plain := map[int][]byte{0: square(0), 1: square(1), 3: square(3), 4: square(4), 5: square(5), 6: square(6),
		7: composite(component(3, more, 1, 1), component(4, 0, 2, 2)), 8: glyphs[8], 9: glyphs[9]}
	file := MustFont(t, glyphs, nil)
	for _, tt := range []struct {
		name string
		keep []uint16
		want []int
	}{
		{"None", nil, []int{0}},
		{"Simple", []uint16{1}, []int{0, 1}},
		{"Space", []uint16{2}, []int{0}},
		{"Several", []uint16{4, 6, 4}, []int{0, 4, 6}},
		{"Composite", []uint16{7}, []int{0, 3, 4, 7}},
		{"Scaled", []uint16{8}, []int{0, 3, 5, 6, 8}},
		{"OfComposites", []uint16{9}, []int{0, 3, 4, 7, 9}},
		{"All", []uint16{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, []int{0, 1, 3, 4, 5, 6, 7, 8, 9}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cut := MustSubset(t, file, tt.keep)
			glyf, loca := tableOf(t, cut, "glyf"), tableOf(t, cut, "loca")
			if len(loca) != 2*(len(glyphs)+1) {
				t.Fatalf("got %d bytes of loca, want those of %d glyphs", len(loca), len(glyphs))
			}
			for id := range glyphs {
				var want []byte
				if slices.Contains(tt.want, id) {
					want = plain[id]
				}
				from, to := 2*int(binary.BigEndian.Uint16(loca[2*id:])), 2*int(binary.BigEndian.Uint16(loca[2*id+2:]))
				if got := glyf[from:to]; !bytes.Equal(got, even(want)) {
					t.Errorf("glyph %d: got % x, want % x", id, got, want)
				}
			}
		})
	}
}

func TestSubset_Err(t *testing.T) {
	for _, name := range []string{"cmap", "glyf", "head", "hhea", "hmtx", "loca", "maxp", "post"} {
		t.Run("No_"+name, func(t *testing.T) {
			file := MustFont(t, [][]byte{square(0)}, func(tables map[string][]byte) { delete(tables, name) })
			if _, err := truetype.Subset(file, nil); err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("got %v, want an error about table %s", err, name)
			}
		})
	}
	t.Run("LongOffsets", func(t *testing.T) {
		file := MustFont(t, [][]byte{square(0)}, func(tables map[string][]byte) { tables["head"][51] = 1 })
		if _, err := truetype.Subset(file, nil); err == nil {
			t.Error("got no error, want one")
		}
	})
}

// MustFont writes a font of these glyphs, whose tables change may change.
func MustFont(tb testing.TB, glyphs [][]byte, change func(tables map[string][]byte)) []byte {
	tb.Helper()
	tables := map[string][]byte{
		"cmap": {1}, "head": make([]byte, 54), "hhea": {2}, "hmtx": {3}, "maxp": {4}, "post": make([]byte, 40), "fpgm": {5},
	}
	loca := []byte{0, 0}
	for _, g := range glyphs {
		tables["glyf"] = append(tables["glyf"], even(g)...)
		loca = binary.BigEndian.AppendUint16(loca, uint16(len(tables["glyf"])/2))
	}
	tables["loca"] = loca
	if change != nil {
		change(tables)
	}
	header := []byte{0, 1, 0, 0, 0, byte(len(tables)), 0, 0, 0, 0, 0, 0}
	var body []byte
	for _, name := range slices.Sorted(maps.Keys(tables)) {
		header = append(header, name+"\x00\x00\x00\x00"...)
		header = binary.BigEndian.AppendUint32(header, uint32(12+16*len(tables)+len(body)))
		header = binary.BigEndian.AppendUint32(header, uint32(len(tables[name])))
		body = append(body, tables[name]...)
	}
	return append(header, body...)
}

// even returns a glyph with as many bytes as loca can count.
func even(glyph []byte) []byte { return append(slices.Clone(glyph), make([]byte, len(glyph)%2)...) }

func MustSubset(tb testing.TB, file []byte, glyphs []uint16) []byte {
	tb.Helper()
	cut, err := truetype.Subset(file, glyphs)
	if err != nil {
		tb.Fatalf("got error %v, want a font", err)
	}
	return cut
}

func MustParse(tb testing.TB, file []byte) *sfnt.Font {
	tb.Helper()
	parsed, err := sfnt.Parse(file)
	if err != nil {
		tb.Fatalf("got error %v, want a font", err)
	}
	return parsed
}

func glyphOf(tb testing.TB, f *sfnt.Font, r rune) uint16 {
	tb.Helper()
	id, err := f.GlyphIndex(nil, r)
	if err != nil || id == 0 {
		tb.Fatalf("got glyph %d, error %v, want %q in the font", id, err, r)
	}
	return uint16(id)
}

func advance(tb testing.TB, f *sfnt.Font, id uint16) string {
	tb.Helper()
	width, err := f.GlyphAdvance(nil, sfnt.GlyphIndex(id), fixed.I(2048), font.HintingNone)
	return fmt.Sprint(width, err)
}

func outline(tb testing.TB, f *sfnt.Font, id uint16) sfnt.Segments {
	tb.Helper()
	var buf sfnt.Buffer
	segments, err := f.LoadGlyph(&buf, sfnt.GlyphIndex(id), fixed.I(2048), nil)
	if err != nil {
		tb.Fatalf("load glyph %d: %v", id, err)
	}
	return slices.Clone(segments)
}

// tableOf returns a table of a font.
func tableOf(tb testing.TB, file []byte, name string) []byte {
	tb.Helper()
	for i := range int(binary.BigEndian.Uint16(file[4:])) {
		entry := file[12+16*i:]
		if string(entry[:4]) == name {
			offset, length := binary.BigEndian.Uint32(entry[8:]), binary.BigEndian.Uint32(entry[12:])
			return file[offset : offset+length]
		}
	}
	tb.Fatalf("got no table %s", name)
	return nil
}

func checksum(table []byte) (sum uint32) {
	for ; len(table) > 0; table = table[4:] {
		sum += binary.BigEndian.Uint32(table)
	}
	return sum
}
