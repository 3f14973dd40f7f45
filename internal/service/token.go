package service

import (
	"crypto/sha256"
	"slices"
	"time"

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

// Reason says why a token family was revoked.
type Reason string

// The reasons.
const (
	RevokedByHand     Reason = "console"
	RevokedByReuse    Reason = "reuso"   // a refresh token was used twice
	RevokedWithUser   Reason = "usuario" // the user was disabled or got another password
	RevokedWithClient Reason = "cliente"
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
	Reason    Reason
}

// Method returns the way of authentication by which the family came to be.
func (f Family) Method() Method {
	if f.ClientID != uuid.Nil {
		return MethodOAuth
	}
	return MethodPassword
}

// access is by what the family came to be.
func (f Family) access() Access {
	if f.Method() == MethodOAuth {
		return Access{MethodOAuth, f.ClientID}
	}
	return Access{MethodPassword, f.UserID}
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
	return at.Before(g.Token.ExpiresAt) && g.Token.SpentAt.IsZero() && g.Family.RevokedAt.IsZero() && !g.OwnerOut && !g.Profile.Disabled
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

// pair is what a login and a refresh hand out (row 23).
type pair struct {
	Access         string `json:"access_token"`
	Type           string `json:"token_type"`
	ExpiresIn      int    `json:"expires_in"` // seconds
	Refresh        string `json:"refresh_token"`
	RefreshExpires int    `json:"refresh_expires_in"` // seconds
}

func mintPair(at time.Time) (pair, []Token) {
	access, kept := mintToken(accessPrefix, AccessToken, at, accessLife)
	refresh, alsoKept := mintToken(refreshPrefix, RefreshToken, at, refreshLife)
	return pair{
		Access: access, Type: "Bearer", ExpiresIn: int(accessLife.Seconds()),
		Refresh: refresh, RefreshExpires: int(refreshLife.Seconds()),
	}, []Token{kept, alsoKept}
}
