package password

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"guiche/internal/problem"

	"golang.org/x/text/unicode/norm"
)

// The length of a password in characters. There are no rules about its composition.
const (
	MinRunes = 12 // fewer are refused
	maxRunes = 128

	// maxRepeatedRunes is how long a text may be for its repetition to be refused.
	maxRepeatedRunes = 4
)

// MaxBytes is the length of the longest text that is worth hashing at a login: no
// password is longer.
const MaxBytes = 4 * maxRunes

//go:embed common_passwords.txt
var commonFile string

// commonWords are the passwords that people choose first, and the words they make
// them of, folded.
var commonWords = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	for _, word := range commonInputs() {
		words[word] = true
	}
	return words
})

// commonInputs are commonWords as a list, those that are tried first at its beginning.
var commonInputs = sync.OnceValue(func() []string {
	var words []string
	for line := range strings.Lines(commonFile) {
		if word := strings.TrimSpace(line); word != "" && !strings.HasPrefix(word, "#") {
			words = append(words, Fold(word))
		}
	}
	return words
})

// advice is what people are told whose password was refused.
const advice = "Quatro palavras que não combinam servem bem."

// Problems returns what is wrong with a new password, about the field "senha". The
// names of its owner and of the clinic are refused: they are the first that others try.
func Problems(password string, names ...string) []problem.Field {
	refuse := func(code, message string) []problem.Field {
		return []problem.Field{{Path: "senha", Code: code, Message: message}}
	}
	switch n := utf8.RuneCountInString(Normalize(password)); {
	case n == 0:
		return refuse("obrigatorio", "Escolha uma senha.")
	case n < MinRunes:
		return refuse("limite", fmt.Sprintf("A senha tem ao menos %d caracteres. Uma frase curta serve bem.", MinRunes))
	case n > maxRunes:
		return refuse("limite", fmt.Sprintf("A senha tem no máximo %d caracteres.", maxRunes))
	}
	if why := weakness(password, names); why != "" {
		return refuse("comum", "Esta senha é fácil de adivinhar: "+why+". "+advice)
	}
	return nil
}

// isGuessable reports whether a password is a common word or one of its owner's
// names, with or without digits and signs around it, or repeats a common word or a
// few characters.
func isGuessable(password string, names []string) bool {
	notLetter := func(r rune) bool { return !unicode.IsLetter(r) }
	whole := Fold(password)
	word := strings.TrimFunc(whole, notLetter)
	nameParts := strings.FieldsFunc(strings.Join(names, " "), notLetter)
	for _, name := range append(nameParts, names...) {
		if name := Fold(name); name != "" && (whole == name || word == name) {
			return true
		}
	}
	for _, s := range []string{whole, word, repeatedUnit(whole), repeatedUnit(word)} {
		if commonWords()[s] {
			return true
		}
	}
	return isRepetition(whole)
}

// isRepetition reports whether a folded text is nothing but a few characters over and
// over.
func isRepetition(folded string) bool {
	return utf8.RuneCountInString(repeatedUnit(folded)) <= maxRepeatedRunes
}

// repeatedUnit returns the shortest text that s repeats, s itself when it repeats
// none: "abab" repeats "ab".
func repeatedUnit(s string) string {
	for n := 1; n <= len(s)/2; n++ {
		if len(s)%n == 0 && strings.Repeat(s[:n], len(s)/n) == s {
			return s[:n]
		}
	}
	return s
}

// Fold returns s in lower case, without accents and spaces, for comparisons.
func Fold(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) || unicode.IsSpace(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKD.String(s))
}

// Normalize returns s in the form in which it is hashed, so that the same password
// fits whatever keyboard it is typed on.
func Normalize(s string) string { return norm.NFKC.String(s) }
