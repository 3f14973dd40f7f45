package service

import (
	"context"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// Admin is the service's administration: what a console and the start of the
// program do.
type Admin struct{ s *Service }

// Admin returns the administration of the service.
func (s *Service) Admin() *Admin { return &Admin{s} }

// EnsureProfile adds a profile; one with the same ID stays as it is.
func (a *Admin) EnsureProfile(ctx context.Context, p Profile) error {
	return a.s.store.EnsureProfile(ctx, p)
}

// PutProfile adds a profile or replaces the one with the same ID.
func (a *Admin) PutProfile(ctx context.Context, p Profile) error { return a.s.store.PutProfile(ctx, p) }

// Profiles lists all profiles by name.
func (a *Admin) Profiles(ctx context.Context) ([]Profile, error) { return a.s.store.Profiles(ctx) }

// MintKey makes an API key of a profile and returns it: it is shown here and
// never again. The key ends after idle without use; 0 is never. Other keys of the
// profile stay valid.
func (a *Admin) MintKey(ctx context.Context, profile uuid.UUID, idle time.Duration) (string, error) {
	key := mintSecret(keyPrefix)
	hash, _ := hashSecret(keyPrefix, key)
	return key, a.s.store.AddKey(ctx, Key{
		ID: uuid.Must(uuid.NewV7()), ProfileID: profile, Hash: hash, Hint: hint(key), Idle: idle, CreatedAt: a.s.clock(),
	})
}

// Keys lists the keys of a profile, newest first.
func (a *Admin) Keys(ctx context.Context, profile uuid.UUID) ([]Key, error) {
	return a.s.store.Keys(ctx, profile)
}

// RevokeKey ends a key at once (specification 5, rule 2).
func (a *Admin) RevokeKey(ctx context.Context, id uuid.UUID) error {
	return a.s.store.RevokeKey(ctx, id, a.s.clock())
}

// PutCredential adds a credential or replaces the one with the same ID. A card
// pattern that is no regular expression is problem.Invalid.
func (a *Admin) PutCredential(ctx context.Context, c Credential) error {
	if _, err := c.rules(); err != nil {
		return problem.InvalidFields([]problem.Field{{
			Path: "formatoCarteira", Code: authorization.CodeFormat, Message: "O formato da carteira não é uma expressão regular.",
		}})
	}
	return a.s.store.PutCredential(ctx, c)
}
