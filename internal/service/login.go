package service

import (
	"context"
	"net/http"

	"guiche/internal/password"
	"guiche/internal/problem"
	"guiche/internal/throttle"

	"github.com/google/uuid"
)

// login serves POST /api/v1/auth/login (4.8 and row 23). An unknown user, a wrong
// password, a disabled user and a disabled profile get the same answer after the
// same work.
func (s *Service) login(w http.ResponseWriter, c *call) error {
	in, err := s.readTexts(c, "usuario", "senha")
	if err != nil {
		return err
	}
	name := foldUser(in["usuario"])
	if err := s.attempt(c.Context(), attempt{throttle.Address, s.address(c.Request)}, attempt{throttle.Account, name}); err != nil {
		return err
	}
	user, hash, profile, err := s.checkPassword(c.Context(), name, in["senha"])
	if err != nil {
		return err
	}
	if err := s.forgive(c.Request, name); err != nil {
		return err
	}
	if !profile.allows(MethodPassword) {
		return errMethod()
	}
	if err := s.pace(c.Context(), profile); err != nil {
		return err
	}
	return s.openSession(w, c, user, hash)
}

func errLogin() *refusal {
	return unauthorized("Usuário ou senha incorretos.", bearerChallenge)
}

// checkPassword returns the user whose password it is, with its hash and profile.
func (s *Service) checkPassword(ctx context.Context, name, given string) (User, string, Profile, error) {
	user, hash, profile, err := s.store.UserByName(ctx, name)
	if err != nil && !problem.Is(err, problem.NotFound) {
		return User{}, "", Profile{}, err
	}
	known := err == nil
	if !known {
		hash = s.hasher.Decoy()
	}
	if len(given) > password.MaxBytes {
		given = "" // nobody's password
	}
	fits, err := s.hasher.Verify(ctx, hash, password.Normalize(given))
	if err != nil {
		return User{}, "", Profile{}, err
	}
	if !known || !fits || user.Disabled || profile.Disabled {
		return User{}, "", Profile{}, errLogin()
	}
	return user, hash, profile, nil
}

// forgive takes back the attempts that turned out to be no guesses.
func (s *Service) forgive(r *http.Request, name string) error {
	return s.store.Throttle(r.Context(), func(counts throttle.Store) error {
		if err := throttle.Account.Clear(r.Context(), counts, name); err != nil {
			return err
		}
		return throttle.Address.Forgive(r.Context(), counts, s.address(r))
	})
}

func (s *Service) openSession(w http.ResponseWriter, c *call, user User, hash string) error {
	now := s.clock()
	out, tokens := mintPair(now)
	family := Family{ID: uuid.Must(uuid.NewV7()), ProfileID: user.ProfileID, UserID: user.ID, CreatedAt: now, EndsAt: now.Add(refreshLife)}
	err := s.store.OpenSession(c.Context(), family, hash, tokens...)
	if problem.Is(err, problem.NotFound) {
		return errLogin() // disabled, or another password, while this one was checked
	}
	if err != nil {
		return err
	}
	return writeEnvelope(w, http.StatusOK, newEnvelope(out, nil))
}
