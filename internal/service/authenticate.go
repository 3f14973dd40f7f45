package service

import (
	"context"
	"net/http"
	"strings"
	"time"

	"guiche/internal/problem"
)

// authenticator is one way in which a request names its sender (specification 5).
type authenticator interface {
	// authenticate returns the sender. found is false when the request carries no
	// credential of this kind.
	authenticate(r *http.Request) (c caller, found bool, err error)
}

// admit finds out who calls and whether they may: 401, 403, 429 in this order
// (row 8).
func (s *Service) admit(r *http.Request, scope Scope) (caller, error) {
	if scope == public {
		return caller{}, nil
	}
	c, err := s.identify(r)
	switch {
	case err != nil:
		return caller{}, err
	case !c.profile.allows(c.access.Method):
		return caller{}, errMethod()
	case !c.profile.may(scope):
		return caller{}, errScope(c.access.Method, scope)
	}
	return c, s.pace(r.Context(), c.profile)
}

func errMethod() *refusal {
	return forbidden(codeAuthMethod, "Este perfil não permite este método de autenticação.")
}

func errScope(m Method, scope Scope) *refusal {
	message := "Este acesso não tem o escopo " + string(scope) + "."
	refused := forbidden(codeScope, message)
	if m != MethodAPIKey {
		refused = refused.with(challengeHeader, bearerError(bearerInsufficientScope, message, "scope", string(scope)))
	}
	return refused
}

func (s *Service) identify(r *http.Request) (caller, error) {
	if len(r.Header.Values(keyHeader)) > 0 && len(bearerTokens(r.Header)) > 0 {
		message := "Use um só método de autenticação em cada pedido."
		return caller{}, unauthorized(message, bearerError(bearerInvalidRequest, message))
	}
	for _, a := range s.authenticators {
		if c, found, err := a.authenticate(r); found || err != nil {
			return c, err
		}
	}
	return caller{}, unauthorized("Informe a chave de acesso no cabeçalho x-api-key ou um token no cabeçalho Authorization.", keyChallenge, bearerChallenge)
}

// pace holds the profile's rate (row 10): up to one minute's worth at once, then
// evenly. Systems come in bursts, as a screen that asks for several lists does.
func (s *Service) pace(ctx context.Context, p Profile) error {
	if p.Rate == 0 {
		return nil
	}
	interval := time.Minute / time.Duration(p.Rate)
	wait, err := s.store.TakeTurn(ctx, p.ID, s.clock(), interval, p.Rate)
	if err == nil && wait > 0 {
		err = later(problem.Throttled, "Muitos pedidos em pouco tempo. Tente de novo em instantes.", wait)
	}
	return err
}

// touchEvery is how exact the last use of a key or a token is kept.
const touchEvery = time.Minute

const keyHeader = "X-Api-Key"

// apiKeys authenticates by the header x-api-key.
type apiKeys struct{ *Service }

func (s apiKeys) authenticate(r *http.Request) (caller, bool, error) {
	given := r.Header.Values(keyHeader)
	if len(given) == 0 {
		return caller{}, false, nil
	}
	c, err := s.open(r, given)
	return c, true, err
}

func (s apiKeys) open(r *http.Request, given []string) (caller, error) {
	hash, ok := hashSecret(keyPrefix, given[0])
	if !ok || len(given) > 1 {
		return caller{}, s.guessed(r, errKey())
	}
	key, profile, err := s.store.KeyByHash(r.Context(), hash)
	switch now := s.clock(); {
	case problem.Is(err, problem.NotFound):
		return caller{}, s.guessed(r, errKey())
	case err != nil:
		return caller{}, err
	case profile.Disabled || !key.valid(now):
		return caller{}, errKey()
	case now.Sub(key.UsedAt) >= touchEvery:
		err = s.store.TouchKey(r.Context(), key.ID, now)
	}
	return caller{profile, Access{MethodAPIKey, key.ID}}, err
}

// errKey says the same of unknown, ended and revoked keys.
func errKey() *refusal { return unauthorized("A chave de acesso não vale.", keyChallenge) }

// bearerTokens returns what the request carries as bearer tokens (RFC 6750, 2.1).
// Other schemes in the same header are none of ours: a proxy may have its own.
func bearerTokens(h http.Header) (tokens []string) {
	for _, value := range h.Values("Authorization") {
		scheme, token, _ := strings.Cut(value, " ")
		if strings.EqualFold(scheme, "Bearer") {
			tokens = append(tokens, strings.TrimSpace(token))
		}
	}
	return tokens
}

// accessTokens authenticates by the header Authorization: Bearer.
type accessTokens struct{ *Service }

func (s accessTokens) authenticate(r *http.Request) (caller, bool, error) {
	given := bearerTokens(r.Header)
	if len(given) == 0 {
		return caller{}, false, nil
	}
	grant, err := s.open(r, given)
	return caller{grant.narrowed(), grant.Family.access()}, true, err
}

func (s accessTokens) open(r *http.Request, given []string) (Grant, error) {
	hash, ok := hashSecret(accessPrefix, given[0])
	if !ok || len(given) > 1 {
		return Grant{}, s.guessed(r, errToken())
	}
	grant, err := s.store.TokenByHash(r.Context(), AccessToken, hash)
	switch now := s.clock(); {
	case problem.Is(err, problem.NotFound):
		return Grant{}, s.guessed(r, errToken())
	case err != nil:
		return Grant{}, err
	case !grant.Live(now):
		return Grant{}, errToken()
	case now.Sub(grant.Family.UsedAt) >= touchEvery:
		err = s.store.TouchFamily(r.Context(), grant.Family.ID, now)
	}
	return grant, err
}

// errToken says the same of unknown, ended and revoked tokens.
func errToken() *refusal {
	const message = "O token de acesso não vale ou expirou."
	return unauthorized(message, bearerError(bearerInvalidToken, message))
}
