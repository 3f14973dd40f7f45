package directory

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"guiche/internal/oneline"

	"golang.org/x/text/unicode/norm"
)

// fold is how texts are searched: without case, accents and what nobody sees.
func fold(s string) string {
	if isPlain(s) { // as most are
		return strings.ToLower(s)
	}
	return strings.ToLower(strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Mn, unicode.Cf) {
			return -1
		}
		return r
	}, norm.NFKD.String(strings.ToValidUTF8(s, " "))))
}

// isPlain reports whether a text has nothing beyond ASCII.
func isPlain(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

// holds reports whether every word of search stands in one of the texts. No words
// stand everywhere.
func holds(search string, texts ...string) bool {
	all := fold(strings.Join(texts, "\n"))
	for word := range strings.FieldsSeq(fold(oneline.Clean(search))) {
		if !strings.Contains(all, word) {
			return false
		}
	}
	return true
}
