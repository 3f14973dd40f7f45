package directory

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// collapseSpace returns a text of one line: valid, without control characters, with single
// spaces. Soft hyphens and other characters that nobody sees go: they come along with what is
// pasted, and no search finds a word that holds one.
func collapseSpace(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Cf, r):
			return -1
		case unicode.IsControl(r):
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, " "))
	return strings.Join(strings.Fields(s), " ")
}

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
	for word := range strings.FieldsSeq(fold(collapseSpace(search))) {
		if !strings.Contains(all, word) {
			return false
		}
	}
	return true
}
