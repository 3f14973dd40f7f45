package guide

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// missing stands for a character that the font lacks: the reader sees that
// something stood there.
const missing = '□'

const ellipsis = "…"

// longest is how many bytes of a text are looked at: more than any box holds. A
// request may bring a hundred times as many.
const longest = 16 << 10

// printable returns s composed, on lines separated by "\n", with nothing in it
// that the font cannot draw: white space becomes a space, characters without a
// shape of their own (joiners, direction marks, loose accents) go, and what is
// missing in the font becomes a visible sign. What lies beyond longest goes too.
func printable(s string) string {
	glyphs := regular().glyphs
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return r
		case unicode.IsSpace(r), unicode.IsControl(r):
			return ' '
		case unicode.In(r, unicode.Cf, unicode.Mn, unicode.Me):
			return -1
		}
		if _, ok := glyphs[r]; ok {
			return r
		}
		return missing
	}, norm.NFC.String(s[:min(len(s), longest)]))
}

// oneLine returns s printable on one line, with single spaces.
func oneLine(s string) string { return strings.Join(strings.Fields(printable(s)), " ") }

// wrap breaks text into lines no wider than width, between words where that is
// possible, and keeps the breaks that are in it.
func (p *pen) wrap(text string, width float64) []string {
	var lines []string
	for _, paragraph := range strings.Split(printable(text), "\n") {
		line := ""
		for _, word := range strings.Fields(paragraph) {
			joined := strings.TrimPrefix(line+" "+word, " ")
			if p.width(joined) <= width {
				line = joined
				continue
			}
			if line != "" {
				lines = append(lines, line)
			}
			var full []string
			full, line = p.breakWord(word, width)
			lines = append(lines, full...)
		}
		if line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// breakWord cuts a word into lines that are full and the rest.
func (p *pen) breakWord(word string, width float64) (full []string, rest string) {
	for n := p.fitting(word, width); n < len(word); n = p.fitting(word, width) {
		full, word = append(full, word[:n]), word[n:]
	}
	return full, word
}

// fitting returns how many bytes of s fit into width: at least one character, so
// that breaking a word always advances.
func (p *pen) fitting(s string, width float64) int {
	used := 0.0
	for i, r := range s {
		used += p.width(string(r))
		if used > width && i > 0 {
			return i
		}
	}
	return len(s)
}

// cut returns s, or its beginning with an ellipsis, no wider than width.
func (p *pen) cut(s string, width float64) string {
	if p.width(s) <= width {
		return s
	}
	n := p.fitting(s, width-p.width(ellipsis))
	return strings.TrimRight(s[:n], " ") + ellipsis
}
