// Package truetype cuts a TrueType font (ISO/IEC 14496-22) down to the glyphs that
// a PDF needs: with all its glyphs and hints each PDF would be four times as large.
package truetype

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// pdfTables are the tables that a PDF needs of a font (ISO 32000-1, 9.9), without
// those of hints. Some readers want post too.
var pdfTables = []string{"cmap", "glyf", "head", "hhea", "hmtx", "loca", "maxp", "post"}

// All numbers of a TrueType file are big-endian.
const (
	directoryHeader = 12
	directoryEntry  = 16
	postHeader      = 32
	offsetFormat    = 50         // where head says how wide the offsets of loca are: 0 is two bytes
	postVersion3    = 0x00030000 // a post table without names of glyphs
)

// Subset returns a font that draws the given glyphs only, by their numbers in the
// font. They keep their numbers, so that all other tables stay true; the outlines
// of the other glyphs are left empty, and hints, which printers do not use, are
// left out. The font is trusted: one whose tables are damaged makes it panic.
func Subset(font []byte, glyphs []uint16) ([]byte, error) {
	tables, err := readTables(font)
	if err != nil {
		return nil, err
	}
	if binary.BigEndian.Uint16(tables["head"][offsetFormat:]) != 0 {
		return nil, errors.New("truetype: the font has long offsets of outlines, want short ones")
	}
	source := outlines{glyf: tables["glyf"], loca: tables["loca"]}
	keep := source.withComponents(glyphs)
	var glyf, loca []byte
	for id := range source.count() {
		loca = binary.BigEndian.AppendUint16(loca, uint16(len(glyf)/2))
		if keep[id] {
			glyf = append(glyf, withoutHints(source.outline(id))...)
			glyf = append(glyf, make([]byte, len(glyf)%2)...)
		}
	}
	tables["glyf"] = glyf
	tables["loca"] = binary.BigEndian.AppendUint16(loca, uint16(len(glyf)/2))
	post := binary.BigEndian.AppendUint32(nil, postVersion3)
	tables["post"] = append(post, tables["post"][4:postHeader]...)
	return writeTables(tables), nil
}

// readTables returns the tables of a font that a PDF needs.
func readTables(font []byte) (map[string][]byte, error) {
	tables := make(map[string][]byte)
	for i := range int(binary.BigEndian.Uint16(font[4:])) {
		entry := font[directoryHeader+directoryEntry*i:]
		offset, length := binary.BigEndian.Uint32(entry[8:]), binary.BigEndian.Uint32(entry[12:])
		if name := string(entry[:4]); slices.Contains(pdfTables, name) {
			tables[name] = font[offset : offset+length]
		}
	}
	for _, name := range pdfTables {
		if tables[name] == nil {
			return nil, fmt.Errorf("truetype: the font has no table %s", name)
		}
	}
	return tables, nil
}

// writeTables writes tables as a font.
func writeTables(tables map[string][]byte) []byte {
	names := slices.Sorted(maps.Keys(tables))
	power, exponent := 1, 0
	for power*2 <= len(names) {
		power, exponent = power*2, exponent+1
	}
	var header, body []byte
	header = binary.BigEndian.AppendUint32(header, 0x00010000)
	for _, n := range []int{len(names), power * directoryEntry, exponent, (len(names) - power) * directoryEntry} {
		header = binary.BigEndian.AppendUint16(header, uint16(n))
	}
	start := directoryHeader + directoryEntry*len(names)
	for _, name := range names {
		header = append(header, name...)
		header = binary.BigEndian.AppendUint32(header, checksum(tables[name]))
		header = binary.BigEndian.AppendUint32(header, uint32(start+len(body)))
		header = binary.BigEndian.AppendUint32(header, uint32(len(tables[name])))
		body = append(body, tables[name]...)
		body = append(body, make([]byte, -len(body)&3)...)
	}
	return append(header, body...)
}

func checksum(table []byte) (sum uint32) {
	padded := append(slices.Clone(table), make([]byte, -len(table)&3)...)
	for ; len(padded) > 0; padded = padded[4:] {
		sum += binary.BigEndian.Uint32(padded)
	}
	return sum
}
