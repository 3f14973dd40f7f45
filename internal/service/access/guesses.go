package access

import (
	"context"

	"guiche/internal/throttle"
)

// guessed counts an unknown secret against the address it came from and returns
// the refusal of it, or that of an address that has guessed too often. Secrets with
// 32 random bytes are looked at before: however much an address guesses, whoever
// shares it still gets in with a good one.
func (c *Control) guessed(ctx context.Context, from string, reason Reason) error {
	if err := c.attempt(ctx, try{throttle.Address, from}); err != nil {
		return err
	}
	return refuse(reason)
}

// try is one that may turn out to be a guess.
type try struct {
	limit throttle.Limit
	name  string
}

// attempt counts tries as failed before they are made, or refuses them.
func (c *Control) attempt(ctx context.Context, tries ...try) error {
	return c.store.Throttle(ctx, func(counts throttle.Store) error {
		for _, t := range tries {
			wait, err := t.limit.Attempt(ctx, counts, t.name, c.clock())
			if err != nil {
				return err
			}
			if wait > 0 {
				return &Refusal{Reason: TooManyGuesses, Wait: wait}
			}
		}
		return nil
	})
}

// forgive takes back the attempts that turned out to be no guesses.
func (c *Control) forgive(ctx context.Context, from, name string) error {
	return c.store.Throttle(ctx, func(counts throttle.Store) error {
		if err := throttle.Account.Clear(ctx, counts, name); err != nil {
			return err
		}
		return throttle.Address.Forgive(ctx, counts, from)
	})
}
