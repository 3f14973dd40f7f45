package account

import (
	"context"
	"time"

	"guiche/internal/permission"

	"github.com/google/uuid"
)

// countsKept is how long failed logins are counted.
const countsKept = 90 * 24 * time.Hour

// FailedLogins are the logins to one account that failed within a time.
type FailedLogins struct {
	Person  uuid.UUID // zero: no such user
	Tried   int       // wrong passwords
	Refused int       // turned away without looking at the password
	Latest  time.Time
}

// All returns how many they are.
func (f FailedLogins) All() int { return f.Tried + f.Refused }

// FailedLogins returns what failed in the hours that began since a moment, by
// account, most first.
func (s *Service) FailedLogins(ctx context.Context, by permission.Actor, since time.Time) (failed []FailedLogins, err error) {
	if err := by.Require(permission.ManagePeople); err != nil {
		return nil, err
	}
	err = s.store.Read(ctx, func(tx Tx) error {
		failed, err = tx.FailedLogins(ctx, since)
		return err
	})
	return failed, err
}
