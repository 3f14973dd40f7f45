package api

import (
	"net/http"
	"strings"

	"guiche/internal/problem"
	"guiche/internal/service/access"

	"golang.org/x/text/unicode/norm"
)

const challengeHeader = "WWW-Authenticate"

// Challenges without an error: the request carried no access of the kind.
const (
	keyChallenge    = `ApiKey realm="guiche", header="x-api-key"`
	bearerChallenge = `Bearer realm="guiche"`
	basicChallenge  = `Basic realm="guiche", charset="UTF-8"`
)

// Words of RFC 6750, section 3.1.
const (
	bearerInvalidRequest    = "invalid_request"
	bearerInvalidToken      = "invalid_token"
	bearerInsufficientScope = "insufficient_scope"
)

// accessRefusal is the refusal of a caller who does not come in (rows 9 and 23).
func accessRefusal(r *access.Refusal) *refusal {
	switch r.Reason {
	case access.InvalidKey:
		return unauthorized("A chave de acesso não vale.", keyChallenge)
	case access.InvalidToken:
		return invalidToken("O token de acesso não vale ou expirou.")
	case access.InvalidRefresh:
		return invalidToken("O token de renovação não vale. Entre de novo.")
	case access.InvalidLogin:
		return unauthorized("Usuário ou senha incorretos.", bearerChallenge)
	case access.InvalidClient:
		return errClient(messageWrongClient)
	case access.UnknownScope:
		return badRequest(oauthInvalidScope, "Este perfil não tem um dos escopos pedidos.")
	case access.MissingScope:
		return missingScope(r)
	case access.TooManyRequests:
		return throttled("Muitos pedidos em pouco tempo. Tente de novo em instantes.", r.Wait)
	case access.TooManyGuesses:
		return throttled("Muitas tentativas sem sucesso. Espere um pouco antes de tentar de novo.", r.Wait)
	case access.MethodOff:
	}
	return forbidden(codeAuthMethod, messageMethodOff)
}

const messageMethodOff = "Este perfil não permite este método de autenticação."

// invalidToken is the 401 with invalid_token, which tells OAuth clients to get another
// token (RFC 6750, 3.1).
func invalidToken(message string) *refusal {
	return unauthorized(message, bearerError(bearerInvalidToken, message))
}

// missingScope is the 403 that names the missing scope. A caller with a key gets no
// Bearer challenge, which speaks of tokens only.
func missingScope(r *access.Refusal) *refusal {
	message := "Este acesso não tem o escopo " + string(r.Scope) + "."
	refused := forbidden(codeScope, message)
	if r.Method != access.MethodAPIKey {
		refused = refused.with(challengeHeader, bearerError(bearerInsufficientScope, message, "scope", string(r.Scope)))
	}
	return refused
}

// errTwoMethods is the 401 for a request with a key and a token: which of the two counts
// must not be a guess.
func errTwoMethods() *refusal {
	const message = "Use um só método de autenticação em cada pedido."
	return unauthorized(message, bearerError(bearerInvalidRequest, message))
}

// errNoMethod is the 401 for a request without access; it offers both methods.
func errNoMethod() *refusal {
	return unauthorized("Informe a chave de acesso no cabeçalho x-api-key ou um token no cabeçalho Authorization.",
		keyChallenge, bearerChallenge)
}

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
