package access

import (
	"context"
	"crypto/sha256"
	"slices"
	"time"

	"guiche/internal/problem"

	"github.com/google/uuid"
)

// Lifetimes of tokens (specification 8).
const (
	accessLife  = 15 * time.Hour
	refreshLife = 72 * time.Hour
)

// TokenKind says what a token is for.
type TokenKind string

// The kinds of token.
const (
	AccessToken  TokenKind = "acesso"
	RefreshToken TokenKind = "renovacao"
)

// Token is a token as it is kept: the token itself is handed out and forgotten.
type Token struct {
	Hash      [sha256.Size]byte
	Kind      TokenKind
	CreatedAt time.Time
	ExpiresAt time.Time
	SpentAt   time.Time // of a refresh token that was used; zero when it was not
}

// Revocation says why a token family was revoked.
type Revocation string

// The reasons.
const (
	RevokedByHand     Revocation = "console"
	RevokedByReuse    Revocation = "reuso"   // a refresh token was used twice
	RevokedWithUser   Revocation = "usuario" // the user was disabled or got another password
	RevokedWithClient Revocation = "cliente"
)

// Family is all tokens that come of one login or of one client credentials grant:
// they are revoked together.
type Family struct {
	ID        uuid.UUID
	ProfileID uuid.UUID
	UserID    uuid.UUID // of a login
	ClientID  uuid.UUID // of a client credentials grant
	Owner     string    // name of the user or the client
	Scopes    []Scope   // nil: all that the profile has at each moment
	CreatedAt time.Time
	UsedAt    time.Time // to the minute; zero when it never was
	RenewedAt time.Time // last refresh; zero when there was none
	EndsAt    time.Time // when the last token ends
	RevokedAt time.Time
	Reason    Revocation
}

// Method returns the way of authentication by which the family came to be.
func (f Family) Method() Method {
	if f.ClientID != uuid.Nil {
		return MethodOAuth
	}
	return MethodPassword
}

// accessID is that of the user or the client by which the family came to be.
func (f Family) accessID() uuid.UUID {
	if f.Method() == MethodOAuth {
		return f.ClientID
	}
	return f.UserID
}

// Grant is a token with everything on which its validity rests, as of one moment.
type Grant struct {
	Token    Token
	Family   Family
	Profile  Profile
	OwnerOut bool // the user is disabled or the client revoked
}

// Live reports whether the token may still be used.
func (g Grant) Live(at time.Time) bool {
	return at.Before(g.Token.ExpiresAt) && g.Token.SpentAt.IsZero() &&
		g.Family.RevokedAt.IsZero() && !g.OwnerOut && !g.Profile.Disabled
}

// narrowed returns the profile with the scopes that the grant has of it.
func (g Grant) narrowed() Profile {
	p := g.Profile
	if g.Family.Scopes != nil {
		p.Scopes = slices.DeleteFunc(slices.Clone(p.Scopes), func(s Scope) bool { return !slices.Contains(g.Family.Scopes, s) })
	}
	return p
}

// mintToken returns a token and what is kept of it.
func mintToken(prefix string, kind TokenKind, at time.Time, life time.Duration) (string, Token) {
	token := mintSecret(prefix)
	hash, _ := hashSecret(prefix, token)
	return token, Token{Hash: hash, Kind: kind, CreatedAt: at, ExpiresAt: at.Add(life)}
}

// Pair is what a login and a refresh hand out (row 23).
type Pair struct {
	Access      string
	AccessLife  time.Duration
	Refresh     string
	RefreshLife time.Duration
}

func mintPair(at time.Time) (Pair, []Token) {
	access, kept := mintToken(accessPrefix, AccessToken, at, accessLife)
	refresh, alsoKept := mintToken(refreshPrefix, RefreshToken, at, refreshLife)
	return Pair{Access: access, AccessLife: accessLife, Refresh: refresh, RefreshLife: refreshLife}, []Token{kept, alsoKept}
}

// Refresh gives new tokens for a refresh token, which is used once (4.6 and row
// 23). Whoever comes with one that was used already may have stolen it, or been
// stolen from: the whole family ends. from is the address of the sender.
func (c *Control) Refresh(ctx context.Context, token, from string) (Pair, error) {
	hash, ok := hashSecret(refreshPrefix, token)
	if !ok {
		return Pair{}, c.guessed(ctx, from, InvalidRefresh)
	}
	grant, err := c.store.TokenByHash(ctx, RefreshToken, hash)
	if problem.Is(err, problem.NotFound) {
		return Pair{}, c.guessed(ctx, from, InvalidRefresh)
	}
	if err == nil && grant.Live(c.clock()) {
		err = c.mayRenew(ctx, grant)
	}
	if err != nil {
		return Pair{}, err
	}
	return c.renew(ctx, hash)
}

// mayRenew refuses what must not spend the token.
func (c *Control) mayRenew(ctx context.Context, g Grant) error {
	if !g.Profile.allows(g.Family.Method()) {
		return refuse(MethodOff)
	}
	return c.keepPace(ctx, g.Profile)
}

func (c *Control) renew(ctx context.Context, hash [sha256.Size]byte) (Pair, error) {
	now := c.clock()
	pair, next := mintPair(now)
	grant, err := c.store.Renew(ctx, hash, now, next...)
	switch {
	case err != nil:
		return Pair{}, err
	case !grant.Token.SpentAt.IsZero():
		c.logger.WarnContext(ctx, "refresh token used twice, its family is revoked", "family", grant.Family.ID)
		return Pair{}, refuse(InvalidRefresh)
	case !grant.Live(now):
		return Pair{}, refuse(InvalidRefresh)
	}
	return pair, nil
}
