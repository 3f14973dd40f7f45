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

// A password's length, in characters; nothing else is asked of its composition.
const (
	minRunes = 12
	maxRunes = 128
)

// MaxBytes bounds what is hashed when somebody enters; no password is that long.
const MaxBytes = 4 * maxRunes

//go:embed common_passwords.txt
var commonText string

// common is what people choose first: whole passwords and the words they are made
// of, folded.
var common = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	for line := range strings.Lines(commonText) {
		if word := strings.TrimSpace(line); word != "" && !strings.HasPrefix(word, "#") {
			words[Fold(word)] = true
		}
	}
	return words
})

// Problems returns what is wrong with a password that was chosen, about the field
// "senha". names are the owner's own: they are the first that others try.
func Problems(password string, names ...string) []problem.Field {
	refuse := func(code, message string) []problem.Field {
		return []problem.Field{{Path: "senha", Code: code, Message: message}}
	}
	switch n := utf8.RuneCountInString(Normalize(password)); {
	case n == 0:
		return refuse("obrigatorio", "Escolha uma senha.")
	case n < minRunes:
		return refuse("limite", fmt.Sprintf("A senha tem ao menos %d caracteres. Uma frase curta serve bem.", minRunes))
	case n > maxRunes:
		return refuse("limite", fmt.Sprintf("A senha tem no máximo %d caracteres.", maxRunes))
	case isGuessable(password, names):
		return refuse("comum", "Esta senha é fácil de adivinhar. Escolha outra.")
	default:
		return nil
	}
}

// isGuessable reports whether a password is a well-known one, one such word with
// digits and signs around it, one of its owner's names, or a short piece repeated.
func isGuessable(password string, names []string) bool {
	whole := Fold(password)
	core := strings.TrimFunc(whole, func(r rune) bool { return !unicode.IsLetter(r) })
	parts := strings.FieldsFunc(strings.Join(names, " "), func(r rune) bool { return !unicode.IsLetter(r) })
	for _, own := range append(parts, names...) {
		if own := Fold(own); own != "" && (whole == own || core == own) {
			return true
		}
	}
	for _, s := range []string{whole, core, piece(whole), piece(core)} {
		if common()[s] {
			return true
		}
	}
	return utf8.RuneCountInString(piece(whole)) <= 4
}

// piece returns the shortest text that s repeats, s itself when it repeats none.
func piece(s string) string {
	for n := 1; n <= len(s)/2; n++ {
		if len(s)%n == 0 && strings.Repeat(s[:n], len(s)/n) == s {
			return s[:n]
		}
	}
	return s
}

// Fold lets texts be compared as people see them: lower case, without accents and
// spaces.
func Fold(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) || unicode.IsSpace(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKD.String(s))
}

// Normalize makes the same typed text the same bytes on every keyboard.
func Normalize(s string) string { return norm.NFKC.String(s) }
