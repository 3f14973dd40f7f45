package apptest

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"slices"
)

// PNG is a small picture of a page.
func PNG() []byte {
	img := image.NewGray(image.Rect(0, 0, 120, 160))
	for y := range 160 {
		for x := range 120 {
			img.SetGray(x, y, color.Gray{Y: uint8(200 + (x*y)%50)})
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		panic(err) // a buffer takes everything
	}
	return b.Bytes()
}

// PhotoPlace stands in every Photo for where and when it was taken.
const PhotoPlace = "GPS 23.5505 S 46.6333 W 2026:11:20 08:15:00"

// Photo is a JPEG of a page, 120 by 160 when it is upright, as a phone stores it that was
// held sideways: its top is dark.
func Photo() []byte {
	img := image.NewGray(image.Rect(0, 0, 160, 120))
	for y := range 120 {
		for x := range 160 {
			img.SetGray(x, y, color.Gray{Y: uint8(min(240, 40+2*x))})
		}
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, nil); err != nil {
		panic(err) // a buffer takes everything
	}
	return Sideways(b.Bytes())
}

// Sideways is a JPEG as a phone stores it that was held sideways.
func Sideways(coded []byte) []byte {
	const turnLeft = "\x00\x06" // the left of what is stored is the top
	exif := "Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01" + turnLeft + "\x00\x00\x00\x00\x00\x00" + PhotoPlace
	exif = "\xff\xe1\x00" + string(rune(len(exif)+2)) + exif
	return slices.Concat(coded[:2], []byte(exif), coded[2:])
}

// PDF is a document of one page whose size is at least that many bytes.
func PDF(atLeast int) []byte { return pdf(atLeast, "") }

// Script is what ActivePDF runs when it is opened.
const Script = "app.launchURL"

// ActivePDF is a document of one page that runs a script and starts a program.
func ActivePDF() []byte { return LargeActivePDF(1000) }

// LargeActivePDF is one of at least so many bytes.
func LargeActivePDF(atLeast int) []byte {
	return pdf(atLeast, "/OpenAction << /S /JavaScript /JS ("+Script+"\\(1\\)) /Next << /S /Launch /F (calc.exe) >> >>")
}

// LockedPDF says that it is encrypted.
func LockedPDF() []byte {
	return bytes.Replace(PDF(1000), []byte("/Root 1 0 R"), []byte("/Encrypt 9 0 R /Root 1 0 R"), 1)
}

// pdf is a document whose catalogue has that entry too.
func pdf(atLeast int, catalogue string) []byte {
	var b bytes.Buffer
	var offsets []int
	object := func(format string, args ...any) {
		offsets = append(offsets, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n", len(offsets))
		fmt.Fprintf(&b, format, args...)
		b.WriteString("\nendobj\n")
	}
	b.WriteString("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
	object("<< /Type /Catalog /Pages 2 0 R %s >>", catalogue)
	object("<< /Type /Pages /Kids [3 0 R] /Count 1 >>")
	object("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R >>")
	content := append([]byte("0 0 m 100 100 l S\n"), bytes.Repeat([]byte("% filling\n"), atLeast/10)...)
	object("<< /Length %d >>\nstream\n%s\nendstream", len(content), content)
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(offsets)+1)
	for _, o := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(offsets)+1, start)
	return b.Bytes()
}
