package account

import (
	"context"
	"slices"
	"time"

	"guiche/internal/audit"
	"guiche/internal/permission"
	"guiche/internal/problem"
	"guiche/internal/throttle"

	"github.com/google/uuid"
)

// SessionActor returns who is logged in in a session, as they are now. It is a
// problem.Unauthorized error once the session has ended.
func (s *Service) SessionActor(ctx context.Context, session uuid.UUID) (actor permission.Actor, err error) {
	err = s.store.Read(ctx, func(tx Tx) error {
		owner, err := tx.SessionOwner(ctx, session)
		if problem.Is(err, problem.NotFound) {
			return errExpired
		}
		if err != nil {
			return err
		}
		all, err := tx.Sessions(ctx, owner)
		if err != nil {
			return err
		}
		at := slices.IndexFunc(all, func(o Session) bool { return o.UID == session })
		user, err := tx.User(ctx, owner)
		if err == nil && (at < 0 || s.over(all[at], tx.Now()) || user.Disabled) {
			err = errExpired
		}
		actor = user.Actor()
		return err
	})
	if err != nil {
		return permission.Actor{}, err
	}
	return actor, nil
}

// over reports whether a session has ended by itself: also where it was used at a time that lies so far ahead, by a
// clock that was put back since.
func (s *Service) over(session Session, now time.Time) bool {
	return now.Sub(session.ActiveAt).Abs() >= s.idle || now.Sub(session.CreatedAt) >= s.absolute
}

// CountGuess counts a wrong one-time secret against the network that it came from. It is
// a problem.Throttled error when that has sent too many. Good ones are looked up before,
// so that whoever shares an address with a guesser still gets in.
func (s *Service) CountGuess(ctx context.Context) error {
	var wait time.Duration
	err := s.store.Write(ctx, func(tx Tx) (err error) {
		wait, err = throttle.Secret.Attempt(ctx, tx, throttle.NetworkOf(audit.AddressFrom(ctx)), tx.Now())
		return err
	})
	if err == nil && wait > 0 {
		err = throttled(wait)
	}
	return err
}
