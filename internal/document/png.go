package document

import (
	"bufio"
	"encoding/binary"
	"hash/crc32"
	"io"
)

const (
	pngHeader = "\x89PNG\r\n\x1a\n"
	ihdrSize  = 13
)

// checkPNG reads the chunks to the end, checks their checksums, and returns the
// size in pixels from the header.
func (f file) checkPNG() (width, height int, err error) {
	if width, height, err = f.pngSize(); err != nil {
		return 0, 0, err
	}
	end := int64(len(pngHeader))
	r, err := f.stream(end)
	if err != nil {
		return 0, 0, err
	}
	for hasData := false; ; {
		kind, length, err := f.chunk(r)
		if err != nil {
			return 0, 0, err
		}
		end += length + 12
		hasData = hasData || kind == "IDAT"
		if kind != "IEND" {
			continue
		}
		if !hasData {
			return 0, 0, f.refuseDamaged()
		}
		return width, height, f.checkTrailing(end)
	}
}

// pngSize reads the header chunk, which must be the first.
func (f file) pngSize() (width, height int, err error) {
	b, err := f.at(int64(len(pngHeader)), 8+ihdrSize)
	if err != nil {
		return 0, 0, err
	}
	if len(b) < 8+ihdrSize {
		return 0, 0, f.refuseTruncated()
	}
	if binary.BigEndian.Uint32(b) != ihdrSize || string(b[4:8]) != "IHDR" {
		return 0, 0, f.refuseDamaged()
	}
	width, height = int(binary.BigEndian.Uint32(b[8:])), int(binary.BigEndian.Uint32(b[12:]))
	return width, height, f.checkPixels(width, height)
}

// chunk reads one chunk of a PNG and checks its checksum.
func (f file) chunk(r *bufio.Reader) (kind string, length int64, err error) {
	var header, want [8]byte
	if _, err := io.ReadFull(r, header[:]); err != nil {
		return "", 0, f.readError(err)
	}
	length = int64(binary.BigEndian.Uint32(header[:4]))
	sum := crc32.NewIEEE()
	_, _ = sum.Write(header[4:])
	if _, err := io.CopyN(sum, r, length); err != nil {
		return "", 0, f.readError(err)
	}
	if _, err := io.ReadFull(r, want[:4]); err != nil {
		return "", 0, f.readError(err)
	}
	if sum.Sum32() != binary.BigEndian.Uint32(want[:4]) {
		return "", 0, f.refuseDamaged()
	}
	return string(header[4:]), length, nil
}
