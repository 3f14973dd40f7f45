// Package oneline cleans names and codes that people type or paste, so that what looks the same is the same.
package oneline

import (
	"strings"
	"unicode"
)

// Visible returns a text without soft hyphens and other characters that nobody sees.
func Visible(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, s)
}

// Clean returns a text of one line: valid, without control characters, with single spaces. Soft
// hyphens and other characters that nobody sees go: they come along with what is pasted, and no
// search finds a word that holds one.
func Clean(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, Visible(strings.ToValidUTF8(s, " ")))
	return strings.Join(strings.Fields(s), " ")
}
