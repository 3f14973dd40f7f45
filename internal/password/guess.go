package password

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"guiche/internal/password/pattern"

	"github.com/trustelem/zxcvbn/match"
	"golang.org/x/text/unicode/norm"
)

// minBits is how many times the guesses that zxcvbn needs are to double. What people
// make of words, names, years and keyboard walks has at most 31, twelve characters by
// chance 39, four words of a sentence over 50.
const minBits = 34

// maxMeasured is how many bytes of a password are measured; more cannot make it
// weaker.
const maxMeasured = 72

// weakness returns why a password would be guessed, "" for a good one. The words are
// those that others would try first at this place.
func weakness(password string, words []string) string {
	lower, names := foldKeepingSpaces(password), inputsOf(words)
	if isGuessable(password, words) {
		return explain(lower, nil, names)
	}
	inputs := append(slices.Clone(names), commonInputs()...)
	for _, form := range forms(lower) {
		if bits, parts := measure(form, inputs); bits < minBits {
			return explain(lower, parts, names)
		}
	}
	return ""
}

// forms are ways to read a password: as it is and, where that makes it much shorter,
// without repeated characters.
func forms(lower string) []string {
	once := string(slices.Compact([]rune(lower)))
	if len(once)*5 <= len(lower)*3 {
		return []string{lower, once}
	}
	return []string{lower}
}

// measure returns how many times the guesses double that a form needs, and its parts.
func measure(form string, inputs []string) (bits float64, parts []*match.Match) {
	guesses, parts := pattern.Guesses(strings.ToValidUTF8(form[:min(len(form), maxMeasured)], ""), inputs)
	return math.Log2(max(guesses, 1)), parts
}

// inputsOf returns the words of names, each and all together.
func inputsOf(names []string) []string {
	var inputs []string
	for _, name := range names {
		parts := strings.FieldsFunc(foldKeepingSpaces(name), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		for _, part := range append(parts, strings.Join(parts, "")) {
			if len(part) > 2 {
				inputs = append(inputs, part)
			}
		}
	}
	return inputs
}

const dayPattern, monthPattern, yearPattern = `(?:0[1-9]|[12]\d|3[01])`, `[/. -]?(?:0[1-9]|1[0-2])[/. -]?`, `(?:19|20)\d\d`

var date = regexp.MustCompile(dayPattern + monthPattern + yearPattern + `|` + yearPattern + monthPattern + dayPattern)

// explain names what most of a password is made of.
func explain(lower string, parts []*match.Match, names []string) string {
	for _, name := range names {
		if strings.Contains(lower, name) {
			return "contém um nome que outros conhecem"
		}
	}
	if date.MatchString(lower) {
		return "contém uma data"
	}
	longest := slices.MaxFunc(append(parts, &match.Match{}), func(a, b *match.Match) int { return len(a.Token) - len(b.Token) })
	switch {
	case len(slices.Compact([]rune(lower)))*5 <= len(lower)*3, longest.Pattern == "repeat", isRepetition(Fold(lower)):
		return "repete os mesmos caracteres"
	case longest.Pattern == "spatial":
		return "segue a ordem das teclas"
	case longest.Pattern == "sequence":
		return "contém uma sequência, como 1234 ou abcd"
	}
	return "é feita de palavras, nomes ou números que muita gente usa"
}

// foldKeepingSpaces is Fold without taking the spaces out, of which sentences have
// many.
func foldKeepingSpaces(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKD.String(s))
}
