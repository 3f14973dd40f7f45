package document

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/jpeg"
	"io"
)

const (
	jfifSize   = 14 // without a preview
	exifHeader = "Exif\x00\x00"
	iccHeader  = "ICC_PROFILE\x00"
)

var jpegFormat = photoFormat{
	decode: jpeg.Decode,
	encode: func(w io.Writer, m image.Image, quality int) error {
		return jpeg.Encode(w, m, &jpeg.Options{Quality: quality})
	},
	head: 2,
	exif: func(tiff []byte) []byte {
		length := 2 + len(exifHeader) + len(tiff)
		return append(binary.BigEndian.AppendUint16([]byte{0xff, markerAPP0 + 1}, uint16(length)), exifHeader+string(tiff)...)
	},
}

// takeApartJPEG keeps the picture, its tables, and the segments by which its colours are
// read. All other segments are for programs and people beside the picture.
func (f file) takeApartJPEG() (photo, error) {
	p := photo{orientation: upright, format: jpegFormat, quality: bestQuality, parts: []part{{literal: []byte("\xff\xd8")}}}
	var scan int64 // where a coded picture began, 0 outside of one
	var frame jpegSegment
	exif, scans := false, int64(0)
	r, err := f.readJPEG(func(s jpegSegment) {
		if scan > 0 {
			p.keep(part{from: scan, to: s.from})
			scan = 0
		}
		switch {
		case s.marker == markerSOS:
			scan, scans = s.to, scans+1
		case s.marker == markerDQT:
			p.quality = min(p.quality, qualityOf(s.body))
		case isFrame(s.marker) && frame.body == nil:
			frame = s
		case s.marker == markerAPP0+1 && !exif && bytes.HasPrefix(s.body, []byte(exifHeader)):
			p.orientation, exif = orientationOf(s.body[len(exifHeader):]), true
		}
		if keepsSegment(s) {
			p.keep(part{from: s.from, to: s.to})
		}
		if isProfile(s) && len(p.colours) < maxParts {
			p.colours = append(p.colours, part{from: s.from, to: s.to})
		}
	})
	if err != nil {
		return photo{}, err
	}
	p.memory = turningMemory(frame, int64(r.width)*int64(r.height))
	if scans*p.memory > maxScanning {
		p.memory = maxTurning + 1
	}
	return p, nil
}

// maxScanning bounds how often a decoder goes over the memory of a photo: once for each scan of a progressive one, of
// which some bytes are enough. Cameras and programs write a dozen.
const maxScanning = 20 * maxTurning

// keepsSegment tells what it takes to decode the picture and to show its colours.
func keepsSegment(s jpegSegment) bool {
	switch s.marker {
	case markerEOI:
		return true
	case markerAPP0:
		return len(s.body) == jfifSize && bytes.HasPrefix(s.body, []byte("JFIF\x00"))
	case markerAPP0 + 14:
		return bytes.HasPrefix(s.body, []byte("Adobe"))
	}
	coding := s.marker&0xf0 == markerSOF0 && s.marker != markerJPG || s.marker >= markerSOS && s.marker <= markerEXP
	return coding || isProfile(s)
}

// isProfile tells the segments of a colour profile.
func isProfile(s jpegSegment) bool {
	return s.marker == markerAPP0+2 && bytes.HasPrefix(s.body, []byte(iccHeader))
}

// turningMemory is what the decoder and the turned copy take, more than maxTurning for
// what is not turned: the four colours of printers.
func turningMemory(frame jpegSegment, pixels int64) int64 {
	const componentsAt, componentSize = 6, 3
	if len(frame.body) < componentsAt {
		return maxTurning + 1
	}
	components := frame.body[componentsAt:]
	var samples, most int64 // of all components in one block, of the finest
	for n := 0; n < int(frame.body[componentsAt-1]); n++ {
		if n > 2 || len(components) < componentSize {
			return maxTurning + 1
		}
		area := int64(components[1]>>4) * int64(components[1]&15)
		samples, most, components = samples+area, max(most, area), components[componentSize:]
	}
	if most == 0 {
		return maxTurning + 1
	}
	const decoded, turned, coefficients = 1, 1, 4
	each := int64(decoded + turned)
	if frame.marker != markerSOF0 && frame.marker != markerSOF0+1 { // progressive
		each += coefficients
	}
	return pixels * samples * each / most
}

// The range of qualities in which a turned photo is stored.
const bestQuality, worstQuality = 95, 50

// qualityOf is the quality, as the JPEG group's library counts it, that the table for
// brightness stands for: a turned photo need not be finer than it was.
func qualityOf(tables []byte) int {
	const size, standardSum = 64, 3688 // of the table of quality 50 (T.81, table K.1)
	if len(tables) < 1+size || tables[0] != 0 {
		return bestQuality
	}
	sum := 0
	for _, q := range tables[1 : 1+size] {
		sum += int(q)
	}
	scale := max(1, 100*sum/standardSum)
	quality := 5000 / scale
	if scale <= 100 {
		quality = (200 - scale) / 2
	}
	return max(worstQuality, min(bestQuality, quality))
}
