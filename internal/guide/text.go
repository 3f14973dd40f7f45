package guide

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// replacement is drawn for a character that the font lacks, so that a reader sees
// that there was one.
const replacement = '□'

const ellipsis = "…"

// maxTextBytes is how much of a text is used: more than fits into any box. A request
// may have a hundred times as much.
const maxTextBytes = 16 << 10

// printable returns s composed, on lines separated by "\n", with only characters that
// the font can draw: white space becomes a space, invisible characters (joiners,
// direction marks) and loose accents are dropped, a letter that the font lacks loses its
// accents, and what is missing even then becomes replacement. Text beyond maxTextBytes is
// dropped. whole is false when an accent was dropped or a character replaced.
func printable(s string) (text string, whole bool) {
	face := regular()
	whole = true
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return r
		case unicode.IsSpace(r), unicode.IsControl(r):
			return ' '
		case unicode.In(r, unicode.Cf, unicode.Variation_Selector):
			return -1
		case unicode.In(r, unicode.Mn, unicode.Me):
			whole = false
			return -1
		}
		if face.Has(r) {
			return r
		}
		whole = false
		if base, _ := utf8.DecodeRuneInString(norm.NFD.String(string(r))); face.Glyph(base).Advance > 0 {
			return base // Ẽ is E: the name can still be read
		}
		return replacement
	}, norm.NFC.String(s[:min(len(s), maxTextBytes)]))
	return text, whole
}

// oneLine returns s printable on one line, with single spaces.
func oneLine(s string) (line string, whole bool) {
	text, whole := printable(s)
	return strings.Join(strings.Fields(text), " "), whole
}

// printable is printable, and notes for the footer when not all of s is printed.
func (p *pen) printable(s string) string {
	text, whole := printable(s)
	p.incomplete = p.incomplete || !whole
	return text
}

// oneLine is oneLine, and notes for the footer when not all of s is printed.
func (p *pen) oneLine(s string) string {
	line, whole := oneLine(s)
	p.incomplete = p.incomplete || !whole
	return line
}

// wrap breaks text into lines no wider than width, between words where that is
// possible, and keeps the line breaks of the text.
func (p *pen) wrap(text string, width float64) []string {
	var lines []string
	for _, paragraph := range strings.Split(p.printable(text), "\n") {
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

// joinLines returns the lines of text as one, and shows where each of them ended.
func joinLines(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, " / ")
}

// breakWord cuts a word into full lines and the rest.
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

// truncate returns s, or its beginning with an ellipsis, no wider than width.
func (p *pen) truncate(s string, width float64) string {
	if p.width(s) <= width {
		return s
	}
	n := p.fitting(s, width-p.width(ellipsis))
	return strings.TrimRight(s[:n], " ") + ellipsis
}
