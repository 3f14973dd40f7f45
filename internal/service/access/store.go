package access

import (
	"context"
	"crypto/sha256"
	"time"

	"github.com/google/uuid"
)

// Store keeps who may come in. Reading what is not there is a problem.NotFound
// error.
type Store interface {
	ProfileStore
	UserStore
	ClientStore
	TokenStore

	// Throttle runs fn in one transaction over the counts of failed attempts.
	Throttle(ctx context.Context, fn func(FailureStore) error) error
	// FailedLogins returns what failed in the hours that began since a moment, by user,
	// most first.
	FailedLogins(ctx context.Context, since time.Time) ([]FailedLogins, error)
}

// ProfileStore keeps partner profiles and their keys.
type ProfileStore interface {
	// EnsureProfile adds a profile; one with the same ID stays as it is.
	EnsureProfile(ctx context.Context, p Profile) error
	// PutProfile adds a profile or replaces the one with the same ID. One that is
	// disabled loses its token families.
	PutProfile(ctx context.Context, p Profile) error
	// ChangeProfile puts in place of a profile what change makes of it as it stands, in one
	// step. An error of change leaves it so. change may run more than once.
	ChangeProfile(ctx context.Context, id uuid.UUID, change func(Profile) (Profile, error)) error
	// Profiles lists all profiles by name.
	Profiles(ctx context.Context) ([]Profile, error)
	AddKey(ctx context.Context, k Key) error
	// Keys lists the keys of a profile, newest first.
	Keys(ctx context.Context, profile uuid.UUID) ([]Key, error)
	// KeyByHash returns a key, revoked or not, with its profile.
	KeyByHash(ctx context.Context, hash [sha256.Size]byte) (Key, Profile, error)
	TouchKey(ctx context.Context, id uuid.UUID, at time.Time) error
	RevokeKey(ctx context.Context, id uuid.UUID, at time.Time) error
	// TakeTurn counts one request of a profile at an even pace of one per interval,
	// with burst of them at once. It returns how long to wait when it is too early;
	// then nothing was counted.
	TakeTurn(ctx context.Context, profile uuid.UUID, now time.Time, interval time.Duration, burst int) (time.Duration, error)
}

// UserStore keeps users of the token login.
type UserStore interface {
	// AddUser adds a user with the hash of a password, problem.Conflict when the name
	// is taken.
	AddUser(ctx context.Context, u User, password string) error
	// UserByName returns a user with the hash of the password and the profile.
	UserByName(ctx context.Context, name string) (User, string, Profile, error)
	// Users lists the users of a profile by name.
	Users(ctx context.Context, profile uuid.UUID) ([]User, error)
	// SetUserPassword replaces the hash and revokes the families of the user.
	SetUserPassword(ctx context.Context, id uuid.UUID, password string, at time.Time) error
	// SetUserDisabled also revokes the families of a user who is disabled.
	SetUserDisabled(ctx context.Context, id uuid.UUID, disabled bool, at time.Time) error
	// OpenSession adds a family of a user with its tokens and notes the login,
	// problem.NotFound when the user or its profile has been disabled since or the
	// user has another hash.
	OpenSession(ctx context.Context, f Family, password string, tokens ...Token) error
}

// ClientStore keeps OAuth 2.0 clients.
type ClientStore interface {
	AddClient(ctx context.Context, c OAuthClient) error
	// Client returns a client, revoked or not, with its profile.
	Client(ctx context.Context, id uuid.UUID) (OAuthClient, Profile, error)
	// Clients lists the clients of a profile, newest first.
	Clients(ctx context.Context, profile uuid.UUID) ([]OAuthClient, error)
	// RevokeClient ends a client and its families.
	RevokeClient(ctx context.Context, id uuid.UUID, at time.Time) error
}

// TokenStore keeps tokens by the families that come of one login or grant.
type TokenStore interface {
	// AddFamily adds a family of a client with its tokens, and forgets families that
	// ended long ago. It is problem.NotFound when the client has been revoked, or its
	// profile disabled, since.
	AddFamily(ctx context.Context, f Family, tokens ...Token) error
	// TokenByHash returns a token of a kind as it stands now, usable or not.
	TokenByHash(ctx context.Context, kind TokenKind, hash [sha256.Size]byte) (Grant, error)
	// Renew spends a refresh token and adds the next tokens of its family. One that
	// was spent before revokes its family; one that is not live changes nothing. The
	// Grant is as it stood before. All of this is one step: of any number of calls
	// with one token, one renews.
	Renew(ctx context.Context, hash [sha256.Size]byte, at time.Time, next ...Token) (Grant, error)
	TouchFamily(ctx context.Context, id uuid.UUID, at time.Time) error
	// Family returns one family, whatever became of it.
	Family(ctx context.Context, id uuid.UUID) (Family, error)
	// Families lists families, newest first.
	Families(ctx context.Context, q FamilyQuery) (FamilyPage, error)
	// RevokeFamily ends a family; one that was revoked before keeps its reason.
	RevokeFamily(ctx context.Context, id uuid.UUID, reason Revocation, at time.Time) error
	// RevokeFamilies does the same to all families of a profile.
	RevokeFamilies(ctx context.Context, profile uuid.UUID, reason Revocation, at time.Time) error
}

// FamilyQuery chooses token families of a profile.
type FamilyQuery struct {
	Profile uuid.UUID
	// LiveAt leaves only those of which a token can be used at a moment, as far as it
	// is not about the profile; zero finds all.
	LiveAt time.Time
	Page   int // from 1
	Size   int // 0 is all in one page
}

// FamilyPage is one page of token families.
type FamilyPage struct {
	Items []Family
	Total int // on all pages
}
