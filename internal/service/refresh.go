package service

import (
	"net/http"

	"guiche/internal/problem"
)

// refresh serves POST /api/v1/auth/refresh (4.6 and row 23): a refresh token is
// used once. Whoever comes with one that was used already may have stolen it, or
// been stolen from: the whole family ends.
func (s *Service) refresh(w http.ResponseWriter, c *call) error {
	in, err := s.readTexts(c, "refresh_token")
	if err != nil {
		return err
	}
	hash, ok := hashSecret(refreshPrefix, in["refresh_token"])
	if !ok {
		return s.guessed(c.Request, errRefresh())
	}
	grant, err := s.store.TokenByHash(c.Context(), RefreshToken, hash)
	if problem.Is(err, problem.NotFound) {
		return s.guessed(c.Request, errRefresh())
	}
	if err == nil && grant.Live(s.clock()) {
		err = s.mayRenew(c, grant)
	}
	if err != nil {
		return err
	}
	return s.renew(w, c, hash)
}

// errRefresh says the same of unknown, ended, used and revoked tokens.
func errRefresh() *refusal {
	const message = "O token de renovação não vale. Entre de novo."
	return unauthorized(message, bearerError(bearerInvalidToken, message))
}

// mayRenew refuses what must not spend the token.
func (s *Service) mayRenew(c *call, g Grant) error {
	if !g.Profile.allows(g.Family.Method()) {
		return errMethod()
	}
	return s.pace(c.Context(), g.Profile)
}

func (s *Service) renew(w http.ResponseWriter, c *call, hash [32]byte) error {
	now := s.clock()
	out, next := mintPair(now)
	grant, err := s.store.Renew(c.Context(), hash, now, next...)
	switch {
	case err != nil:
		return err
	case !grant.Token.SpentAt.IsZero():
		s.logger.WarnContext(c.Context(), "refresh token used twice, its family is revoked", "family", grant.Family.ID)
		return errRefresh()
	case !grant.Live(now):
		return errRefresh()
	}
	return writeEnvelope(w, http.StatusOK, newEnvelope(out, nil))
}
