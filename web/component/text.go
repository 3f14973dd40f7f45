package component

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// ID returns the id of the field of a name: every run of other characters
// becomes one hyphen, "procedimentos[0].quantidade" gives
// "procedimentos-0-quantidade". Its message has ID(name) + "-error".
func ID(name string) string {
	if !strings.ContainsFunc(name, notInName) {
		return name
	}
	return strings.Join(strings.FieldsFunc(name, notInName), "-")
}

func notInName(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9')
}

// lower returns the label as it reads inside a sentence.
func lower(label string) string {
	first, size := utf8.DecodeRuneInString(label)
	return string(unicode.ToLower(first)) + label[size:]
}

// GroupDigits splits a code for reading aloud, in threes from the left, long
// ones in fours as on a card: "482017739" gives "482 017 739". Codes that hold
// anything but digits, and short ones, stay as they are.
func GroupDigits(code string) string {
	if len(code) < 6 || strings.Trim(code, "0123456789") != "" {
		return code
	}
	size := 3
	if len(code) > 12 {
		size = 4
	}
	var b strings.Builder
	for i, digit := range code {
		if i > 0 && i%size == 0 && len(code)-i > 1 {
			b.WriteByte(' ')
		}
		b.WriteRune(digit)
	}
	return b.String()
}
