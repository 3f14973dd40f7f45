package fonts_test

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/text/encoding/charmap"

	"guiche/internal/guide/fonts"
)

func MustLoad(tb testing.TB) fonts.Typefaces {
	tb.Helper()
	all, err := fonts.Load()
	if err != nil {
		tb.Fatalf("got %v (make assets), want the fonts", err)
	}
	return all
}

// MustUnpack returns the font of a subset.
func MustUnpack(tb testing.TB, s fonts.Subset) *sfnt.Font {
	tb.Helper()
	d := s.Definition
	r, err := zlib.NewReader(bytes.NewReader(s.Program))
	if err != nil {
		tb.Fatal(err)
	}
	file, err := io.ReadAll(r)
	if err != nil || len(file) != d.OriginalSize {
		tb.Fatalf("%s: got %d bytes, error %v, want %d", d.Name, len(file), err, d.OriginalSize)
	}
	return MustParse(tb, file)
}

func MustParse(tb testing.TB, file []byte) *sfnt.Font {
	tb.Helper()
	parsed, err := sfnt.Parse(file)
	if err != nil {
		tb.Fatalf("got error %v, want a font", err)
	}
	return parsed
}

// outline returns the shape of a character in units of the font, and its advance.
func outline(tb testing.TB, f *sfnt.Font, r rune) (sfnt.Segments, fixed.Int26_6) {
	tb.Helper()
	var buf sfnt.Buffer
	id, err := f.GlyphIndex(&buf, r)
	if err != nil || id == 0 {
		tb.Fatalf("got glyph %d, error %v, want %q in the font", id, err, r)
	}
	em := fixed.I(int(f.UnitsPerEm()))
	advance, err := f.GlyphAdvance(&buf, id, em, font.HintingNone)
	if err != nil {
		tb.Fatal(err)
	}
	segments, err := f.LoadGlyph(&buf, id, em, nil)
	if err != nil {
		tb.Fatalf("load %q: %v", r, err)
	}
	return slices.Clone(segments), advance
}

// characters are those of a font that fit two bytes, without control characters.
func characters(tb testing.TB, f *sfnt.Font) (all []rune) {
	tb.Helper()
	for r := ' '; r <= 0xFFFF; r++ {
		id, err := f.GlyphIndex(nil, r)
		if err != nil {
			tb.Fatal(err)
		}
		if id != 0 && !unicode.IsControl(r) {
			all = append(all, r)
		}
	}
	return all
}

// TestLoad holds every character of the prepared fonts to the whole ones: none is
// missing, and each has its shape and width.
func TestLoad(t *testing.T) {
	all := MustLoad(t)
	for _, tt := range []struct {
		name  string
		got   *fonts.Typeface
		whole []byte
	}{
		{"GoRegular", all.Regular, goregular.TTF},
		{"GoBold", all.Bold, gobold.TTF},
	} {
		t.Run(tt.name, func(t *testing.T) {
			whole := MustParse(t, tt.whole)
			var cut []*sfnt.Font
			for i, s := range tt.got.Subsets {
				cut = append(cut, MustUnpack(t, s))
				d := s.Definition
				if want := fmt.Sprintf("GUICH%c+%s", 'A'+i, tt.name); d.Name != want || d.File != want+".z" {
					t.Errorf("got %+v, want the font %s", d, want)
				}
			}
			want := characters(t, whole)
			if len(tt.got.Glyphs) != len(want) {
				t.Errorf("got %d characters, want %d", len(tt.got.Glyphs), len(want))
			}
			for _, r := range want {
				g := tt.got.Glyph(r)
				wantShape, wide := outline(t, whole, r)
				shape, advance := outline(t, cut[g.Subset], r)
				if !slices.Equal(shape, wantShape) || advance != wide {
					t.Errorf("%q is not as in the whole font", r)
				}
				units := float64(wide.Round()) * fonts.Thousandth / float64(whole.UnitsPerEm())
				if g != tt.got.Glyphs[r] || !tt.got.Has(r) || g.Advance != math.Round(units) {
					t.Errorf("%q: got an advance of %v, want %v", r, g.Advance, units)
				}
			}
		})
	}
}

