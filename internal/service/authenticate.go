package service

import (
	"context"
	"net/http"
	"time"

	"guiche/internal/problem"
)

// authenticator is one of the specification's methods (section 5). found is
// false when the request carries no credential of this kind.
type authenticator interface {
	authenticate(ctx context.Context, r *http.Request) (p Profile, m Method, found bool, err error)
}

// admit finds out who calls and whether they may: 401, 403, 429 in this order
// (row 8).
func (s *Service) admit(r *http.Request, scope Scope) (Profile, error) {
	if scope == public {
		return Profile{}, nil
	}
	profile, method, err := s.identify(r)
	switch {
	case err != nil:
		return Profile{}, err
	case !profile.allows(method):
		return Profile{}, forbidden(codeAuthMethod, "Este perfil não permite este método de autenticação.")
	case !profile.may(scope):
		return Profile{}, forbidden(codeScope, "Este perfil não tem o escopo "+string(scope)+".")
	}
	return profile, s.pace(r.Context(), profile)
}

func (s *Service) identify(r *http.Request) (Profile, Method, error) {
	for _, a := range s.authenticators {
		if profile, method, found, err := a.authenticate(r.Context(), r); found || err != nil {
			return profile, method, err
		}
	}
	return Profile{}, "", unauthorized("Informe a chave de acesso no cabeçalho x-api-key.")
}

// pace holds the profile's rate (row 10): up to one second's worth at once, then
// evenly.
func (s *Service) pace(ctx context.Context, p Profile) error {
	if p.Rate == 0 {
		return nil
	}
	interval := time.Minute / time.Duration(p.Rate)
	wait, err := s.store.TakeTurn(ctx, p.ID, s.clock(), interval, max(1, p.Rate/60))
	if err == nil && wait > 0 {
		err = later(problem.Throttled, "Muitos pedidos em pouco tempo. Tente de novo em instantes.", wait)
	}
	return err
}

// apiKeys authenticates by the header x-api-key.
type apiKeys struct {
	store ProfileStore
	clock func() time.Time
}

// touchEvery is how exact the last use of a key is kept.
const touchEvery = time.Minute

func (a apiKeys) authenticate(ctx context.Context, r *http.Request) (Profile, Method, bool, error) {
	given := r.Header.Values("X-Api-Key")
	if len(given) == 0 {
		return Profile{}, "", false, nil
	}
	hash, ok := hashKey(given[0])
	if !ok || len(given) > 1 {
		return Profile{}, "", true, errKey()
	}
	key, profile, err := a.store.KeyByHash(ctx, hash)
	switch now := a.clock(); {
	case problem.Is(err, problem.NotFound):
		return Profile{}, "", true, errKey()
	case err != nil:
		return Profile{}, "", true, err
	case profile.Disabled || !key.valid(now):
		return Profile{}, "", true, errKey()
	case now.Sub(key.UsedAt) >= touchEvery:
		err = a.store.TouchKey(ctx, key.ID, now)
	}
	return profile, MethodAPIKey, true, err
}

// errKey says the same of unknown, ended and revoked keys.
func errKey() *refusal { return unauthorized("A chave de acesso não vale.") }
