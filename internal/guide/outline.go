package guide

import (
	"encoding/binary"
	"maps"
	"slices"
)

// outlines are the glyphs of a font: loca says where in glyf each begins, in
// steps of two bytes.
type outlines struct{ glyf, loca []byte }

// outline returns a glyph as it is in the font, empty for a space.
func (o outlines) outline(id uint16) []byte {
	at := o.loca[2*int(id):]
	return o.glyf[2*int(binary.BigEndian.Uint16(at)) : 2*int(binary.BigEndian.Uint16(at[2:]))]
}

// withParts returns keep with the glyph of missing characters and all those that
// its glyphs are made of: é is e and ´.
func (o outlines) withParts(keep map[uint16]bool) map[uint16]bool {
	all := map[uint16]bool{0: true}
	for todo := slices.Collect(maps.Keys(keep)); len(todo) > 0; todo = todo[1:] {
		all[todo[0]] = true
		for _, p := range parts(o.outline(todo[0])) {
			if id := binary.BigEndian.Uint16(p[2:]); !all[id] {
				todo = append(todo, id)
			}
		}
	}
	return all
}

// Flags of a part of a composite glyph.
const (
	wordArguments   = 1 << 0
	oneScale        = 1 << 3
	moreParts       = 1 << 5
	twoScales       = 1 << 6
	fourScales      = 1 << 7
	hasInstructions = 1 << 8
)

const glyphHead = 10 // number of contours and box

// composite reports whether a glyph is made of others.
func composite(outline []byte) bool { return len(outline) > 0 && outline[0]&0x80 != 0 }

// parts returns the descriptions of the glyphs that a composite is made of: flags,
// number of the glyph, its place.
func parts(outline []byte) (list [][]byte) {
	if !composite(outline) {
		return nil
	}
	for rest := outline[glyphHead:]; ; {
		flags, size := binary.BigEndian.Uint16(rest), 6
		if flags&wordArguments != 0 {
			size += 2
		}
		switch {
		case flags&oneScale != 0:
			size += 2
		case flags&twoScales != 0:
			size += 4
		case flags&fourScales != 0:
			size += 8
		}
		list, rest = append(list, rest[:size]), rest[size:]
		if flags&moreParts == 0 {
			return list
		}
	}
}

// unhinted returns a glyph without the program that fits it to a raster.
func unhinted(outline []byte) []byte {
	switch {
	case len(outline) == 0:
		return nil
	case composite(outline):
		result := slices.Clone(outline[:glyphHead])
		for _, p := range parts(outline) {
			flags := binary.BigEndian.Uint16(p) &^ hasInstructions
			result = append(binary.BigEndian.AppendUint16(result, flags), p[2:]...)
		}
		return result
	}
	contours := int(binary.BigEndian.Uint16(outline))
	at := glyphHead + 2*contours
	program := int(binary.BigEndian.Uint16(outline[at:]))
	return slices.Concat(outline[:at], []byte{0, 0}, outline[at+2+program:])
}
