package document_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"codeberg.org/go-pdf/fpdf"
)

// MustPDF returns a PDF of n pages with a table of objects in words.
func MustPDF(tb testing.TB, n int, change ...func(*fpdf.Fpdf)) []byte {
	tb.Helper()
	pdf := fpdf.New("P", "mm", "A4", "")
	for _, c := range change {
		c(pdf)
	}
	pdf.SetFont("Helvetica", "", 12)
	for i := range n {
		pdf.AddPage()
		pdf.Text(20, 20, "page "+string(rune('A'+i%26)))
	}
	var b bytes.Buffer
	if err := pdf.Output(&b); err != nil {
		tb.Fatalf("make a PDF: %v", err)
	}
	return b.Bytes()
}

// MustQPDF runs qpdf over a PDF.
func MustQPDF(tb testing.TB, pdf []byte, args ...string) []byte {
	tb.Helper()
	if _, err := exec.LookPath("qpdf"); err != nil {
		tb.Fatal("qpdf is missing: install the package qpdf to run this test")
	}
	in, out := filepath.Join(tb.TempDir(), "in.pdf"), filepath.Join(tb.TempDir(), "out.pdf")
	if err := os.WriteFile(in, pdf, 0o600); err != nil {
		tb.Fatal(err)
	}
	if msg, err := exec.Command("qpdf", append(args, in, out)...).CombinedOutput(); err != nil {
		tb.Fatalf("qpdf %v: %v: %s", args, err, msg)
	}
	b, err := os.ReadFile(out)
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

func picture(width, height int) image.Image {
	m := image.NewGray(image.Rect(0, 0, width, height))
	for i := range m.Pix {
		m.Pix[i] = byte(i * 7)
	}
	m.Set(0, 0, color.White)
	return m
}

// MustJPEG returns a JPEG of a size.
func MustJPEG(tb testing.TB, width, height int) []byte {
	tb.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, picture(width, height), nil); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// MustPNG returns a PNG of a size.
func MustPNG(tb testing.TB, width, height int) []byte {
	tb.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, picture(width, height)); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// chunk returns one chunk of a PNG with its sum.
func chunk(kind string, data []byte) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	b = append(append(b, kind...), data...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:]))
}

// hugePNG is a small file that says it is 50,000 pixels square.
func hugePNG() []byte {
	b := []byte("\x89PNG\r\n\x1a\n")
	b = append(b, chunk("IHDR", []byte{0, 0, 0xc3, 0x50, 0, 0, 0xc3, 0x50, 8, 0, 0, 0, 0})...)
	b = append(b, chunk("IDAT", []byte{1, 2, 3})...)
	return append(b, chunk("IEND", nil)...)
}

// zipEnd is the directory record that ends an empty ZIP archive.
var zipEnd = []byte("PK\x05\x06" + strings.Repeat("\x00", 18))

func joined(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
