package document

import (
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/png"
	"io"
	"slices"
)

var pngFormat = photoFormat{
	decode: png.Decode,
	encode: func(w io.Writer, m image.Image, _ int) error { return png.Encode(w, m) },
	head:   len(pngHeader) + ihdrSize + chunkFrame,
	exif: func(tiff []byte) []byte {
		b := append(binary.BigEndian.AppendUint32(nil, uint32(len(tiff))), "eXIf"+string(tiff)...)
		return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:]))
	},
}

// chunkFrame is what a chunk has beside its data: length, kind and checksum.
const chunkFrame = 12

// The chunks (PNG, 11) that make the picture, but for the first, and those of its colours and size.
var (
	pictureChunks = []string{"PLTE", "tRNS", "IDAT", "IEND", "sBIT", "bKGD", "pHYs"}
	colourChunks  = []string{"cHRM", "cICP", "gAMA", "iCCP", "sRGB"}
)

// takeApartPNG keeps the chunks that are known to show the picture. All others are for
// programs and people beside it.
func (f file) takeApartPNG() (photo, error) {
	p := photo{orientation: upright, format: pngFormat, parts: []part{{to: int64(pngFormat.head)}}}
	at := p.parts[0].to
	r, err := f.stream(at)
	if err != nil {
		return photo{}, err
	}
	var exif part
	for kind := ""; kind != "IEND"; {
		var length int64
		if kind, length, err = f.chunk(r); err != nil {
			return photo{}, err
		}
		this := part{from: at, to: at + length + chunkFrame}
		at = this.to
		switch {
		case slices.Contains(pictureChunks, kind):
			p.keep(this)
		case slices.Contains(colourChunks, kind):
			p.keep(this)
			if len(p.colours) < maxParts {
				p.colours = append(p.colours, this)
			}
		case kind == "eXIf":
			exif = part{from: this.from + 8, to: this.to - 4}
		}
	}
	tiff, err := f.at(exif.from, min(exif.to-exif.from, 1<<16))
	if err != nil {
		return photo{}, err
	}
	p.orientation = orientationOf(tiff)
	p.memory, err = f.turningPNG()
	return p, err
}

// turningPNG is what the decoder and the turned copy take: four values for each pixel
// at most, in the file's depth.
func (f file) turningPNG() (int64, error) {
	width, height, err := f.pngSize()
	if err != nil {
		return 0, err
	}
	depth, err := f.at(int64(len(pngHeader))+16, 1)
	if err != nil {
		return 0, err
	}
	each := int64(2 * 4)
	if depth[0] > 8 {
		each *= 2
	}
	return int64(width) * int64(height) * each, nil
}
