package account

import (
	"context"
	"time"

	"guiche/internal/audit"
	"guiche/internal/throttle"

	"github.com/google/uuid"
)

// Store keeps people. Read gives a snapshot, Write a transaction of which all is
// kept or, when fn returns an error, nothing.
type Store interface {
	Read(ctx context.Context, fn func(Tx) error) error
	Write(ctx context.Context, fn func(Tx) error) error
}

// Tx is what can be asked within one transaction. What is not there is a
// problem.NotFound error, a value that is taken a problem.Conflict error.
type Tx interface {
	Now() time.Time // the same through the whole transaction
	Append(ctx context.Context, e audit.Entry) error
	PeopleTx
	InvitationTx
	SessionTx
	ThrottleTx
}

// PeopleTx keeps people.
type PeopleTx interface {
	Users(ctx context.Context) ([]User, error) // by name
	User(ctx context.Context, uid uuid.UUID) (User, error)
	// UserWithPassword returns the user with the folded login and the hash of their
	// password, "" when they have none yet.
	UserWithPassword(ctx context.Context, login string) (User, string, error)
	InsertUser(ctx context.Context, u User) error // Conflict: login taken
	UpdateUser(ctx context.Context, u User) error // name, disabled, roles, units
	SetPassword(ctx context.Context, user uuid.UUID, hash string) error
	SetPreferences(ctx context.Context, user uuid.UUID, p Preferences) error
	SetLastLogin(ctx context.Context, user uuid.UUID, at time.Time) error
}

// InvitationTx keeps one-time links. The zero user is the first administrator,
// who is not a person yet.
type InvitationTx interface {
	InsertInvitation(ctx context.Context, hash Hash, user uuid.UUID, expires time.Time) error
	Invitation(ctx context.Context, hash Hash) (Invitation, error)
	DeleteInvitations(ctx context.Context, user uuid.UUID) error
}

// SessionTx keeps sessions.
type SessionTx interface {
	InsertSession(ctx context.Context, hash Hash, s Session) error
	Session(ctx context.Context, hash Hash) (Session, User, error)
	Sessions(ctx context.Context, user uuid.UUID) ([]Session, error) // newest first
	SessionOwner(ctx context.Context, session uuid.UUID) (uuid.UUID, error)
	TouchSession(ctx context.Context, session uuid.UUID, at time.Time) error
	ConfirmSession(ctx context.Context, session uuid.UUID, at time.Time) error
	SetSessionData(ctx context.Context, session uuid.UUID, data []byte) error
	DeleteSession(ctx context.Context, session uuid.UUID) error // NotFound: no such session
	DeleteSessions(ctx context.Context, user uuid.UUID) error
	// DeleteStaleSessions removes those idle or open since before the times.
	DeleteStaleSessions(ctx context.Context, activeBefore, createdBefore time.Time) error
}

// ThrottleTx counts failed logins.
type ThrottleTx interface {
	throttle.Store
	// CountTried and CountRefused count a failed login of a person, the zero uid for
	// nobody, in this hour.
	CountTried(ctx context.Context, person uuid.UUID) error
	CountRefused(ctx context.Context, person uuid.UUID) error
	FailedLogins(ctx context.Context, since time.Time) ([]FailedLogins, error) // most first
	// DeleteStaleFailures deletes failures that delay nothing, and counts, from before
	// the times.
	DeleteStaleFailures(ctx context.Context, failures, counts time.Time) error
}

// Invitation is a one-time link that still stands in the store.
type Invitation struct {
	User    uuid.UUID // zero: the first administrator
	Expires time.Time
}
