package truetype

import (
	"encoding/binary"
	"slices"
)

// outlines are the glyphs of a font: loca says where in glyf each begins, in
// steps of two bytes.
type outlines struct{ glyf, loca []byte }

// count returns how many glyphs there are; loca also says where the last one ends.
func (o outlines) count() uint16 { return uint16(len(o.loca)/2 - 1) }

// outline returns a glyph as it is in the font, empty for a space.
func (o outlines) outline(id uint16) []byte {
	at := o.loca[2*int(id):]
	return o.glyf[2*int(binary.BigEndian.Uint16(at)) : 2*int(binary.BigEndian.Uint16(at[2:]))]
}

// withComponents adds glyph 0, which stands for missing characters, and all glyphs
// that the given ones are made of: é is e and ´.
func (o outlines) withComponents(glyphs []uint16) map[uint16]bool {
	all := map[uint16]bool{0: true}
	for todo := slices.Clone(glyphs); len(todo) > 0; todo = todo[1:] {
		all[todo[0]] = true
		for _, c := range components(o.outline(todo[0])) {
			if id := binary.BigEndian.Uint16(c[2:]); !all[id] {
				todo = append(todo, id)
			}
		}
	}
	return all
}

// Flags of a component of a composite glyph.
const (
	wordArguments   = 1 << 0
	oneScale        = 1 << 3
	moreComponents  = 1 << 5
	twoScales       = 1 << 6
	fourScales      = 1 << 7
	hasInstructions = 1 << 8
)

const glyphHeader = 10 // number of contours and box

// composite reports whether a glyph is made of others: its number of contours is
// negative.
func composite(outline []byte) bool { return len(outline) > 0 && outline[0]&0x80 != 0 }

// components returns the descriptions of the glyphs that a composite is made of:
// flags, number of the glyph, its place.
func components(outline []byte) (list [][]byte) {
	if !composite(outline) {
		return nil
	}
	for rest := outline[glyphHeader:]; ; {
		flags := binary.BigEndian.Uint16(rest)
		size := componentSize(flags)
		list, rest = append(list, rest[:size]), rest[size:]
		if flags&moreComponents == 0 {
			return list
		}
	}
}

func componentSize(flags uint16) int {
	size := 6
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
	return size
}

// withoutHints returns a glyph without the instructions that fit it to a raster.
func withoutHints(outline []byte) []byte {
	switch {
	case len(outline) == 0:
		return nil
	case composite(outline):
		result := slices.Clone(outline[:glyphHeader])
		for _, c := range components(outline) {
			flags := binary.BigEndian.Uint16(c) &^ hasInstructions
			result = append(binary.BigEndian.AppendUint16(result, flags), c[2:]...)
		}
		return result
	}
	contours := int(binary.BigEndian.Uint16(outline))
	at := glyphHeader + 2*contours
	instructions := int(binary.BigEndian.Uint16(outline[at:]))
	return slices.Concat(outline[:at], []byte{0, 0}, outline[at+2+instructions:])
}
