package service

import (
	"context"
	"net"
	"net/http"
	"time"

	"guiche/internal/problem"
	"guiche/internal/throttle"
)

// remoteHost is the address a request comes from where no proxy stands between.
func remoteHost(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}

// guessed counts an unknown secret against the address it came from and returns
// the refusal of it, or 429 when the address has guessed too often. Secrets with 32
// random bytes are looked at before: however much an address guesses, whoever
// shares it still gets in with a good one.
func (s *Service) guessed(r *http.Request, refused *refusal) error {
	err := s.attempt(r.Context(), attempt{throttle.Address, s.address(r)})
	if err != nil {
		return err
	}
	return refused
}

// attempt is one try that may turn out to be a guess.
type attempt struct {
	limit throttle.Limit
	name  string
}

// attempt counts tries as failed before they are made, or refuses them with 429.
func (s *Service) attempt(ctx context.Context, tries ...attempt) error {
	return s.store.Throttle(ctx, func(counts throttle.Store) error {
		for _, t := range tries {
			wait, err := t.limit.Attempt(ctx, counts, t.name, s.clock())
			if err != nil {
				return err
			}
			if wait > 0 {
				return tooManyGuesses(wait)
			}
		}
		return nil
	})
}

func tooManyGuesses(wait time.Duration) error {
	return later(problem.Throttled, "Muitas tentativas sem sucesso. Espere um pouco antes de tentar de novo.", wait)
}
