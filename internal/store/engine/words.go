package engine

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxWords bounds a query: what a person typed beyond that narrows nothing that
// matters, and each word costs a look into the index.
const maxWords = 32

// Words splits what a person typed as FTS5's tokenizer unicode61 splits: letters,
// digits, the accents that belong to them and private use make words, all else
// separates, so "d'Ávila" is two; accents alone are none. U+0000, which would end the
// query, is dropped.
func Words(text string) []string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, " "), "\x00", "")
	words := strings.FieldsFunc(text, func(r rune) bool { return !InWord(r) })
	return slices.DeleteFunc(words, func(word string) bool { return Fold(word) == "" })
}

// InWord reports whether a letter belongs to a word. An index without positions refuses a
// word that its tokenizer takes for two.
func InWord(r rune) bool {
	return unicode.Is(accents, r) || unicode.In(r, unicode.L, unicode.N, unicode.Co) && !unicode.Is(marksThen, r)
}

// accents are the marks that unicode61 takes for part of a letter.
var accents = &unicode.RangeTable{R16: []unicode.Range16{
	{Lo: 0x300, Hi: 0x304, Stride: 1}, {Lo: 0x306, Hi: 0x30c, Stride: 1}, {Lo: 0x30f, Hi: 0x311, Stride: 2}, {Lo: 0x31b, Hi: 0x31b, Stride: 1},
	{Lo: 0x323, Hi: 0x328, Stride: 1}, {Lo: 0x32d, Hi: 0x32e, Stride: 1}, {Lo: 0x330, Hi: 0x331, Stride: 1},
}}

// marksThen are letters that were marks in the Unicode of unicode61, and separate there.
var marksThen = &unicode.RangeTable{R16: []unicode.Range16{
	{Lo: 0x19b0, Hi: 0x19c0, Stride: 1}, {Lo: 0x19c8, Hi: 0x19c9, Stride: 1}, {Lo: 0x1cf2, Hi: 0x1cf3, Stride: 1},
}}

// Alternatives are the lists of beginnings that words are looked for by: a row holds all of
// one. Only the first 32 count. Numbers that follow each other are looked for as one number
// too, because people type and paste them in groups ("0310 0045 1206").
func Alternatives(words []string) [][]string {
	words = words[:min(len(words), maxWords)]
	joined := joinNumbers(words)
	if len(joined) == len(words) {
		return [][]string{words}
	}
	return [][]string{words, joined}
}

// joinNumbers makes one word of numbers that follow each other.
func joinNumbers(words []string) []string {
	var joined []string
	number := false // the word before is one
	for _, w := range words {
		if isNumber(w) && number {
			joined[len(joined)-1] += w
		} else {
			joined = append(joined, w)
		}
		number = isNumber(w)
	}
	return joined
}

func isNumber(word string) bool { return strings.Trim(word, "0123456789") == "" }

// HasAny reports whether a text has, for all beginnings of one of the lists, a word that
// begins so. Text and beginnings are folded.
func HasAny(text string, lists [][]string) bool {
	return slices.ContainsFunc(lists, func(words []string) bool {
		return !slices.ContainsFunc(words, func(word string) bool { return !hasWord(text, word) })
	})
}

// hasWord reports whether a word of the text begins so.
func hasWord(text, beginning string) bool {
	for from := 0; ; {
		at := strings.Index(text[from:], beginning)
		if at < 0 {
			return false
		}
		from += at
		before, _ := utf8.DecodeLastRuneInString(text[:from])
		if from == 0 || !InWord(before) {
			return true
		}
		from++
	}
}

// Folded writes each word of some lists as Fold does.
func Folded(lists [][]string) [][]string {
	all := make([][]string, len(lists))
	for i, list := range lists {
		for _, word := range list {
			all[i] = append(all[i], Fold(word))
		}
	}
	return all
}
