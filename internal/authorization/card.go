package authorization

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode"

	"guiche/internal/oneline"
)

// CompileCard compiles a credential's pattern for Rules.CardPattern: a regular
// expression that the whole card must match. "" gives nil, which allows any card.
func CompileCard(pattern string) (*regexp.Regexp, error) {
	if pattern == "" {
		return nil, nil
	}
	if _, err := syntax.Parse(pattern, syntax.Perl); err != nil { // by itself: its parentheses must not close the group below
		return nil, fmt.Errorf("card pattern: %w", err)
	}
	return regexp.Compile(`^(?:` + pattern + `)$`)
}

// CleanCard removes the separators that users type and paste in a card's number:
// white space, dots, dashes, slashes and what nobody sees. Letters stay: some cards have them.
func CleanCard(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || strings.ContainsRune(".-/–—", r) {
			return -1
		}
		return r
	}, oneline.Visible(s))
}

var tussCode = regexp.MustCompile(`^\d{8}$`)

// CleanProcedure writes a TUSS code that was typed as it is printed, 4.03.16.52-1, as it is sent:
// 40316521. Any other code is an operator's own and stays as it is.
func CleanProcedure(code string) string {
	if clean := CleanCard(code); tussCode.MatchString(clean) {
		return clean
	}
	return code
}
