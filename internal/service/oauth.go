package service

import (
	"crypto/subtle"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"guiche/internal/problem"

	"github.com/google/uuid"
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
	oauthLater              = "temporarily_unavailable"
)

// tokenAnswer is the answer of 4.7: the members of RFC 6749, and sucesso and erros
// beside them (7.1 and row 24).
type tokenAnswer struct {
	Access    string `json:"access_token"`
	Type      string `json:"token_type"`
	ExpiresIn int    `json:"expires_in"` // seconds
	Scope     string `json:"scope"`      // words separated by spaces
	envelope
}

// tokenRefusal is the refusal of 4.7, in the same manner.
type tokenRefusal struct {
	Word        string `json:"error"`
	Description string `json:"error_description"`
	envelope
}

// issueToken serves POST /oauth/token: the grant of client credentials (4.7, rows
// 24 and 25; RFC 6749, section 4.4).
func (s *Service) issueToken(w http.ResponseWriter, c *call) error {
	w.Header().Set("Pragma", "no-cache") // RFC 6749, 5.1
	if err := s.grantToken(w, c); err != nil {
		return inOAuth(err)
	}
	return nil
}

func (s *Service) grantToken(w http.ResponseWriter, c *call) error {
	form, err := readForm(c.Request)
	if err != nil {
		return err
	}
	switch form.Get("grant_type") {
	case "client_credentials":
	case "":
		return badRequest(oauthInvalidRequest, "Informe grant_type.")
	default:
		return badRequest(oauthUnsupportedGrant, "Só grant_type=client_credentials é aceito.")
	}
	client, profile, err := s.checkClient(c.Request, form)
	switch {
	case err != nil:
		return err
	case !profile.allows(MethodOAuth):
		return badRequest(oauthUnauthorizedClient, "Este perfil não permite este método de autenticação.")
	}
	asked, err := narrowing(profile, form.Get("scope"))
	if err != nil {
		return err
	}
	if err := s.pace(c.Context(), profile); err != nil {
		return err
	}
	return s.openGrant(w, c, client, profile, asked)
}

func (s *Service) openGrant(w http.ResponseWriter, c *call, client OAuthClient, p Profile, asked []Scope) error {
	now := s.clock()
	access, token := mintToken(accessPrefix, AccessToken, now, accessLife)
	family := Family{ID: uuid.Must(uuid.NewV7()), ProfileID: p.ID, ClientID: client.ID, Scopes: asked, CreatedAt: now, EndsAt: token.ExpiresAt}
	err := s.store.AddFamily(c.Context(), family, token)
	if problem.Is(err, problem.NotFound) {
		return errClient(sayWrongClient) // revoked since it was checked
	}
	if err != nil {
		return err
	}
	granted := Grant{Family: family, Profile: p}.narrowed().Scopes
	return writeEnvelope(w, http.StatusOK, tokenAnswer{Access: access, Type: "Bearer", ExpiresIn: int(accessLife.Seconds()),
		Scope: joinScopes(granted), envelope: newEnvelope(nil, nil)})
}

// narrowing returns the scopes that the form asks for; nil is all of the profile's
// (row 25).
func narrowing(p Profile, text string) ([]Scope, error) {
	var asked []Scope
	for word := range strings.FieldsSeq(text) {
		scope := Scope(word)
		if !slices.Contains(p.Scopes, scope) {
			return nil, badRequest(oauthInvalidScope, "Este perfil não tem um dos escopos pedidos.")
		}
		if !slices.Contains(asked, scope) {
			asked = append(asked, scope)
		}
	}
	return asked, nil
}

func joinScopes(scopes []Scope) string {
	words := make([]string, len(scopes))
	for i, s := range scopes {
		words[i] = string(s)
	}
	return strings.Join(words, " ")
}

// sayWrongClient is said of unknown, ended and revoked clients and of wrong secrets
// alike.
const sayWrongClient = "O client_id ou o client_secret não vale."

func errClient(message string) *refusal {
	r := unauthorized(message, basicChallenge)
	r.oauth = oauthInvalidClient
	return r
}

func badRequest(word, message string) *refusal {
	return &refusal{status: http.StatusBadRequest, code: word, message: message, oauth: word}
}

// inOAuth gives any refusal its word of RFC 6749.
func inOAuth(err error) error {
	refused := *refusalOf(err)
	switch {
	case refused.oauth != "":
	case refused.status == http.StatusTooManyRequests, refused.status == http.StatusServiceUnavailable:
		refused.oauth = oauthLater
	case refused.status >= http.StatusInternalServerError:
		refused.oauth = oauthServerError
	default:
		refused.oauth = oauthInvalidRequest
	}
	return &refused
}

// checkClient finds out which client asks, with the same work for an unknown one
// and a wrong secret.
func (s *Service) checkClient(r *http.Request, form url.Values) (OAuthClient, Profile, error) {
	id, secret, err := clientOf(r, form)
	if err != nil {
		return OAuthClient{}, Profile{}, err
	}
	given, wellFormed := hashSecret(clientPrefix, secret)
	clientID, _ := uuid.Parse(id) // what is no UUID is nobody's
	client, profile, err := s.store.Client(r.Context(), clientID)
	if err != nil && !problem.Is(err, problem.NotFound) {
		return OAuthClient{}, Profile{}, err
	}
	fits := subtle.ConstantTimeCompare(client.Hash[:], given[:]) == 1
	switch {
	case err != nil, !wellFormed, !fits, id != clientID.String():
		return OAuthClient{}, Profile{}, s.guessed(r, errClient(sayWrongClient))
	case profile.Disabled || !client.valid(s.clock()):
		return OAuthClient{}, Profile{}, errClient(sayWrongClient)
	}
	return client, profile, nil
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
		return "", "", errClient(sayWrongClient)
	case secret != "" || id != "" && id != user:
		return "", "", badRequest(oauthInvalidRequest, "Envie o cliente no formulário ou por HTTP Basic, não nos dois.")
	}
	return user, pass, nil
}

// readForm reads the form of 4.7. A parameter without a value counts as absent,
// one that comes twice is refused (RFC 6749, 3.2).
func readForm(r *http.Request) (url.Values, error) {
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	charset := params["charset"]
	if err != nil || kind != "application/x-www-form-urlencoded" || charset != "" && !strings.EqualFold(charset, "utf-8") || r.Header.Get("Content-Encoding") != "" {
		return nil, problem.New(problem.Unsupported, "O corpo deve ser application/x-www-form-urlencoded.")
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxRest+1))
	switch {
	case errors.Is(err, errCut):
		return nil, badRequest(oauthInvalidRequest, "O corpo chegou cortado.")
	case err != nil:
		return nil, err
	case len(body) > maxRest:
		return nil, tooLarge("", "O formulário tem no máximo 1 MiB.")
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
