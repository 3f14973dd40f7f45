// Package account is about the people who work with Guichê: who they are, what
// their roles let them do, how they prove who they are, and their sessions.
//
// What it knows about a person it reads from the store at every request, so that
// disabling somebody or taking a role away is in force for the very next one.
package account

import (
	"context"
	"crypto/rand"
	"slices"
	"strings"
	"time"

	"guiche/internal/audit"
	"guiche/internal/oneline"
	"guiche/internal/password"
	"guiche/internal/permission"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// User is somebody who may log in to the desk or the console.
type User struct {
	UID       uuid.UUID
	Login     string // folded: see foldLogin
	Name      string // as shown to others
	Roles     []permission.Role
	Units     []uuid.UUID // units of the directory in which they work
	Disabled  bool
	Activated bool // has chosen a password
	CreatedAt time.Time
	LastLogin time.Time // zero: never
	Damaged   bool      // of a list: what was stored cannot be read, and of all else here only UID may be relied on
	Preferences
}

// Actor returns the user as the one who does something.
func (u User) Actor() permission.Actor {
	return permission.Actor{User: u.UID, Name: u.Name, Roles: u.Roles, Units: u.Units}
}

// May reports whether the user's roles permit something.
func (u User) May(p permission.Permission) bool { return u.Actor().May(p) }

// Has reports whether the user has a role.
func (u User) Has(r permission.Role) bool { return slices.Contains(u.Roles, r) }

// Session is one browser in which a person has entered.
type Session struct {
	UID       uuid.UUID
	User      uuid.UUID
	CreatedAt time.Time
	// ConfirmedAt is when the person last gave the password.
	ConfirmedAt time.Time
	ActiveAt    time.Time // last thing the person did, to within a sixtieth of the idle time
	Device      string    // browser and system: see Client
	Address     string    // where it was opened from
	Data        []byte    // what the pages keep there: flash messages
}

// Config says where people are kept and how long a session lasts.
type Config struct {
	Store    Store
	Hasher   password.Hasher // nil means Argon2id with its defaults
	Idle     time.Duration   // 0 means 30 minutes
	Absolute time.Duration   // 0 means 12 hours
	// Clinic returns the names of the clinic and its units, which no password may be
	// made of; nil means none.
	Clinic func(context.Context) ([]string, error)
	// BrowserKey signs the cookies of browsers that logged in before; of several
	// processes all need the same. Zero means one of this process.
	BrowserKey [32]byte
}

// Service is what the program does with accounts. It is safe for concurrent use.
// Its clock is the store's.
type Service struct {
	store      Store
	hasher     password.Hasher
	idle       time.Duration
	absolute   time.Duration
	clinic     func(context.Context) ([]string, error)
	browserKey [32]byte
	searches   searches
}

// New returns the service.
func New(c Config) *Service {
	s := &Service{store: c.Store, hasher: c.Hasher, idle: c.Idle, absolute: c.Absolute, clinic: c.Clinic, browserKey: c.BrowserKey}
	if s.browserKey == [32]byte{} {
		_, _ = rand.Read(s.browserKey[:]) // never fails: it ends the program instead
	}
	if s.hasher == nil {
		s.hasher = password.NewArgon2id(password.Argon2idConfig{})
	}
	if s.idle == 0 {
		s.idle = 30 * time.Minute
	}
	if s.absolute == 0 {
		s.absolute = 12 * time.Hour
	}
	return s
}

// HasUsers reports whether there is anybody at all; a new installation has nobody.
func (s *Service) HasUsers(ctx context.Context) (bool, error) {
	users, err := s.Users(ctx)
	return len(users) > 0, err
}

// Users lists everybody by name, without regard to case and accents.
func (s *Service) Users(ctx context.Context) (users []User, err error) {
	err = s.store.Read(ctx, func(tx Tx) error {
		users, err = tx.Users(ctx)
		return err
	})
	slices.SortStableFunc(users, func(a, b User) int { return strings.Compare(fold(a.Name), fold(b.Name)) })
	return users, err
}

// FindUsers lists those in whose name or login every word of text occurs, as Users
// does; case and accents do not count. Somebody whose name cannot be read may be the one who is looked for.
func (s *Service) FindUsers(ctx context.Context, by permission.Actor, text string) ([]User, error) {
	if err := by.Require(permission.ManagePeople); err != nil {
		return nil, err
	}
	users, err := s.Users(ctx)
	words := strings.Fields(oneline.Visible(text))
	return slices.DeleteFunc(users, func(u User) bool {
		return !u.Damaged && slices.ContainsFunc(words, func(w string) bool {
			return !strings.Contains(fold(u.Name), fold(w)) && !strings.Contains(fold(u.Login), fold(w))
		})
	}), err
}

// User returns one person, a problem.NotFound error when there is none.
func (s *Service) User(ctx context.Context, uid uuid.UUID) (user User, err error) {
	err = s.store.Read(ctx, func(tx Tx) error {
		user, err = tx.User(ctx, uid)
		return err
	})
	return user, err
}

// UserByLogin returns the person who logs in with that name, a problem.NotFound
// error when there is none.
func (s *Service) UserByLogin(ctx context.Context, login string) (user User, err error) {
	err = s.store.Read(ctx, func(tx Tx) error {
		user, _, err = tx.UserWithPassword(ctx, foldLogin(login))
		return err
	})
	if problem.Is(err, problem.NotFound) {
		err = problem.Wrap(problem.NotFound, "Não há pessoa com este usuário.", err)
	}
	return user, err
}

// about returns an entry of the trail about a person.
func about(event audit.Event, actor, person uuid.UUID, detail string) audit.Entry {
	return audit.Entry{Actor: actor, Event: event, Object: audit.ObjectPerson, ObjectID: person, Detail: detail}
}
