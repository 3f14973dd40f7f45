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

// The markers of JPEG (ITU-T T.81, table B.1) that a check needs.
const (
	markerSOF0 = 0xc0 // to 0xcf: frame headers, except three of them
	markerDHT  = 0xc4
	markerJPG  = 0xc8
	markerDAC  = 0xcc
	markerRST0 = 0xd0
	markerSOI  = 0xd8
	markerEOI  = 0xd9
	markerSOS  = 0xda
	markerDQT  = 0xdb
	markerEXP  = 0xdf
	markerAPP0 = 0xe0
	markerTEM  = 0x01
)

// jpegReader reads the markers of a JPEG.
type jpegReader struct {
	file
	r             *bufio.Reader
	end           int64 // of what was read
	width, height int
	scanned       bool
	visit         func(jpegSegment)
}

// jpegSegment is one marker with what belongs to it, but for the coded picture.
type jpegSegment struct {
	marker   byte
	from, to int64 // in the file
	body     []byte
}

// checkJPEG reads the markers to the end of the picture and returns the size in
// pixels from the frame header.
func (f file) checkJPEG() (width, height int, err error) {
	w, err := f.readJPEG(func(jpegSegment) {})
	if err != nil {
		return 0, 0, err
	}
	return w.width, w.height, f.checkTrailing(w.end)
}

// readJPEG visits the segments up to and with the end of the picture.
func (f file) readJPEG(visit func(jpegSegment)) (*jpegReader, error) {
	r, err := f.stream(0)
	if err != nil {
		return nil, err
	}
	w := &jpegReader{file: f, r: r, visit: visit}
	for {
		marker, err := w.marker()
		if err != nil {
			return nil, f.readError(err)
		}
		if marker == markerEOI {
			visit(jpegSegment{marker: marker, from: w.end - 2, to: w.end})
			break
		}
		if err := w.segment(marker); err != nil {
			return nil, err
		}
	}
	if !w.scanned {
		return nil, f.refuseDamaged()
	}
	return w, nil
}

// marker skips to the next marker: past the coded picture, where 0xff 0x00 is a
// byte of it, past restarts and past fill bytes.
func (w *jpegReader) marker() (byte, error) {
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
func (w *jpegReader) skipTo(b byte) error {
	for {
		piece, err := w.r.ReadSlice(b)
		w.end += int64(len(piece))
		if !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
	}
}

// segment reads the segment after a marker. The coded picture after a scan header
// is skipped by marker.
func (w *jpegReader) segment(marker byte) error {
	var size [2]byte
	if _, err := io.ReadFull(w.r, size[:]); err != nil {
		return w.readError(err)
	}
	length := int(binary.BigEndian.Uint16(size[:]))
	if length < 2 {
		return w.refuseDamaged()
	}
	body := make([]byte, length-2)
	if _, err := io.ReadFull(w.r, body); err != nil {
		return w.readError(err)
	}
	w.visit(jpegSegment{marker: marker, from: w.end - 2, to: w.end + int64(length), body: body})
	w.end += int64(length)
	switch {
	case marker == markerSOS:
		if w.width == 0 {
			return w.refuseDamaged()
		}
		w.scanned = true
	case isFrame(marker) && w.width == 0:
		return w.frame(body)
	}
	return nil
}

// isFrame tells the markers that carry the picture's size.
func isFrame(marker byte) bool {
	return marker&0xf0 == markerSOF0 && !bytes.Contains([]byte{markerDHT, markerJPG, markerDAC}, []byte{marker})
}

// frame reads the size of the picture: after the precision, height and width.
func (w *jpegReader) frame(body []byte) error {
	if len(body) < 6 {
		return w.refuseDamaged()
	}
	w.height, w.width = int(binary.BigEndian.Uint16(body[1:])), int(binary.BigEndian.Uint16(body[3:]))
	return w.checkPixels(w.width, w.height)
}

// checkPixels refuses images without pixels and those that would exhaust the memory
// of a program that decodes them.
func (f file) checkPixels(width, height int) error {
	switch {
	case width == 0 || height == 0:
		return f.refuseDamaged()
	case width > maxPixels/height:
		return f.refuse(problem.Invalid, fmt.Sprintf(
			"é uma imagem de %d × %d pontos, grande demais. Digitalize com resolução menor (200 a 300 dpi).", width, height))
	}
	return nil
}
