package engine

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold writes a word as words are compared: small, and Latin letters without accents, as
// FTS5's tokenizer unicode61 writes it without diacritics.
func Fold(word string) string {
	folded := make([]byte, 0, len(word))
	for _, r := range word {
		if r = foldRune(r); r != 0 {
			folded = utf8.AppendRune(folded, r)
		}
	}
	return string(folded)
}

// SortByName sorts by name as people look for it, without regard to case and accents; those of
// one name stay in their order.
func SortByName[T any](all []T, name func(T) string) {
	type folded struct {
		name  string
		value T
	}
	sorted := make([]folded, len(all))
	for i, v := range all {
		sorted[i] = folded{Fold(name(v)), v}
	}
	slices.SortStableFunc(sorted, func(a, b folded) int { return strings.Compare(a.name, b.name) })
	for i, f := range sorted {
		all[i] = f.value
	}
}

// foldRune is Fold for a letter, 0 for an accent that stands alone.
func foldRune(r rune) rune {
	switch {
	case 'A' <= r && r <= 'Z':
		return r + 'a' - 'A'
	case r < utf8.RuneSelf:
		return r
	case unicode.Is(accents, r):
		return 0
	case r == 'ı', r == 'Ǡ', r == 'ǡ': // which unicode61 leaves alone, but for its case
		return unicode.ToLower(r)
	}
	var buffer [utf8.UTFMax]byte
	r = unicode.ToLower(unicode.ToUpper(r))
	base, _ := utf8.DecodeRune(norm.NFD.Bytes(utf8.AppendRune(buffer[:0], r)))
	if base < utf8.RuneSelf {
		return base
	}
	return r
}
