package account

import (
	"context"
	"fmt"
	"math"
	"time"

	"guiche/internal/audit"
	"guiche/internal/problem"
	"guiche/internal/throttle"

	"github.com/google/uuid"
)

// loginTry is one attempt to log in.
type loginTry struct {
	throttle.Login
	throttle.Verdict
	user User   // zero when there is none
	hash string // of the user's password, "" without one
}

// beginLogin counts the attempt as failed and reads the person. It is a
// problem.Throttled error when the attempt has to wait.
func (s *Service) beginLogin(ctx context.Context, login string, from Client) (try loginTry, err error) {
	err = s.store.Write(ctx, func(tx Tx) error {
		try, err = s.countTry(ctx, tx, login, from)
		return err
	})
	if err == nil && try.Wait > 0 {
		err = throttled(try.Wait)
	}
	return try, err
}

func (s *Service) countTry(ctx context.Context, tx Tx, login string, from Client) (try loginTry, err error) {
	if try.user, try.hash, err = tx.UserWithPassword(ctx, login); err != nil && !problem.Is(err, problem.NotFound) {
		return try, err
	}
	// With another password all counts begin anew.
	try.Login = throttle.Login{Account: login + "\x00" + try.hash, Address: from.Address,
		Browser: s.knownBrowser(login, from.Browser, tx.Now())}
	if try.Verdict, err = try.Attempt(ctx, tx, tx.Now()); err != nil {
		return try, err
	}
	if try.Wait > 0 {
		if err := tx.CountRefused(ctx, try.user.UID); err != nil {
			return try, err
		}
		return try, tx.Append(ctx, about(audit.LoginThrottled, uuid.Nil, try.user.UID, ""))
	}
	if !try.Began {
		return try, nil
	}
	return try, tx.Append(ctx, about(audit.LoginAttack, uuid.Nil, try.user.UID, ""))
}

// failLogin counts a wrong password. Each is in the trail until an attack was
// noticed, which has one entry of its own: the trail keeps everything for ever.
func (s *Service) failLogin(ctx context.Context, try loginTry) error {
	err := s.store.Write(ctx, func(tx Tx) error {
		if err := tx.CountTried(ctx, try.user.UID); err != nil {
			return err
		}
		if err := s.prune(ctx, tx); err != nil || try.Attack {
			return err
		}
		return tx.Append(ctx, about(audit.LoginFailed, uuid.Nil, try.user.UID, ""))
	})
	if err != nil {
		return err
	}
	return errLogin
}

// confirm counts one more attempt at the password of somebody who is logged in,
// with a problem.Throttled error when it has to wait.
func confirm(ctx context.Context, tx Tx, user User) error {
	wait, err := throttle.Confirmation.Attempt(ctx, tx, user.UID.String(), tx.Now())
	if err == nil && wait > 0 {
		err = throttled(wait)
	}
	return err
}

func throttled(wait time.Duration) error {
	minutes := int(math.Ceil(wait.Minutes()))
	unit := "minutos"
	if minutes == 1 {
		unit = "minuto"
	}
	return problem.New(problem.Throttled, fmt.Sprintf("Muitas tentativas sem sucesso. Tente de novo em %d %s.", minutes, unit))
}
