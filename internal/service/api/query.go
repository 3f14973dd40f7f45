package api

import (
	"net/url"
	"strings"
	"unicode/utf8"

	"guiche/internal/authorization"
	"guiche/internal/problem"
)

// parameters reads what follows the question mark as strictly as a body is read
// (rows 9 and 12): net/url would pass over what it cannot decode, and take the
// first of two cards.
func parameters(c *call) (url.Values, error) {
	values, err := url.ParseQuery(c.URL.RawQuery)
	if err != nil {
		return nil, problem.New(problem.Unreadable, "Os parâmetros do endereço não podem ser lidos.")
	}
	for name, given := range values {
		switch text := strings.Join(given, ""); {
		case !utf8.ValidString(name + text):
			return nil, unreadable("", "Os parâmetros do endereço não estão em UTF-8.")
		case len(given) > 1:
			return nil, unreadable(name, "Um parâmetro aparece duas vezes.")
		case strings.ContainsRune(text, 0):
			return nil, invalid(problem.Field{Path: name, Code: authorization.CodeFormat, Message: name + " tem um caractere nulo (U+0000)."})
		}
	}
	return values, nil
}
