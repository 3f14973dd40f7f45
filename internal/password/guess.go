package password

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	zxcvbn "github.com/ccojocar/zxcvbn-go"
	"github.com/ccojocar/zxcvbn-go/match"
	"github.com/ccojocar/zxcvbn-go/matching"
	"github.com/ccojocar/zxcvbn-go/scoring"
	"golang.org/x/text/unicode/norm"
)

// minBits is the least entropy of a password, as zxcvbn estimates it. What people
// make of words, names, years and keyboard walks has under 30, four words of a
// sentence over 40.
const minBits = 35

// maxMeasured is how many bytes of a password are measured; more cannot make it
// weaker.
const maxMeasured = 72

// weakness returns why a password would be guessed, "" for a good one. The words are
// those that others would try first at this place.
func weakness(password string, words []string) string {
	lower, names := foldKeepingSpaces(password), inputsOf(words)
	if isGuessable(password, words) {
		return explain(lower, scoring.MinEntropyMatch{}, names)
	}
	inputs := append(slices.Clone(names), commonInputs()...)
	for _, form := range forms(lower) {
		if found := measure(form, inputs); found.Entropy < minBits {
			return explain(lower, found, names)
		}
	}
	return ""
}

// forms are ways to read a password: as it is, with the letters that signs and digits
// stand for, from its end, and without repeated characters.
func forms(lower string) []string {
	runes := []rune(lower)
	slices.Reverse(runes)
	all := []string{lower, unleet(lower), string(runes)}
	if once := string(slices.Compact([]rune(lower))); len(once)*5 <= len(lower)*3 {
		all = append(all, once)
	}
	return all
}

// measure leaves zxcvbn's own substitutions out: their number grows without bound
// with the signs of a password.
func measure(form string, inputs []string) scoring.MinEntropyMatch {
	form = strings.ToValidUTF8(form[:min(len(form), maxMeasured)], "")
	return zxcvbn.PasswordStrength(form, inputs, func(m match.Matcher) bool { return matching.FilterL33tMatcher(m) })
}

var leet = strings.NewReplacer("@", "a", "4", "a", "3", "e", "1", "i", "!", "i", "0", "o", "$", "s", "5", "s", "7", "t")

// unleet replaces signs and digits within the text, not those that follow it.
func unleet(s string) string {
	head := strings.TrimRightFunc(s, func(r rune) bool { return !unicode.IsLetter(r) })
	return leet.Replace(head) + s[len(head):]
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
func explain(lower string, found scoring.MinEntropyMatch, names []string) string {
	for _, name := range names {
		if strings.Contains(lower, name) {
			return "contém um nome que outros conhecem"
		}
	}
	if date.MatchString(lower) {
		return "contém uma data"
	}
	longest := slices.MaxFunc(append(found.MatchSequence, match.Match{}), func(a, b match.Match) int { return len(a.Token) - len(b.Token) })
	switch {
	case len(slices.Compact([]rune(lower)))*5 <= len(lower)*3, longest.Pattern == "repeat":
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
