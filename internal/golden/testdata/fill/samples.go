package main

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"path"
)

// sample is a small file of the kind that its name says; files of different names
// differ.
func sample(name string) []byte {
	var b bytes.Buffer
	switch path.Ext(name) {
	case ".png":
		check(png.Encode(&b, picture(name)))
	case ".jpg":
		check(jpeg.Encode(&b, picture(name), nil))
	default:
		return samplePDF(name)
	}
	return b.Bytes()
}

func picture(name string) image.Image {
	m := image.NewGray(image.Rect(0, 0, 24, 32))
	for i := range m.Pix {
		m.Pix[i] = 200 + name[i%len(name)]%50
	}
	return m
}

// samplePDF is a PDF of one page that says its name.
func samplePDF(name string) []byte {
	var b bytes.Buffer
	var offsets []int
	object := func(text string) {
		offsets = append(offsets, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", len(offsets), text)
	}
	b.WriteString("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
	object("<< /Type /Catalog /Pages 2 0 R >>")
	object("<< /Type /Pages /Kids [3 0 R] /Count 1 >>")
	object("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R >>")
	content := "0 0 m 100 100 l S % " + name
	object(fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(content), content))
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(offsets)+1)
	for _, o := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(offsets)+1, start)
	return b.Bytes()
}
