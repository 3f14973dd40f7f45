package webui

import (
	"fmt"
	"image/color"
	"strings"

	"guiche/web/page"

	"github.com/boombuler/barcode/qr"
)

// qrCode draws a text as a QR code: a path with a square for each run of dark modules.
func qrCode(text string) (page.QRCode, error) {
	code, err := qr.Encode(text, qr.M, qr.Unicode)
	if err != nil {
		return page.QRCode{}, fmt.Errorf("QR code: %w", err)
	}
	size := code.Bounds().Dx()
	var path strings.Builder
	for y := range size {
		for x := 0; x < size; x++ {
			from := x
			for x < size && code.At(x, y) == color.Black {
				x++
			}
			if x > from {
				fmt.Fprintf(&path, "M%d %dh%dv1h-%dz", from, y, x-from, x-from)
			}
		}
	}
	return page.QRCode{Size: size, Path: path.String()}, nil
}
