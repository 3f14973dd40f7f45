package access

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"guiche/internal/authorization"
	"guiche/internal/password"
	"guiche/internal/problem"
	"guiche/internal/throttle"

	"github.com/google/uuid"
)

// User is a program's user of the token login (4.8), of one partner profile. Its
// rights are those of its profile.
type User struct {
	ID        uuid.UUID
	ProfileID uuid.UUID
	Name      string // usuario, as FoldUserName returns it; unique in the service
	Disabled  bool
	CreatedAt time.Time
	UsedAt    time.Time // last login; zero when there was none
}

// FoldUserName returns a user's name as it is kept and compared: in lower case.
func FoldUserName(name string) string {
	return strings.ToLower(password.Normalize(strings.TrimSpace(name)))
}

const userCharacters = "abcdefghijklmnopqrstuvwxyz0123456789.-_@+"

// UserNameProblems returns what is wrong with a folded name, about "usuario".
func UserNameProblems(name string) []problem.Field {
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

// RandomPassword returns a password for a user for whom nobody chose one.
func RandomPassword() string { return random(passwordBytes) }

// LoginRequest is a login with user and password.
type LoginRequest struct {
	User, Password string
	From           string // address of the sender
}

// Login gives a user tokens (4.8 and row 23). An unknown user, a wrong password, a
// disabled user and a disabled profile get the same Refusal after the same work.
func (c *Control) Login(ctx context.Context, r LoginRequest) (Pair, error) {
	name := FoldUserName(r.User)
	user, hash, profile, err := c.store.UserByName(ctx, name)
	if err != nil && !problem.Is(err, problem.NotFound) {
		return Pair{}, err
	}
	try := throttle.Login{Account: name + "\x00" + hash, Address: r.From} // with another password all counts begin anew
	if err := c.attempt(ctx, try, user.ID); err != nil {
		return Pair{}, err
	}
	if err := c.checkPassword(ctx, hash, r.Password, user.Disabled || profile.Disabled); err != nil {
		return Pair{}, c.failed(ctx, err, user.ID)
	}
	if err := c.store.Throttle(ctx, func(counts FailureStore) error { return try.Succeed(ctx, counts) }); err != nil {
		return Pair{}, err
	}
	if !profile.allows(MethodPassword) {
		return Pair{}, refuse(MethodOff)
	}
	if err := c.keepPace(ctx, profile); err != nil {
		return Pair{}, err
	}
	return c.openSession(ctx, user, hash)
}

// checkPassword refuses a password that is not that of the hash, "" for nobody's, or
// whose user may not come in, after the same work.
func (c *Control) checkPassword(ctx context.Context, hash, given string, disabled bool) error {
	if hash == "" {
		hash = c.hasher.Decoy()
		disabled = true
	}
	if len(given) > password.MaxBytes {
		given = "" // nobody's password
	}
	fits, err := c.hasher.Verify(ctx, hash, password.Normalize(given))
	if err == nil && (!fits || disabled) {
		err = refuse(InvalidLogin)
	}
	return err
}

func (c *Control) openSession(ctx context.Context, user User, hash string) (Pair, error) {
	now := c.clock()
	pair, tokens := mintPair(now)
	family := Family{
		ID: uuid.Must(uuid.NewV7()), ProfileID: user.ProfileID, UserID: user.ID,
		CreatedAt: now, EndsAt: now.Add(refreshLife),
	}
	err := c.store.OpenSession(ctx, family, hash, tokens...)
	if problem.Is(err, problem.NotFound) {
		return Pair{}, refuse(InvalidLogin) // disabled, or another password, while this one was checked
	}
	if err != nil {
		return Pair{}, err
	}
	return pair, nil
}
