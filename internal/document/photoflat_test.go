package document_test

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/jpeg"
	"strings"
	"testing"

	"guiche/internal/document"
)

// sampling is how coarse the colours of a JPEG are, with the code of one unit, or two, of
// a picture that is grey all over.
type sampling struct {
	factors               byte
	unitWidth, unitHeight int
	units                 int
	code                  string
}

var (
	coarse = sampling{0x22, 16, 16, 1, "\x28\xa2\x8a\x00"}
	wide   = sampling{0x21, 16, 8, 2, "\x28\xa0\x02\x8a\x00"}
	high   = sampling{0x12, 8, 16, 2, "\x28\xa0\x02\x8a\x00"}
)

// MustFlat returns a grey JPEG of any size, which takes no memory to write, with segments
// at its beginning.
func MustFlat(tb testing.TB, width, height int, s sampling, segments ...[]byte) []byte {
	tb.Helper()
	m := image.NewYCbCr(image.Rect(0, 0, 16, 16), image.YCbCrSubsampleRatio420)
	for _, plane := range [][]byte{m.Y, m.Cb, m.Cr} {
		for i := range plane {
			plane[i] = 128
		}
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, nil); err != nil {
		tb.Fatal(err)
	}
	coded := b.Bytes()
	frame := bytes.Index(coded, []byte("\xff\xc0\x00\x11\x08"))
	scan := bytes.Index(coded, []byte("\xff\xda\x00\x0c"))
	if frame < 0 || scan < 0 {
		tb.Fatal("no JPEG as it is known")
	}
	binary.BigEndian.PutUint16(coded[frame+5:], uint16(height))
	binary.BigEndian.PutUint16(coded[frame+7:], uint16(width))
	coded[frame+11] = s.factors
	units := (width + s.unitWidth - 1) / s.unitWidth * ((height + s.unitHeight - 1) / s.unitHeight)
	scanned := bytes.Repeat([]byte(s.code), (units+s.units-1)/s.units)
	return joined(coded[:2], joined(segments...), coded[2:scan+14], scanned, []byte("\xff\xd9"))
}

// progressive returns a JPEG of 1024 by 1024 grey pixels, held on its side, that is coded in a scan for its brightness
// and so many of a few bytes for the rest, each of which is about all of it.
func progressive(scans int) []byte {
	const side, blocks = "\x04\x00", 128 * 128
	table := func(kind, code string) []byte { return segment(0xc4, kind+"\x01"+strings.Repeat("\x00", 15)+code) }
	scan := func(how string) []byte { return segment(0xda, "\x01\x01\x00"+how+"\x00") }
	return joined([]byte("\xff\xd8"), exif(6), segment(0xdb, "\x00"+strings.Repeat("\x01", 64)),
		segment(0xc2, "\x08"+side+side+"\x01\x01\x11\x00"), table("\x00", "\x00"), table("\x10", "\xe0"),
		scan("\x00\x00"), make([]byte, blocks/8),
		bytes.Repeat(append(scan("\x01\x3f"), 0, 0), scans), []byte("\xff\xd9"))
}

// TestCleanPhoto_scans: a photo of some kilobytes that takes minutes to decode is not turned.
func TestCleanPhoto_scans(t *testing.T) {
	for scans, turned := range map[int]bool{9: true, 1000: false} {
		clean := mustClean(t, progressive(scans), document.JPEG)
		if got := !bytes.Contains(clean, []byte("Exif\x00\x00MM\x00*")); got != turned {
			t.Errorf("%d scans: got turned %t, want %t", scans, got, turned)
		}
	}
}

func exif(orientation int) []byte {
	return segment(0xe1, "Exif\x00\x00"+string(tiff(orientation, binary.LittleEndian)))
}

