package admin

import (
	"context"
	"fmt"
	"time"
	"unicode/utf8"

	"guiche/internal/authorization"
	"guiche/internal/oneline"
	"guiche/internal/problem"
	"guiche/internal/service/access"

	"github.com/google/uuid"
)

// MintKey makes an API key of a profile and returns it: it is shown here and
// never again. The key ends after idle without use; 0 is never. Other keys of the
// profile stay valid.
func (a *Admin) MintKey(ctx context.Context, profile uuid.UUID, idle time.Duration) (string, error) {
	key, secret := access.NewKey(profile, idle, a.clock())
	if err := a.access.AddKey(ctx, key); err != nil {
		return "", err
	}
	return secret, nil
}

// Keys lists the keys of a profile, newest first.
func (a *Admin) Keys(ctx context.Context, profile uuid.UUID) ([]access.Key, error) {
	return a.access.Keys(ctx, profile)
}

// RevokeKey ends a key at once (specification 5, rule 2).
func (a *Admin) RevokeKey(ctx context.Context, id uuid.UUID) error {
	return a.access.RevokeKey(ctx, id, a.clock())
}

// AddClient adds an OAuth client to a profile and returns it with its secret,
// which is shown here and never again. The client ends after idle without use; 0
// is never. Errors are problem.Invalid about "cliente".
func (a *Admin) AddClient(ctx context.Context, profile uuid.UUID, name string, idle time.Duration) (access.OAuthClient, string, error) {
	if err := a.CheckClientName(name); err != nil {
		return access.OAuthClient{}, "", err
	}
	client, secret := access.NewClient(profile, oneline.Clean(name), idle, a.clock())
	if err := a.access.AddClient(ctx, client); err != nil {
		return access.OAuthClient{}, "", err
	}
	return client, secret, nil
}

const maxClientName = 100

// CheckClientName refuses a name that no client can have: problem.Invalid about
// "cliente". It is for administrators only; partners send the client_id.
func (a *Admin) CheckClientName(name string) error {
	var f fieldProblems
	length := utf8.RuneCountInString(oneline.Clean(name))
	f.when(length == 0, "cliente", authorization.CodeRequired, "Informe o nome do cliente.")
	f.when(length > maxClientName, "cliente", authorization.CodeLimit, fmt.Sprintf("Use no máximo %d caracteres.", maxClientName))
	return problem.InvalidFields(f)
}

// Clients lists the OAuth clients of a profile, newest first.
func (a *Admin) Clients(ctx context.Context, profile uuid.UUID) ([]access.OAuthClient, error) {
	return a.access.Clients(ctx, profile)
}

// RevokeClient ends a client and all of its tokens at once (specification 5, rule
// 2).
func (a *Admin) RevokeClient(ctx context.Context, id uuid.UUID) error {
	return a.access.RevokeClient(ctx, id, a.clock())
}

// Family returns one token family, whatever became of it, or problem.NotFound.
func (a *Admin) Family(ctx context.Context, id uuid.UUID) (access.Family, error) {
	return a.access.Family(ctx, id)
}

// Families lists token families of a profile, newest first.
func (a *Admin) Families(ctx context.Context, q access.FamilyQuery) (access.FamilyPage, error) {
	return a.access.Families(ctx, q)
}

// RevokeFamily ends all tokens of a login or of a client credentials grant at once
// (specification 5, rule 2).
func (a *Admin) RevokeFamily(ctx context.Context, id uuid.UUID) error {
	return a.access.RevokeFamily(ctx, id, access.RevokedByHand, a.clock())
}

// RevokeFamilies does the same to all tokens of a profile; its users and clients
// may get new ones.
func (a *Admin) RevokeFamilies(ctx context.Context, profile uuid.UUID) error {
	return a.access.RevokeFamilies(ctx, profile, access.RevokedByHand, a.clock())
}
