package document

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"guiche/internal/problem"
)

// The markers of JPEG (ITU-T T.81, table B.1) that a walk must know.
const (
	markerSOF0 = 0xc0 // to 0xcf: frame headers, but for three of them
	markerDHT  = 0xc4
	markerJPG  = 0xc8
	markerDAC  = 0xcc
	markerRST0 = 0xd0
	markerSOI  = 0xd8
	markerEOI  = 0xd9
	markerSOS  = 0xda
	markerTEM  = 0x01
)

// jpegWalk reads markers and remembers how far it came.
type jpegWalk struct {
	file
	r             *bufio.Reader
	end           int64
	width, height int
	scanned       bool
}

// checkJPEG walks the markers to the end of the picture and returns the size in
// pixels from the frame header.
func (f file) checkJPEG() (width, height int, err error) {
	r, err := f.stream(0)
	if err != nil {
		return 0, 0, err
	}
	w := jpegWalk{file: f, r: r}
	for {
		marker, err := w.marker()
		if err != nil {
			return 0, 0, f.cut(err)
		}
		if marker == markerEOI {
			break
		}
		if err := w.segment(marker); err != nil {
			return 0, 0, err
		}
	}
	if !w.scanned {
		return 0, 0, f.damaged()
	}
	return w.width, w.height, f.checkRest(w.end)
}

// marker skips to the next marker: past the coded picture, where 0xff 0x00 is a
// byte of it, past restarts and past fill bytes.
func (w *jpegWalk) marker() (byte, error) {
	for {
		if err := w.skipTo(0xff); err != nil {
			return 0, err
		}
		b := byte(0xff)
		for b == 0xff {
			var err error
			if b, err = w.r.ReadByte(); err != nil {
				return 0, err
			}
			w.end++
		}
		if b != 0 && b != markerTEM && b != markerSOI && b&^7 != markerRST0 {
			return b, nil
		}
	}
}

// skipTo reads up to and with the next byte b.
func (w *jpegWalk) skipTo(b byte) error {
	for {
		piece, err := w.r.ReadSlice(b)
		w.end += int64(len(piece))
		if !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
	}
}

// segment reads what follows a marker. The coded picture after a scan header is
// left to marker.
func (w *jpegWalk) segment(marker byte) error {
	var size [2]byte
	if _, err := io.ReadFull(w.r, size[:]); err != nil {
		return w.cut(err)
	}
	length := int(binary.BigEndian.Uint16(size[:]))
	if length < 2 {
		return w.damaged()
	}
	body := make([]byte, length-2)
	if _, err := io.ReadFull(w.r, body); err != nil {
		return w.cut(err)
	}
	w.end += int64(length)
	switch {
	case marker == markerSOS:
		if w.width == 0 {
			return w.damaged()
		}
		w.scanned = true
	case isFrame(marker) && w.width == 0:
		return w.frame(body)
	}
	return nil
}

func isFrame(marker byte) bool {
	return marker&0xf0 == markerSOF0 && !bytes.Contains([]byte{markerDHT, markerJPG, markerDAC}, []byte{marker})
}

// frame reads the size of the picture: after the precision, height and width.
func (w *jpegWalk) frame(body []byte) error {
	if len(body) < 6 {
		return w.damaged()
	}
	w.height, w.width = int(binary.BigEndian.Uint16(body[1:])), int(binary.BigEndian.Uint16(body[3:]))
	return w.checkPixels(w.width, w.height)
}

// checkPixels refuses images without a surface and those that would exhaust the
// memory of whoever decodes them.
func (f file) checkPixels(width, height int) error {
	switch {
	case width == 0 || height == 0:
		return f.damaged()
	case width > maxPixels/height:
		return f.refuse(problem.Invalid, fmt.Sprintf("é uma imagem de %d × %d pontos, grande demais. Digitalize com resolução menor (200 a 300 dpi).", width, height))
	}
	return nil
}
