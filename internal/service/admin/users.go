package admin

import (
	"context"
	"time"

	"guiche/internal/password"
	"guiche/internal/problem"
	"guiche/internal/service/access"

	"github.com/google/uuid"
)

// CheckUserName refuses a name that no user can have: problem.Invalid about
// "usuario".
func (a *Admin) CheckUserName(name string) error {
	return problem.InvalidFields(access.UserNameProblems(access.FoldUserName(name)))
}

// choose returns the password to set and its hash: the given one, or a fresh one
// for "".
func (a *Admin) choose(ctx context.Context, name, given string) (chosen, hash string, err error) {
	fields := access.UserNameProblems(name)
	if given == "" {
		given = access.RandomPassword()
	} else {
		partners, err := a.access.Profiles(ctx)
		if err != nil {
			return "", "", err
		}
		known := []string{name}
		for _, p := range partners {
			known = append(known, p.Name)
		}
		fields = append(fields, password.Problems(given, known...)...)
	}
	if err := problem.InvalidFields(fields); err != nil {
		return "", "", err
	}
	if hash, err = a.hasher.Hash(ctx, password.Normalize(given)); err != nil {
		return "", "", err
	}
	return given, hash, nil
}

// AddUser adds a user to a profile and returns it with its password: the given
// one, or for "" a fresh one, which is shown here and never again. Errors are
// problem.Invalid about "usuario" and "senha", and problem.Conflict for a name that
// is taken.
func (a *Admin) AddUser(ctx context.Context, profile uuid.UUID, name, given string) (access.User, string, error) {
	user := access.User{ID: uuid.Must(uuid.NewV7()), ProfileID: profile, Name: access.FoldUserName(name), CreatedAt: a.clock()}
	chosen, hash, err := a.choose(ctx, user.Name, given)
	if err != nil {
		return access.User{}, "", err
	}
	err = a.access.AddUser(ctx, user, hash)
	if problem.Is(err, problem.Conflict) {
		err = problem.Wrap(problem.Conflict, "Já existe um usuário com este nome.", err)
	}
	if err != nil {
		return access.User{}, "", err
	}
	return user, chosen, nil
}

// Users lists the users of a profile by name.
func (a *Admin) Users(ctx context.Context, profile uuid.UUID) ([]access.User, error) {
	return a.access.Users(ctx, profile)
}

// SetUserPassword gives a user another password, chosen as in AddUser, and ends
// all of its tokens at once.
func (a *Admin) SetUserPassword(ctx context.Context, user access.User, given string) (string, error) {
	chosen, hash, err := a.choose(ctx, user.Name, given)
	if err != nil {
		return "", err
	}
	if err := a.access.SetUserPassword(ctx, user.ID, hash, a.clock()); err != nil {
		return "", err
	}
	return chosen, nil
}

// SetUserDisabled lets a user in or out. Out ends all of its tokens at once and for
// good.
func (a *Admin) SetUserDisabled(ctx context.Context, id uuid.UUID, disabled bool) error {
	return a.access.SetUserDisabled(ctx, id, disabled, a.clock())
}

// EnsureUser makes sure that a user may enter with a password, whatever became of
// it before. Tokens that it has stay valid where nothing had to change.
func (a *Admin) EnsureUser(ctx context.Context, profile uuid.UUID, name, given string) error {
	user, hash, _, err := a.access.UserByName(ctx, access.FoldUserName(name))
	if problem.Is(err, problem.NotFound) {
		_, _, err = a.AddUser(ctx, profile, name, given)
		return err
	}
	if err != nil {
		return err
	}
	if user.Disabled {
		if err := a.SetUserDisabled(ctx, user.ID, false); err != nil {
			return err
		}
	}
	fits, err := a.hasher.Verify(ctx, hash, password.Normalize(given))
	if err == nil && !fits {
		_, err = a.SetUserPassword(ctx, user, given)
	}
	return err
}

// FailedLogins returns the logins of partners' users that failed within a time until
// now, by user, most first.
func (a *Admin) FailedLogins(ctx context.Context, within time.Duration) ([]access.FailedLogins, error) {
	return a.access.FailedLogins(ctx, a.clock().Add(-within))
}
