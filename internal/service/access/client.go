package access

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"slices"
	"strings"
	"time"

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

// NewClient makes an OAuth client of a profile and returns it with its secret,
// which is not kept. It ends after idle without use; 0 is never.
func NewClient(profile uuid.UUID, name string, idle time.Duration, at time.Time) (OAuthClient, string) {
	secret := mintSecret(clientPrefix)
	hash, _ := hashSecret(clientPrefix, secret)
	return OAuthClient{
		ID: uuid.Must(uuid.NewV7()), ProfileID: profile, Name: name, Hash: hash, Hint: hint(secret), Idle: idle, CreatedAt: at,
	}, secret
}

// Live reports whether the client may have tokens at a moment, as far as it is
// about the client.
func (c OAuthClient) Live(at time.Time) bool {
	return c.RevokedAt.IsZero() && inUse(c.Idle, c.CreatedAt, c.UsedAt, at)
}

// ClientRequest asks for a token of an OAuth client.
type ClientRequest struct {
	ID, Secret string
	Scope      string // words separated by spaces; "" is all that the profile has
	From       string // address of the sender
}

// ClientToken is a token that was given to an OAuth client.
type ClientToken struct {
	Access string
	Life   time.Duration
	Scopes []Scope
}

// GrantClient gives a client a token (4.7, rows 24 and 25; RFC 6749, section 4.4).
// Errors that are a *Refusal say why not.
func (c *Control) GrantClient(ctx context.Context, r ClientRequest) (ClientToken, error) {
	client, profile, err := c.checkClient(ctx, r)
	switch {
	case err != nil:
		return ClientToken{}, err
	case !profile.allows(MethodOAuth):
		return ClientToken{}, refuse(MethodOff)
	}
	scopes, err := narrowing(profile, r.Scope)
	if err != nil {
		return ClientToken{}, err
	}
	if err := c.keepPace(ctx, profile); err != nil {
		return ClientToken{}, err
	}
	return c.issue(ctx, client, profile, scopes)
}

func (c *Control) issue(ctx context.Context, client OAuthClient, p Profile, scopes []Scope) (ClientToken, error) {
	now := c.clock()
	access, token := mintToken(accessPrefix, AccessToken, now, accessLife)
	family := Family{
		ID: uuid.Must(uuid.NewV7()), ProfileID: p.ID, ClientID: client.ID, Scopes: scopes,
		CreatedAt: now, EndsAt: token.ExpiresAt,
	}
	err := c.store.AddFamily(ctx, family, token)
	if problem.Is(err, problem.NotFound) {
		return ClientToken{}, refuse(InvalidClient) // revoked since it was checked
	}
	if err != nil {
		return ClientToken{}, err
	}
	granted := Grant{Family: family, Profile: p}.narrowed().Scopes
	return ClientToken{Access: access, Life: accessLife, Scopes: granted}, nil
}

// narrowing returns the scopes that a client asks for; nil is all of the profile's
// (row 25).
func narrowing(p Profile, text string) ([]Scope, error) {
	var scopes []Scope
	for word := range strings.FieldsSeq(text) {
		scope := Scope(word)
		if !slices.Contains(p.Scopes, scope) {
			return nil, refuse(UnknownScope)
		}
		if !slices.Contains(scopes, scope) {
			scopes = append(scopes, scope)
		}
	}
	return scopes, nil
}

// checkClient finds out which client asks, with the same work for an unknown one
// and a wrong secret.
func (c *Control) checkClient(ctx context.Context, r ClientRequest) (OAuthClient, Profile, error) {
	given, wellFormed := hashSecret(clientPrefix, r.Secret)
	id, _ := uuid.Parse(r.ID) // uuid.Nil when it is none, and no client has that
	client, profile, err := c.store.Client(ctx, id)
	if err != nil && !problem.Is(err, problem.NotFound) {
		return OAuthClient{}, Profile{}, err
	}
	fits := subtle.ConstantTimeCompare(client.Hash[:], given[:]) == 1
	switch {
	case err != nil, !wellFormed, !fits, r.ID != id.String():
		return OAuthClient{}, Profile{}, c.guessed(ctx, r.From, InvalidClient)
	case profile.Disabled || !client.Live(c.clock()):
		return OAuthClient{}, Profile{}, refuse(InvalidClient)
	}
	return client, profile, nil
}
