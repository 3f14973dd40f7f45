package account

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
	minPasswordRunes = 12
	maxPasswordRunes = 128
)

//go:embed common_passwords.txt
var commonText string

// common is what people choose first: whole passwords and the words they are made
// of, folded.
var common = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	for line := range strings.Lines(commonText) {
		if word := strings.TrimSpace(line); word != "" && !strings.HasPrefix(word, "#") {
			words[fold(word)] = true
		}
	}
	return words
})

// passwordProblems returns what is wrong with a password that a person chose.
func passwordProblems(password string, owner User) []problem.Field {
	refuse := func(code, message string) []problem.Field {
		return []problem.Field{{Path: "senha", Code: code, Message: message}}
	}
	switch n := utf8.RuneCountInString(normalize(password)); {
	case n == 0:
		return refuse("obrigatorio", "Escolha uma senha.")
	case n < minPasswordRunes:
		return refuse("limite", fmt.Sprintf("A senha tem ao menos %d caracteres. Uma frase curta serve bem.", minPasswordRunes))
	case n > maxPasswordRunes:
		return refuse("limite", fmt.Sprintf("A senha tem no máximo %d caracteres.", maxPasswordRunes))
	case isGuessable(password, owner):
		return refuse("comum", "Esta senha é fácil de adivinhar. Escolha outra.")
	default:
		return nil
	}
}

// isGuessable reports whether a password is a well-known one, one such word with
// digits and signs around it, the owner's own name or login, or a short piece
// repeated.
func isGuessable(password string, owner User) bool {
	whole := fold(password)
	core := strings.TrimFunc(whole, func(r rune) bool { return !unicode.IsLetter(r) })
	parts := strings.FieldsFunc(owner.Name+" "+owner.Login, func(r rune) bool { return !unicode.IsLetter(r) })
	for _, own := range append(parts, owner.Name, owner.Login) {
		if own := fold(own); own != "" && (whole == own || core == own) {
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

// fold lets passwords be compared as people see them: lower case, without accents
// and spaces.
func fold(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) || unicode.IsSpace(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKD.String(s))
}

// normalize makes the same typed text the same bytes on every keyboard.
func normalize(s string) string { return norm.NFKC.String(s) }
