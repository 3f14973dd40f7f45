package service

import (
	"context"
	"crypto/sha256"
	"strings"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// OAuthClient is an OAuth 2.0 client of a partner profile (4.7). Its secret is
// shown once and forgotten.
type OAuthClient struct {
	ID        uuid.UUID // client_id
	ProfileID uuid.UUID
	Name      string
	Hash      [sha256.Size]byte // of the client_secret
	Hint      string            // last characters of the secret
	Idle      time.Duration     // ends after so long without a token; 0 is never
	CreatedAt time.Time
	UsedAt    time.Time // last token; zero when there was none
	RevokedAt time.Time
}

// valid reports whether the client may have tokens at a moment.
func (c OAuthClient) valid(now time.Time) bool {
	return c.RevokedAt.IsZero() && inUse(c.Idle, c.CreatedAt, c.UsedAt, now)
}

// AddClient adds an OAuth client to a profile and returns it with its secret,
// which is shown here and never again. The client ends after idle without use; 0
// is never.
func (a *Admin) AddClient(ctx context.Context, profile uuid.UUID, name string, idle time.Duration) (OAuthClient, string, error) {
	if name = strings.TrimSpace(name); name == "" {
		return OAuthClient{}, "", problem.InvalidFields([]problem.Field{{Path: "nome", Code: authorization.CodeRequired, Message: "Informe o nome do cliente."}})
	}
	secret := mintSecret(clientPrefix)
	hash, _ := hashSecret(clientPrefix, secret)
	c := OAuthClient{ID: uuid.Must(uuid.NewV7()), ProfileID: profile, Name: name, Hash: hash, Hint: hint(secret), Idle: idle, CreatedAt: a.s.clock()}
	if err := a.s.store.AddClient(ctx, c); err != nil {
		return OAuthClient{}, "", err
	}
	return c, secret, nil
}

// Clients lists the OAuth clients of a profile, newest first.
func (a *Admin) Clients(ctx context.Context, profile uuid.UUID) ([]OAuthClient, error) {
	return a.s.store.Clients(ctx, profile)
}

// RevokeClient ends a client and all of its tokens at once (specification 5, rule
// 2).
func (a *Admin) RevokeClient(ctx context.Context, id uuid.UUID) error {
	return a.s.store.RevokeClient(ctx, id, a.s.clock())
}
