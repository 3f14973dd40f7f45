package document_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"strings"
	"testing"

	"guiche/internal/document"
	"guiche/internal/problem"
)

// place stands for whatever a camera writes beside a picture.
const place = "GPS 23.5505 S 46.6333 W"

// tiff is Exif data with an orientation and a place.
func tiff(orientation int, order binary.AppendByteOrder) []byte {
	head, text := "II*\x00", append([]byte(place), 0)
	if order == binary.BigEndian {
		head = "MM\x00*"
	}
	b := order.AppendUint32([]byte(head), 8)
	b = order.AppendUint16(b, 2)
	for _, e := range []struct {
		tag, kind    uint16
		count, value uint32
	}{{0x010e, 2, uint32(len(text)), 38}, {0x0112, 3, 1, uint32(orientation)}} {
		b = order.AppendUint32(order.AppendUint16(order.AppendUint16(b, e.tag), e.kind), e.count)
		if e.kind == 3 {
			b = order.AppendUint16(order.AppendUint16(b, uint16(e.value)), 0)
		} else {
			b = order.AppendUint32(b, e.value)
		}
	}
	return append(order.AppendUint32(b, 0), text...)
}

// corners are the colours of a picture as it is seen, row by row.
var corners = [4]color.RGBA{{200, 30, 30, 255}, {30, 160, 30, 255}, {30, 30, 200, 255}, {220, 220, 40, 255}}

// stored is the picture as a camera stores it that was held so.
func stored(width, height, orientation int) *image.RGBA {
	seenAt := func(x, y int) color.RGBA { // x, y from 0 to 1: of the picture as it is seen
		return corners[2*y+x]
	}
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			right, below := 2*x/width, 2*y/height
			left, above := 1-right, 1-below
			m.SetRGBA(x, y, [...]color.RGBA{
				1: seenAt(right, below), 2: seenAt(left, below), 3: seenAt(left, above), 4: seenAt(right, above),
				5: seenAt(below, right), 6: seenAt(above, right), 7: seenAt(above, left), 8: seenAt(below, left),
			}[orientation])
		}
	}
	return m
}

func segment(marker byte, body string) []byte {
	return append(binary.BigEndian.AppendUint16([]byte{0xff, marker}, uint16(len(body)+2)), body...)
}

// MustPhoto returns a JPEG as phones write them.
func MustPhoto(tb testing.TB, width, height, orientation int) []byte {
	tb.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, stored(width, height, orientation), &jpeg.Options{Quality: 90}); err != nil {
		tb.Fatal(err)
	}
	preview := "JFXX\x00\x10" + place
	return joined(b.Bytes()[:2], segment(0xe0, preview), segment(0xe1, "Exif\x00\x00"+string(tiff(orientation, binary.LittleEndian))),
		segment(0xe1, "http://ns.adobe.com/xap/1.0/\x00<x>"+place+"</x>"), segment(0xe2, "ICC_PROFILE\x00\x01\x01colours"),
		segment(0xed, "Photoshop "+place), segment(0xfe, place), b.Bytes()[2:], []byte("\xff\xd8 a second picture, "+place))
}

// MustPhotoPNG returns a PNG with all that may stand beside its picture.
func MustPhotoPNG(tb testing.TB, m image.Image, orientation int) []byte {
	tb.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		tb.Fatal(err)
	}
	const head, end = 33, 12
	return joined(b.Bytes()[:head], chunk("gAMA", []byte{0, 0, 177, 143}), chunk("eXIf", tiff(orientation, binary.BigEndian)),
		chunk("tEXt", []byte("Comment\x00"+place)), chunk("zzZz", []byte(place)), b.Bytes()[head:b.Len()-end],
		chunk("iTXt", []byte("XML:com.adobe.xmp\x00\x00\x00\x00\x00"+place)), b.Bytes()[b.Len()-end:], []byte(place))
}

