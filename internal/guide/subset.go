package guide

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
)

// A TrueType file is a directory of tables (ISO/IEC 14496-22); all numbers are big-endian.

// fontTables are the tables that a PDF needs of a font (ISO 32000-1, 9.9). Without
// hints the tables of their programs are not among them. Some readers want post too.
var fontTables = []string{"cmap", "glyf", "head", "hhea", "hmtx", "loca", "maxp", "post"}

const (
	directoryHead  = 12
	directoryEntry = 16
	postHead       = 32
	nameless       = 0x00030000 // version of a post table without names of glyphs
)

// subset returns a TrueType font that draws the glyphs of keep only. They stay
// under their numbers, so that the other tables stay true; the outlines of all
// others and the hints, which no printer needs, are left out.
func subset(font []byte, keep map[uint16]bool) ([]byte, error) {
	tables, err := tablesOf(font)
	if err != nil {
		return nil, err
	}
	if binary.BigEndian.Uint16(tables["head"][50:]) != 0 {
		return nil, fmt.Errorf("guide: the font's index of outlines is long, want short")
	}
	old, post := outlines{glyf: tables["glyf"], loca: tables["loca"]}, tables["post"]
	keep = old.withParts(keep)
	var glyf, loca []byte
	for id := range uint16(len(old.loca)/2 - 1) {
		loca = binary.BigEndian.AppendUint16(loca, uint16(len(glyf)/2))
		if keep[id] {
			glyf = append(glyf, unhinted(old.outline(id))...)
			glyf = append(glyf, make([]byte, len(glyf)%2)...)
		}
	}
	tables["glyf"] = glyf
	tables["loca"] = binary.BigEndian.AppendUint16(loca, uint16(len(glyf)/2))
	tables["post"] = binary.BigEndian.AppendUint32(nil, nameless)
	tables["post"] = append(tables["post"], post[4:postHead]...)
	return assemble(tables), nil
}

// tablesOf returns the tables of fontTables.
func tablesOf(font []byte) (map[string][]byte, error) {
	tables := make(map[string][]byte)
	for i := range int(binary.BigEndian.Uint16(font[4:])) {
		entry := font[directoryHead+directoryEntry*i:]
		offset, length := binary.BigEndian.Uint32(entry[8:]), binary.BigEndian.Uint32(entry[12:])
		tables[string(entry[:4])] = font[offset : offset+length]
	}
	for _, name := range fontTables {
		if tables[name] == nil {
			return nil, fmt.Errorf("guide: the font has no table %s", name)
		}
	}
	maps.DeleteFunc(tables, func(name string, _ []byte) bool { return !slices.Contains(fontTables, name) })
	return tables, nil
}

// assemble writes tables as a font.
func assemble(tables map[string][]byte) []byte {
	names := slices.Sorted(maps.Keys(tables))
	power, exponent := 1, 0
	for power*2 <= len(names) {
		power, exponent = power*2, exponent+1
	}
	var head, body []byte
	head = binary.BigEndian.AppendUint32(head, 0x00010000)
	for _, n := range []int{len(names), power * directoryEntry, exponent, (len(names) - power) * directoryEntry} {
		head = binary.BigEndian.AppendUint16(head, uint16(n))
	}
	start := directoryHead + directoryEntry*len(names)
	for _, name := range names {
		head = append(head, name...)
		head = binary.BigEndian.AppendUint32(head, checksum(tables[name]))
		head = binary.BigEndian.AppendUint32(head, uint32(start+len(body)))
		head = binary.BigEndian.AppendUint32(head, uint32(len(tables[name])))
		body = append(body, tables[name]...)
		body = append(body, make([]byte, -len(body)&3)...)
	}
	return append(head, body...)
}

func checksum(table []byte) (sum uint32) {
	padded := append(slices.Clone(table), make([]byte, -len(table)&3)...)
	for ; len(padded) > 0; padded = padded[4:] {
		sum += binary.BigEndian.Uint32(padded)
	}
	return sum
}
