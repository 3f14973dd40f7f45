package caselist

import (
	"unicode/utf8"

	"guiche/internal/store/engine"
)

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
