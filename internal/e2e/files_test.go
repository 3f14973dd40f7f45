package e2e_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"guiche/internal/apptest"
)

// pngFile writes a small picture of a page and returns its path.
func pngFile(t testing.TB, name string) string {
	t.Helper()
	img := image.NewGray(image.Rect(0, 0, 120, 160))
	for y := range 160 {
		for x := range 120 {
			img.SetGray(x, y, color.Gray{Y: uint8(200 + (x*y)%50)})
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return writeFile(t, name, b.Bytes())
}

// pdfFile writes a PDF of one page whose size is at least that many bytes.
func pdfFile(t testing.TB, name string, atLeast int) string {
	t.Helper()
	return writeFile(t, name, apptest.PDF(atLeast))
}

func writeFile(t testing.TB, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
