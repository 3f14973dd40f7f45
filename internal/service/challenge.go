package service

import (
	"net/http"
	"strings"

	"guiche/internal/problem"

	"golang.org/x/text/unicode/norm"
)

const challengeHeader = "WWW-Authenticate"

// Challenges without an error: the request carried no credential of the kind.
const (
	keyChallenge    = `ApiKey realm="guiche", header="x-api-key"`
	bearerChallenge = `Bearer realm="guiche"` //nolint:gosec // no secret
	basicChallenge  = `Basic realm="guiche", charset="UTF-8"`
)

// Words of RFC 6750, section 3.1.
const (
	bearerInvalidRequest    = "invalid_request"
	bearerInvalidToken      = "invalid_token"
	bearerInsufficientScope = "insufficient_scope"
)

// unauthorized is the refusal of a caller who is not known (row 9).
func unauthorized(message string, challenges ...string) *refusal {
	r := &refusal{status: http.StatusUnauthorized, code: string(problem.Unauthorized), message: message}
	for _, c := range challenges {
		r = r.with(challengeHeader, c)
	}
	return r
}

// bearerError is a challenge that says what was wrong with a bearer token; more
// are further parameters, name and value.
func bearerError(word, message string, more ...string) string {
	text := bearerChallenge + `, error="` + word + `", error_description="` + plainASCII(message) + `"`
	for i := 0; i+1 < len(more); i += 2 {
		text += ", " + more[i] + `="` + more[i+1] + `"`
	}
	return text
}

// plainASCII returns a sentence in the characters that RFC 6749 and RFC 6750 allow
// in descriptions: accents go, and so do quotes.
func plainASCII(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || r == '"' || r == '\\' {
			return -1
		}
		return r
	}, norm.NFD.String(text))
}
