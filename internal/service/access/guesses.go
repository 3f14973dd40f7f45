package access

import (
	"context"
	"errors"
	"time"

	"guiche/internal/throttle"

	"github.com/google/uuid"
)

// guessed counts an unknown secret against the address it came from and returns
// the refusal of it, or that of an address that has guessed too often. Secrets with
// 32 random bytes are looked at before: however much an address guesses, whoever
// shares it still gets in with a good one.
func (c *Control) guessed(ctx context.Context, from string, reason Reason) error {
	var wait time.Duration
	err := c.store.Throttle(ctx, func(counts FailureStore) (err error) {
		wait, err = throttle.Secret.Attempt(ctx, counts, throttle.NetworkOf(from), c.clock())
		return err
	})
	if err != nil {
		return err
	}
	if wait > 0 {
		return &Refusal{Reason: TooManyGuesses, Wait: wait}
	}
	return refuse(reason)
}

// attempt counts a login as failed before it is tried, or refuses it.
func (c *Control) attempt(ctx context.Context, try throttle.Login, user uuid.UUID) error {
	var verdict throttle.Verdict
	now := c.clock()
	err := c.store.Throttle(ctx, func(counts FailureStore) (err error) {
		if verdict, err = try.Attempt(ctx, counts, now); err == nil && verdict.Wait > 0 {
			err = counts.CountRefused(ctx, user, now)
		}
		return err
	})
	if err != nil {
		return err
	}
	if verdict.Began {
		c.logger.WarnContext(ctx, "many logins fail", "user", user)
	}
	if verdict.Wait > 0 {
		return &Refusal{Reason: TooManyGuesses, Wait: verdict.Wait}
	}
	return nil
}

// failed counts a refused login and returns the refusal.
func (c *Control) failed(ctx context.Context, refused error, user uuid.UUID) error {
	var r *Refusal
	if !errors.As(refused, &r) {
		return refused
	}
	now := c.clock()
	err := c.store.Throttle(ctx, func(counts FailureStore) error { return counts.CountTried(ctx, user, now) })
	if err != nil {
		return err
	}
	return refused
}

// FailureStore keeps the counts of what failed, within one transaction.
type FailureStore interface {
	throttle.Store
	// CountTried and CountRefused count a failed login of a user, the zero ID for
	// nobody, in the hour of a moment.
	CountTried(ctx context.Context, user uuid.UUID, at time.Time) error
	CountRefused(ctx context.Context, user uuid.UUID, at time.Time) error
}

// FailedLogins are the logins of one user that failed within a time.
type FailedLogins struct {
	User    uuid.UUID // zero: no such user
	Name    string    // "" for no such user
	Profile uuid.UUID // its partner
	Tried   int       // wrong passwords
	Refused int       // turned away without looking at the password
	Latest  time.Time
}