// TestLoad_Codes: a code is a character's alone; the first subset has the characters of
// guides by their codes in Windows-1252, and the definition names every other one.
func TestLoad_Codes(t *testing.T) {
	all := MustLoad(t)
	for _, typeface := range []*fonts.Typeface{all.Regular, all.Bold} {
		taken := map[[2]int]rune{}
		names := make([]map[string]bool, len(typeface.Subsets))
		for i, s := range typeface.Subsets {
			names[i] = map[string]bool{}
			for pair := range slices.Chunk(strings.Fields(s.Definition.Diff), 2) {
				names[i][strings.Join(pair, " ")] = true
			}
		}
		for r, g := range typeface.Glyphs {
			if g.Code < ' ' {
				t.Errorf("%q has the code %d of a control character", r, g.Code)
			}
			if other, ok := taken[[2]int{g.Subset, int(g.Code)}]; ok {
				t.Errorf("%q and %q have the same code", r, other)
			}
			taken[[2]int{g.Subset, int(g.Code)}] = r
			code, common := charmap.Windows1252.EncodeRune(r)
			if common && g.Subset == 0 && g.Code != code {
				t.Errorf("%q has code %d of the first subset, want %d", r, g.Code, code)
			}
			named := names[g.Subset][fmt.Sprintf("%d /uni%04X", g.Code, r)]
			if known := charmap.Windows1252.DecodeByte(g.Code) == r; named == known {
				t.Errorf("%q is code %d: got named %v, want %v", r, g.Code, named, !known)
			}
		}
		for _, r := range "AZaz09 ~ÁÀÂÃÇÉÊÍÓÔÕÚÜáàâãçéêíóôõúüñ—…ºª□" {
			if g := typeface.Glyph(r); g.Subset != 0 {
				t.Errorf("%q is in subset %d, want the first", r, g.Subset)
			}
		}
		if size := len(typeface.Subsets[0].Program); size > 8_000 {
			t.Errorf("the first subset, which is in every guide, has %d bytes", size)
		}
		if typeface.Has('中') || typeface.Has('\n') {
			t.Error("got characters that the font does not have")
		}
	}
}

func TestTypeface_Width(t *testing.T) {
	regular := MustLoad(t).Regular
	want := regular.Glyphs['é'].Advance + regular.Glyphs[' '].Advance + regular.Glyphs['Ж'].Advance
	if got := regular.Width("é Ж"); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestRead_Err(t *testing.T) {
	const subset = `[{"definition": {"File": "a.z", "Cw": [1, 2]}, "characters": "ab"}]`
	for name, tt := range map[string]struct{ list, want string }{
		"NotJSON":    {"[", "read the fonts"},
		"NoTypeface": {`{"GoRegular": ` + subset + `}`, "no subset"},
		"NoFile":     {`{"GoRegular": [{"definition": {"File": "b.z"}}]}`, "b.z"},
		"Definition": {`{"GoRegular": [{"definition": []}]}`, "Definition"},
		"Widths":     {`{"GoRegular": ` + strings.Replace(subset, "ab", "abc", 1) + `}`, "3 characters have 2 widths"},
	} {
		t.Run(name, func(t *testing.T) {
			files := fstest.MapFS{"dist/a.z": {}, "dist/fonts.json": {Data: []byte(tt.list)}}
			if _, err := fonts.Read(files, "dist"); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want an error about %q", err, tt.want)
			}
		})
	}
	t.Run("NotPrepared", func(t *testing.T) {
		_, err := fonts.Read(fstest.MapFS{"dist/.keep": {}}, "dist")
		if !errors.Is(err, fonts.ErrNotPrepared) || !strings.Contains(err.Error(), "make build") {
			t.Errorf("got %v, want what to run", err)
		}
	})
	t.Run("OK", func(t *testing.T) {
		list := `{"GoRegular": ` + subset + `, "GoBold": ` + subset + `}`
		all, err := fonts.Read(fstest.MapFS{"dist/a.z": {}, "dist/fonts.json": {Data: []byte(list)}}, "dist")
		if err != nil || all.Bold.Glyphs['b'] != (fonts.Glyph{Advance: 2, Code: 1}) {
			t.Errorf("got %+v, %v", all, err)
		}
	})
}
