package api

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"guiche/internal/problem"
	"guiche/internal/service/access"
	"guiche/internal/service/wire"
)

// Words of RFC 6749, section 5.2, and of its section 4.1.2.1 for what is not the
// client's fault.
const (
	oauthInvalidRequest     = "invalid_request"
	oauthInvalidClient      = "invalid_client"
	oauthUnauthorizedClient = "unauthorized_client"
	oauthUnsupportedGrant   = "unsupported_grant_type"
	oauthInvalidScope       = "invalid_scope"
	oauthServerError        = "server_error"
	oauthUnavailable        = "temporarily_unavailable"
)

// tokenAnswer is the answer of 4.7: the members of RFC 6749, and sucesso and erros
// beside them (7.1 and row 24).
type tokenAnswer struct {
	Access    string `json:"access_token"`
	Type      string `json:"token_type"`
	ExpiresIn int    `json:"expires_in"` // seconds
	Scope     string `json:"scope"`      // words separated by spaces
	wire.Envelope
}

// tokenRefusal is the refusal of 4.7, in the same manner.
type tokenRefusal struct {
	Word        string `json:"error"`
	Description string `json:"error_description"`
	wire.Envelope
}

// notCached is Pragma, which RFC 6749, 5.1 wants with every answer.
func notCached() http.Header { return http.Header{"Pragma": {"no-cache"}} }

// issueToken serves POST /oauth/token: the grant of client credentials (4.7, rows
// 24 and 25; RFC 6749, section 4.4).
func (a *API) issueToken(c *call) (response, error) {
	token, err := a.grantToken(c)
	if err != nil {
		return response{}, inOAuth(err)
	}
	return response{header: notCached(), body: tokenAnswer{
		Access: token.Access, Type: "Bearer", ExpiresIn: int(token.Life.Seconds()),
		Scope: joinScopes(token.Scopes), Envelope: wire.NewEnvelope(nil, nil),
	}}, nil
}

func (a *API) grantToken(c *call) (access.ClientToken, error) {
	form, err := readForm(c.Request)
	if err != nil {
		return access.ClientToken{}, err
	}
	switch form.Get("grant_type") {
	case "client_credentials":
	case "":
		return access.ClientToken{}, badRequest(oauthInvalidRequest, "Informe grant_type.")
	default:
		return access.ClientToken{}, badRequest(oauthUnsupportedGrant, "Só grant_type=client_credentials é aceito.")
	}
	id, secret, err := clientOf(c.Request, form)
	if err != nil {
		return access.ClientToken{}, err
	}
	return a.access.GrantClient(c.Context(), access.ClientRequest{
		ID: id, Secret: secret, Scope: form.Get("scope"), From: a.address(c.Request),
	})
}

// joinScopes lists scopes with a space between them (RFC 6749, 3.3).
func joinScopes(scopes []access.Scope) string {
	words := make([]string, len(scopes))
	for i, s := range scopes {
		words[i] = string(s)
	}
	return strings.Join(words, " ")
}

// messageWrongClient is said of unknown, ended and revoked clients and of wrong
// secrets alike.
const messageWrongClient = "O client_id ou o client_secret não vale."

// errClient is the 401 with invalid_client; it offers HTTP Basic, as RFC 6749, 5.2 asks.
func errClient(message string) *refusal {
	r := unauthorized(message, basicChallenge)
	r.oauth = oauthInvalidClient
	return r
}

// badRequest is the 400 with a word of RFC 6749, also as its code in the envelope.
func badRequest(word, message string) *refusal {
	return &refusal{status: http.StatusBadRequest, code: word, message: message, oauth: word}
}

// inOAuth gives any refusal its word of RFC 6749.
func inOAuth(err error) error {
	refused := *refusalOf(err)
	var out *access.Refusal
	switch {
	case errors.As(err, &out) && out.Reason == access.MethodOff:
		refused = *badRequest(oauthUnauthorizedClient, messageMethodOff)
	case refused.oauth != "":
	case refused.status == http.StatusTooManyRequests, refused.status == http.StatusServiceUnavailable:
		refused.oauth = oauthUnavailable
	case refused.status >= http.StatusInternalServerError:
		refused.oauth = oauthServerError
	default:
		refused.oauth = oauthInvalidRequest
	}
	header := notCached()
	maps.Copy(header, refused.header)
	refused.header = header
	return &refused
}

// clientOf reads the client's name and secret from the form or from HTTP Basic,
// never from both (RFC 6749, 2.3).
func clientOf(r *http.Request, form url.Values) (id, secret string, err error) {
	id, secret = form.Get("client_id"), form.Get("client_secret")
	user, pass, basic := r.BasicAuth()
	if !basic {
		if id == "" || secret == "" {
			return "", "", errClient("Informe client_id e client_secret no formulário, ou por HTTP Basic.")
		}
		return id, secret, nil
	}
	user, userErr := url.QueryUnescape(user)
	pass, passErr := url.QueryUnescape(pass)
	switch {
	case userErr != nil || passErr != nil:
		return "", "", errClient(messageWrongClient)
	case secret != "" || id != "" && id != user:
		return "", "", badRequest(oauthInvalidRequest, "Envie o cliente no formulário ou por HTTP Basic, não nos dois.")
	}
	return user, pass, nil
}

// readForm reads the form of 4.7. A parameter without a value counts as absent,
// one that comes twice is refused (RFC 6749, 3.2).
func readForm(r *http.Request) (url.Values, error) {
	if err := checkFormType(r.Header); err != nil {
		return nil, err
	}
	if r.ContentLength > maxAnonymous {
		return nil, bodyTooLarge(maxAnonymous)
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxAnonymous+1))
	switch {
	case errors.Is(err, errCut):
		return nil, badRequest(oauthInvalidRequest, "O corpo chegou cortado.")
	case err != nil:
		return nil, fmt.Errorf("api: read form: %w", err)
	case len(body) > maxAnonymous:
		return nil, bodyTooLarge(maxAnonymous)
	}
	form, err := url.ParseQuery(string(body))
	if err != nil || !utf8.Valid(body) {
		return nil, badRequest(oauthInvalidRequest, "O formulário não pode ser lido.")
	}
	for _, values := range form {
		if len(values) > 1 {
			return nil, badRequest(oauthInvalidRequest, "Um parâmetro aparece duas vezes.")
		}
	}
	return form, nil
}

// checkFormType refuses with 415 anything but an uncompressed form in UTF-8.
func checkFormType(h http.Header) error {
	kind, params, err := mime.ParseMediaType(h.Get("Content-Type"))
	charset := params["charset"]
	if err != nil || kind != "application/x-www-form-urlencoded" ||
		charset != "" && !strings.EqualFold(charset, "utf-8") {
		return problem.New(problem.Unsupported, "O corpo deve ser application/x-www-form-urlencoded.")
	}
	return checkUncompressed(h)
}
