package apptest

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
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

// PDF is a document of one page whose size is at least that many bytes.
func PDF(atLeast int) []byte {
	var b bytes.Buffer
	var offsets []int
	object := func(format string, args ...any) {
		offsets = append(offsets, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n", len(offsets))
		fmt.Fprintf(&b, format, args...)
		b.WriteString("\nendobj\n")
	}
	b.WriteString("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
	object("<< /Type /Catalog /Pages 2 0 R >>")
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
