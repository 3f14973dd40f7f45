package account

import (
	"context"
	"time"

	"guiche/internal/throttle"

	"github.com/google/uuid"
)

// confirmationLife is how long after the password was given it is not asked for again.
const confirmationLife = 10 * time.Minute

// Confirmed reports whether the session's person gave the password lately, as
// sensitive acts want it.
func (s Session) Confirmed(now time.Time) bool {
	return now.Sub(s.ConfirmedAt).Abs() <= confirmationLife
}

// Confirm notes that the person of a session gave the password again. A wrong one is
// a problem.Invalid error about "atual" and counts as a failed login; too many get a
// problem.Throttled error.
func (s *Service) Confirm(ctx context.Context, uid, session uuid.UUID, password string) error {
	user, err := s.User(ctx, uid)
	if err != nil {
		return err
	}
	checked, err := s.checkCurrent(ctx, user, password)
	if err != nil {
		return err
	}
	return s.store.Write(ctx, func(tx Tx) error {
		if err := gaveCurrent(ctx, tx, user, checked); err != nil {
			return err
		}
		return tx.ConfirmSession(ctx, session, tx.Now())
	})
}

// gaveCurrent notes that somebody gave the password that was checked. It reads the user again: while the
// password was being checked they may have been disabled or have got another one.
func gaveCurrent(ctx context.Context, tx Tx, user User, checked string) error {
	now, current, err := tx.UserWithPassword(ctx, user.Login)
	if err != nil {
		return err
	}
	if now.Disabled || current != checked {
		return errExpired
	}
	return throttle.Confirmation.Clear(ctx, tx, user.UID.String())
}
