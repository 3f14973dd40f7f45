package access

import (
	"crypto/sha256"
	"time"

	"github.com/google/uuid"
)

// Key is an API key as it is kept: the key itself is shown once and forgotten.
type Key struct {
	ID        uuid.UUID
	ProfileID uuid.UUID
	Hash      [sha256.Size]byte
	Hint      string        // last characters
	Idle      time.Duration // ends after so long without use; 0 is never
	CreatedAt time.Time
	UsedAt    time.Time // to the minute; zero when it never was
	RevokedAt time.Time
}

// NewKey makes an API key of a profile and returns it with its secret, which is not
// kept. It ends after idle without use; 0 is never.
func NewKey(profile uuid.UUID, idle time.Duration, at time.Time) (Key, string) {
	secret := mintSecret(keyPrefix)
	hash, _ := hashSecret(keyPrefix, secret)
	return Key{
		ID: uuid.Must(uuid.NewV7()), ProfileID: profile, Hash: hash, Hint: hint(secret), Idle: idle, CreatedAt: at,
	}, secret
}

// Live reports whether the key is accepted at a moment, as far as it is about the
// key.
func (k Key) Live(at time.Time) bool {
	return k.RevokedAt.IsZero() && inUse(k.Idle, k.CreatedAt, k.UsedAt, at)
}

// inUse reports whether less than idle has passed since something was made or last
// used; an idle of 0 is no limit.
func inUse(idle time.Duration, createdAt, usedAt, at time.Time) bool {
	last := createdAt
	if usedAt.After(last) {
		last = usedAt
	}
	return idle == 0 || at.Before(last.Add(idle))
}
