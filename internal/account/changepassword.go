package account

import (
	"context"
	"slices"

	"guiche/internal/audit"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// PasswordChange is what a person types to get another password.
type PasswordChange struct {
	Current string
	New     string
}

// ChangePassword gives a user the password they chose, ends all their sessions and
// opens a new one for this browser, whose secret it returns: whoever had taken the
// old one is out as well.
//
// Problems of the fields atual and senha come as a problem.Invalid error and
// change nothing; wrong current passwords count as failed logins, and too many get
// a problem.Throttled error.
func (s *Service) ChangePassword(ctx context.Context, uid uuid.UUID, c PasswordChange, from Client) (token string, err error) {
	user, err := s.User(ctx, uid)
	if err != nil {
		return "", err
	}
	fields, err := s.changeProblems(ctx, c, user)
	if err == nil {
		err = problem.InvalidFields(fields)
	}
	if err != nil {
		return "", err
	}
	checked, err := s.checkCurrent(ctx, user, c.Current)
	if err != nil {
		return "", err
	}
	hash, err := s.hasher.Hash(ctx, normalize(c.New))
	if err != nil {
		return "", err
	}
	token = newSecret()
	err = s.store.Write(ctx, func(tx Tx) error { return s.swapPassword(ctx, tx, user, checked, hash, token, from) })
	if err != nil {
		return "", err
	}
	return token, nil
}

func (s *Service) changeProblems(ctx context.Context, c PasswordChange, owner User) ([]problem.Field, error) {
	fields, err := s.passwordProblems(ctx, c.New, owner)
	if err != nil {
		return nil, err
	}
	if c.Current == "" {
		fields = slices.Insert(fields, 0, problem.Field{Path: "atual", Code: "obrigatorio", Message: "Informe a senha atual."})
	}
	if len(fields) == 0 && normalize(c.Current) == normalize(c.New) {
		fields = append(fields, problem.Field{Path: "senha", Code: "repetido", Message: "A senha nova é igual à atual."})
	}
	return fields, nil
}

// checkCurrent returns the hash that the current password fits.
func (s *Service) checkCurrent(ctx context.Context, user User, password string) (hash string, err error) {
	err = s.store.Write(ctx, func(tx Tx) error {
		if _, hash, err = tx.UserWithPassword(ctx, user.Login); err != nil {
			return err
		}
		return confirm(ctx, tx, user)
	})
	if problem.Is(err, problem.Throttled) {
		return "", s.tellThrottled(ctx, user.UID, err)
	}
	if err != nil {
		return "", err
	}
	stored := hash
	if stored == "" || len(password) > maxPasswordBytes {
		stored = s.hasher.Decoy()
	}
	fits, err := s.hasher.Verify(ctx, stored, normalize(password))
	if err == nil && !fits {
		err = s.failCurrent(ctx, user.UID)
	}
	return hash, err
}

// tellThrottled returns the error of a password that was not looked at, once the trail
// tells of it.
func (s *Service) tellThrottled(ctx context.Context, uid uuid.UUID, throttled error) error {
	err := s.store.Write(ctx, func(tx Tx) error {
		return tx.Append(ctx, about(audit.LoginThrottled, uid, uid, "senha=atual"))
	})
	if err != nil {
		return err
	}
	return throttled
}

func (s *Service) failCurrent(ctx context.Context, uid uuid.UUID) error {
	err := s.store.Write(ctx, func(tx Tx) error {
		return tx.Append(ctx, about(audit.LoginFailed, uid, uid, "senha=atual"))
	})
	if err != nil {
		return err
	}
	return problem.InvalidFields([]problem.Field{{Path: "atual", Code: "incorreto", Message: "A senha atual não confere."}})
}

func (s *Service) swapPassword(ctx context.Context, tx Tx, user User, checked, hash, token string, from Client) error {
	if err := gaveCurrent(ctx, tx, user, checked); err != nil {
		return err
	}
	if err := s.replacePassword(ctx, tx, user.UID, hash); err != nil {
		return err
	}
	if err := tx.InsertSession(ctx, hashOf(token), from.session(user.UID, tx.Now())); err != nil {
		return err
	}
	return tx.Append(ctx, about(audit.PasswordSet, user.UID, user.UID, ""))
}
