package caselist

import (
	"slices"
	"strings"
	"unicode/utf8"

	"guiche/internal/store/engine"
)

// hasAny reports whether a folded text has, for all beginnings of one of the lists, a word
// that begins so.
func hasAny(text string, lists [][]string) bool {
	return slices.ContainsFunc(lists, func(words []string) bool {
		return !slices.ContainsFunc(words, func(word string) bool { return !hasWord(text, word) })
	})
}

// hasWord reports whether a word of the text begins so. Words are letters and digits.
func hasWord(text, beginning string) bool {
	for from := 0; ; {
		at := strings.Index(text[from:], beginning)
		if at < 0 {
			return false
		}
		from += at
		before, _ := utf8.DecodeLastRuneInString(text[:from])
		if from == 0 || !engine.InWord(before) {
			return true
		}
		from++
	}
}

// plainWords are the lists of beginnings, folded, of which a case has all of one; not where
// they have letters beyond those of western Europe.
func plainWords(words []string) (lists [][]string, plain bool) {
	for _, list := range engine.Alternatives(words) {
		folded := make([]string, len(list))
		for i, word := range list {
			if folded[i], plain = fold(word); !plain {
				return nil, false
			}
		}
		lists = append(lists, folded)
	}
	return lists, true
}

// folds are the letters from À to ÿ as the full-text index has them: small and without
// accents.
var folds = []rune("aaaaaaæceeeeiiiiðnooooo×øuuuuyþßaaaaaaæceeeeiiiiðnooooo÷øuuuuyþy")

// fold writes a text as the full-text index has it. Plain says that it could: letters beyond
// those of western Europe have rules of their own there.
func fold(text string) (folded string, plain bool) {
	letters, plain := appendFolded(nil, text)
	return string(letters), plain
}

// appendFolded is fold, at the end of what is there.
func appendFolded(to []byte, text string) (letters []byte, plain bool) {
	for _, r := range text {
		switch {
		case 'A' <= r && r <= 'Z':
			to = append(to, byte(r)+'a'-'A')
		case r < utf8.RuneSelf:
			to = append(to, byte(r))
		case r < 'À' && r != 'µ':
			to = utf8.AppendRune(to, r)
		case 'À' <= r && r <= 'ÿ':
			to = utf8.AppendRune(to, folds[r-'À'])
		default:
			return to, false
		}
	}
	return to, true
}