// TestCleanPhoto_size: photos are turned up to what the memory for it takes; beyond, they
// say how they were held.
func TestCleanPhoto_size(t *testing.T) {
	for name, tt := range map[string]struct {
		width, height int
		of            sampling
		turned        bool
	}{
		"Coarse":   {2403, 1801, coarse, true},
		"Wide":     {97, 65, wide, true},
		"High":     {97, 65, high, true},
		"TooLarge": {11000, 8000, coarse, false},
	} {
		t.Run(name, func(t *testing.T) {
			clean := mustClean(t, MustFlat(t, tt.width, tt.height, tt.of, exif(6)), document.JPEG)
			if got := !bytes.Contains(clean, []byte("Exif")); got != tt.turned {
				t.Fatalf("turned %t, want %t", got, tt.turned)
			}
			if !tt.turned {
				return
			}
			m, err := jpeg.Decode(bytes.NewReader(clean))
			if err != nil {
				t.Fatal(err)
			}
			if got := m.Bounds().Size(); got != image.Pt(tt.height, tt.width) {
				t.Errorf("got %v, want it upright", got)
			}
			for _, at := range []image.Point{{}, {tt.height - 1, 0}, {0, tt.width - 1}, {tt.height - 1, tt.width - 1}} {
				if got := color.GrayModel.Convert(m.At(at.X, at.Y)).(color.Gray).Y; got != 128 {
					t.Errorf("%v: got %d, want the same grey", at, got)
				}
			}
		})
	}
}

// TestCleanPhoto_orientation: the first Exif counts, wherever it stands.
func TestCleanPhoto_orientation(t *testing.T) {
	xmp := segment(0xe1, "http://ns.adobe.com/xap/1.0/\x00<x>"+place+"</x>")
	for name, tt := range map[string]struct {
		segments [][]byte
		want     image.Point
	}{
		"AfterXMP":  {[][]byte{xmp, exif(6)}, image.Pt(32, 64)},
		"Twice":     {[][]byte{exif(6), exif(3)}, image.Pt(32, 64)},
		"BeforeAll": {[][]byte{exif(3), exif(6)}, image.Pt(64, 32)},
		"XMPAlone":  {[][]byte{xmp}, image.Pt(64, 32)},
		"Zero":      {[][]byte{exif(0)}, image.Pt(64, 32)},
		"NoSuch":    {[][]byte{exif(9)}, image.Pt(64, 32)},
		"AtItsEnd":  {[][]byte{segment(0xe1, "Exif\x00\x00MM\x00*\x00\x00\x00\x07")}, image.Pt(64, 32)},
		"BeyondEnd": {[][]byte{segment(0xe1, "Exif\x00\x00MM\x00*\xff\xff\xff\xff")}, image.Pt(64, 32)},
		"CutEntry":  {[][]byte{segment(0xe1, "Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03")}, image.Pt(64, 32)},
	} {
		t.Run(name, func(t *testing.T) {
			m, err := jpeg.DecodeConfig(bytes.NewReader(mustClean(t, MustFlat(t, 64, 32, coarse, tt.segments...), document.JPEG)))
			if err != nil || image.Pt(m.Width, m.Height) != tt.want {
				t.Errorf("got %d × %d, %v, want %v", m.Width, m.Height, err, tt.want)
			}
		})
	}
}

// TestCleanPhoto_quality: a turned photo is as fine as it was.
func TestCleanPhoto_quality(t *testing.T) {
	tables := func(photo []byte) []byte {
		at := bytes.Index(photo, []byte("\xff\xdb"))
		return photo[at : at+4+65]
	}
	for _, quality := range []int{60, 75, 90} {
		var b bytes.Buffer
		if err := jpeg.Encode(&b, stored(97, 64, 6), &jpeg.Options{Quality: quality}); err != nil {
			t.Fatal(err)
		}
		photo := joined(b.Bytes()[:2], exif(6), b.Bytes()[2:])
		if clean := mustClean(t, photo, document.JPEG); !bytes.Equal(tables(clean), tables(photo)) {
			t.Errorf("quality %d: stored in another one", quality)
		}
	}
}