func mustClean(tb testing.TB, photo []byte, kind document.Kind) []byte {
	tb.Helper()
	var b bytes.Buffer
	info := document.Info{Name: "foto", Kind: kind, Size: int64(len(photo))}
	if err := document.CleanPhoto(tb.Context(), &b, bytes.NewReader(photo), info); err != nil {
		tb.Fatal(err)
	}
	if strings.Contains(b.String(), place) {
		tb.Error("the place is still there")
	}
	return b.Bytes()
}

func checkSeen(tb testing.TB, m image.Image, width, height int) {
	tb.Helper()
	if got := m.Bounds().Size(); got != image.Pt(width, height) {
		tb.Fatalf("got %v, want %d × %d", got, width, height)
	}
	for i, want := range corners {
		x, y := width/4+i%2*width/2, height/4+i/2*height/2
		r, g, b, _ := m.At(x, y).RGBA()
		for j, v := range []uint32{r, g, b} {
			if diff := int(v>>8) - int([]uint8{want.R, want.G, want.B}[j]); diff < -12 || diff > 12 {
				tb.Fatalf("corner %d: got %d %d %d, want %v", i, r>>8, g>>8, b>>8, want)
			}
		}
	}
}

func TestCleanPhoto_turns(t *testing.T) {
	const width, height = 97, 64
	for orientation := 1; orientation <= 8; orientation++ {
		t.Run(fmt.Sprint(orientation), func(t *testing.T) {
			seenWidth, seenHeight := width, height
			if orientation >= 5 {
				seenWidth, seenHeight = height, width
			}
			photo := MustPhoto(t, width, height, orientation)
			clean := mustClean(t, photo, document.JPEG)
			m, err := jpeg.Decode(bytes.NewReader(clean))
			if err != nil {
				t.Fatal(err)
			}
			checkSeen(t, m, seenWidth, seenHeight)
			if bytes.Contains(clean, []byte("Exif")) || !bytes.Contains(clean, []byte("ICC_PROFILE\x00\x01\x01colours")) {
				t.Error("Exif is there, or the profile of the colours is not")
			}
			if len(clean) > len(photo) {
				t.Errorf("got %d bytes out of %d", len(clean), len(photo))
			}
			if _, err := document.Check(bytes.NewReader(clean), "foto.jpg", document.DefaultLimits()); err != nil {
				t.Error(err)
			}
			clean = mustClean(t, MustPhotoPNG(t, stored(width, height, orientation), orientation), document.PNG)
			if m, err = png.Decode(bytes.NewReader(clean)); err != nil {
				t.Fatal(err)
			}
			checkSeen(t, m, seenWidth, seenHeight)
			if bytes.Contains(clean, []byte("eXIf")) || !bytes.Contains(clean, []byte("gAMA")) {
				t.Error("eXIf is there, or the gamma is not")
			}
			if _, err := document.Check(bytes.NewReader(clean), "foto.png", document.DefaultLimits()); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestCleanPhoto_upright: a photo that needs no turning keeps its pixels, and one with
// nothing beside them all of its bytes.
func TestCleanPhoto_upright(t *testing.T) {
	plain := MustJPEG(t, 320, 200)
	if got := mustClean(t, plain, document.JPEG); !bytes.Equal(got, plain) {
		t.Error("a JPEG with nothing to remove was changed")
	}
	scan := plain[bytes.LastIndex(plain, []byte("\xff\xda")):]
	if got := mustClean(t, joined(plain[:2], segment(0xfe, place), plain[2:]), document.JPEG); !bytes.HasSuffix(got, scan) {
		t.Error("the coded picture was changed")
	}
	if plain := MustPNG(t, 33, 44); !bytes.Equal(mustClean(t, plain, document.PNG), plain) {
		t.Error("a PNG with nothing to remove was changed")
	}
}

// TestCleanPhoto_kinds: every way of holding pixels is turned.
func TestCleanPhoto_kinds(t *testing.T) {
	source := stored(40, 24, 6)
	for name, m := range map[string]interface {
		image.Image
		Set(x, y int, c color.Color)
	}{
		"Gray": image.NewGray(source.Rect), "Gray16": image.NewGray16(source.Rect), "NRGBA": image.NewNRGBA(source.Rect),
		"RGBA64": image.NewRGBA64(source.Rect), "NRGBA64": image.NewNRGBA64(source.Rect),
		"Paletted": image.NewPaletted(source.Rect, color.Palette{corners[0], corners[1], corners[2], corners[3]}),
	} {
		t.Run(name, func(t *testing.T) {
			for y := range 24 {
				for x := range 40 {
					c := source.RGBAAt(x, y)
					if strings.HasPrefix(name, "N") && x == 0 {
						c.A = 254 // so that it is stored with its transparency
					}
					m.Set(x, y, c)
				}
			}
			got, err := png.Decode(bytes.NewReader(mustClean(t, MustPhotoPNG(t, m, 6), document.PNG)))
			if err != nil {
				t.Fatal(err)
			}
			if size := got.Bounds().Size(); size != image.Pt(24, 40) {
				t.Fatalf("got %v", size)
			}
			for _, at := range []image.Point{{3, 5}, {20, 7}, {6, 33}, {20, 33}} {
				if want := m.At(at.Y, 23-at.X); got.At(at.X, at.Y) != want {
					t.Errorf("%v: got %v, want %v", at, got.At(at.X, at.Y), want)
				}
			}
		})
	}
}

// TestCleanPhoto_notTurned: what cannot be turned is cleaned all the same and says how
// it was held, and nothing else.
func TestCleanPhoto_notTurned(t *testing.T) {
	photo := MustPhoto(t, 97, 64, 6)
	broken := bytes.Clone(photo)
	scan := bytes.LastIndex(broken[:len(broken)-60], []byte("\xff\xda"))
	copy(broken[scan+30:], "\xff\xdc\x00\x04\x00\x40") // the picture ends early
	for name, photo := range map[string][]byte{
		"Arithmetic": bytes.Replace(photo, []byte("\xff\xc0\x00\x11\x08"), []byte("\xff\xc9\x00\x11\x08"), 1),
		"Broken":     broken,
		"Large":      bytes.Replace(photo, []byte("\xff\xc0\x00\x11\x08\x00\x40\x00\x61"), []byte("\xff\xc0\x00\x11\x08\x27\x10\x27\x10"), 1),
	} {
		t.Run(name, func(t *testing.T) {
			clean := mustClean(t, photo, document.JPEG)
			if n := bytes.Count(clean, []byte("Exif\x00\x00MM\x00*")); n != 1 {
				t.Errorf("got %d times Exif, want it once", n)
			}
			if again := mustClean(t, clean, document.JPEG); !bytes.Equal(again, clean) {
				t.Error("cleaned once more it differs")
			}
		})
	}
}

// TestCleanPhoto_scattered: a photo in a million pieces takes no memory for them.
func TestCleanPhoto_scattered(t *testing.T) {
	plain := MustJPEG(t, 32, 20)
	pieces := bytes.Repeat(joined(segment(0xdd, "\x00\x00"), segment(0xfe, "")), 100_000)
	photo := joined(plain[:2], pieces, plain[2:])
	info, err := document.Check(bytes.NewReader(photo), "foto.jpg", document.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	if err := document.CleanPhoto(t.Context(), io.Discard, bytes.NewReader(photo), info); !problem.Is(err, problem.Invalid) {
		t.Errorf("got %v, want a refusal", err)
	}
}

func FuzzCleanPhoto(f *testing.F) {
	f.Add(MustPhoto(f, 9, 7, 6))
	f.Add(MustPhotoPNG(f, stored(9, 7, 6), 6))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, name := range []string{"a.jpg", "a.png"} {
			info, err := document.Check(bytes.NewReader(b), name, document.DefaultLimits())
			if err != nil {
				continue
			}
			var clean bytes.Buffer
			if err := document.CleanPhoto(t.Context(), &clean, bytes.NewReader(b), info); err != nil {
				if !problem.Is(err, problem.Invalid) {
					t.Fatalf("accepted, and not cleaned: %v", err)
				}
				continue
			}
			if _, err := document.Check(bytes.NewReader(clean.Bytes()), name, document.Limits{MaxFile: 1 << 30}); err != nil {
				t.Fatalf("cleaned, and no longer accepted: %v", err)
			}
		}
	})
}
