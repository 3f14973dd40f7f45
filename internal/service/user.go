package service

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"guiche/internal/authorization"
	"guiche/internal/password"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// User is a program's user of the token login (4.8), of one partner profile. What
// it may do is what its profile may do.
type User struct {
	ID        uuid.UUID
	ProfileID uuid.UUID
	Name      string // usuario, in lower case; unique in the service
	Disabled  bool
	CreatedAt time.Time
	UsedAt    time.Time // last login; zero when there was none
}

// foldUser returns a user's name as it is kept and compared.
func foldUser(name string) string {
	return strings.ToLower(password.Normalize(strings.TrimSpace(name)))
}

const userCharacters = "abcdefghijklmnopqrstuvwxyz0123456789.-_@+"

// userProblems returns what is wrong with the name of a new user.
func userProblems(name string) []problem.Field {
	foreign := strings.ContainsFunc(name, func(r rune) bool { return !strings.ContainsRune(userCharacters, r) })
	switch n := utf8.RuneCountInString(name); {
	case n < 3 || n > 64:
		return []problem.Field{{Path: "usuario", Code: authorization.CodeLimit, Message: "O usuário tem de 3 a 64 caracteres."}}
	case foreign:
		return []problem.Field{{Path: "usuario", Code: authorization.CodeFormat, Message: "Use só letras sem acento, números e . - _ @ +."}}
	}
	return nil
}

// passwordBytes are the random bytes of a password that nobody chose.
const passwordBytes = 24

// choose returns the password to set and its hash: the given one, or a fresh one
// for "".
func (a *Admin) choose(ctx context.Context, name, given string) (chosen, hash string, err error) {
	fields := userProblems(name)
	if given == "" {
		given = random(passwordBytes)
	} else {
		fields = append(fields, password.Problems(given, name)...)
	}
	if err := problem.InvalidFields(fields); err != nil {
		return "", "", err
	}
	hash, err = a.s.hasher.Hash(ctx, password.Normalize(given))
	return given, hash, err
}

// AddUser adds a user to a profile and returns it with its password: the given
// one, or for "" a fresh one, which is shown here and never again. Errors are
// problem.Invalid about "usuario" and "senha", and problem.Conflict for a name that
// is taken.
func (a *Admin) AddUser(ctx context.Context, profile uuid.UUID, name, given string) (User, string, error) {
	user := User{ID: uuid.Must(uuid.NewV7()), ProfileID: profile, Name: foldUser(name), CreatedAt: a.s.clock()}
	chosen, hash, err := a.choose(ctx, user.Name, given)
	if err != nil {
		return User{}, "", err
	}
	err = a.s.store.AddUser(ctx, user, hash)
	if problem.Is(err, problem.Conflict) {
		err = problem.Wrap(problem.Conflict, "Já existe um usuário com este nome.", err)
	}
	if err != nil {
		return User{}, "", err
	}
	return user, chosen, nil
}

// Users lists the users of a profile by name.
func (a *Admin) Users(ctx context.Context, profile uuid.UUID) ([]User, error) {
	return a.s.store.Users(ctx, profile)
}

// SetUserPassword gives a user another password, chosen as in AddUser, and ends
// all of its tokens at once.
func (a *Admin) SetUserPassword(ctx context.Context, user User, given string) (string, error) {
	chosen, hash, err := a.choose(ctx, user.Name, given)
	if err != nil {
		return "", err
	}
	return chosen, a.s.store.SetUserPassword(ctx, user.ID, hash, a.s.clock())
}

// SetUserDisabled lets a user in or out. Out ends all of its tokens at once and for
// good.
func (a *Admin) SetUserDisabled(ctx context.Context, id uuid.UUID, disabled bool) error {
	return a.s.store.SetUserDisabled(ctx, id, disabled, a.s.clock())
}

// EnsureUser makes sure that a user may enter with a password, whatever became of
// it before. Tokens that it has stay valid where nothing had to change.
func (a *Admin) EnsureUser(ctx context.Context, profile uuid.UUID, name, given string) error {
	user, hash, _, err := a.s.store.UserByName(ctx, foldUser(name))
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
	fits, err := a.s.hasher.Verify(ctx, hash, password.Normalize(given))
	if err == nil && !fits {
		_, err = a.SetUserPassword(ctx, user, given)
	}
	return err
}
