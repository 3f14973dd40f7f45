package access

import (
	"context"
	"crypto/sha256"
	"fmt"
	"hash/crc32"
	"strings"
	"time"

	"guiche/internal/problem"

	"github.com/google/uuid"
)

// Caller is who sent a request.
type Caller struct {
	Profile Profile // with the scopes that count: those of a token may be fewer
	Method  Method
	// AccessID is that of the key, the user or the OAuth client. The ledger notes it
	// with everything that changes something, so that what a stolen secret did can be
	// told from the rest.
	AccessID uuid.UUID
}

// Presented is what a request carries to say who sends it.
type Presented struct {
	Keys   []string // API keys; several are refused
	Tokens []string // bearer tokens, looked at when there is no key; several are refused
	From   string   // address of the sender, against which guesses are counted
}

// Admit finds out who calls and whether they may use a scope now (row 8). An empty
// scope wants any valid access. Errors that are a *Refusal say why not.
func (c *Control) Admit(ctx context.Context, p Presented, scope Scope) (Caller, error) {
	caller, err := c.AdmitAgain(ctx, p, scope)
	if err != nil {
		return Caller{}, err
	}
	return caller, c.keepPace(ctx, caller.Profile)
}

// AdmitAgain is Admit for a request that was let in before and counts no more: its access may
// have ended since.
func (c *Control) AdmitAgain(ctx context.Context, p Presented, scope Scope) (Caller, error) {
	caller, err := c.identify(ctx, p)
	switch {
	case err != nil:
		return Caller{}, err
	case !caller.Profile.allows(caller.Method):
		return Caller{}, refuse(MethodOff)
	case !caller.Profile.may(scope):
		return Caller{}, &Refusal{Reason: MissingScope, Method: caller.Method, Scope: scope}
	}
	return caller, nil
}

func (c *Control) identify(ctx context.Context, p Presented) (Caller, error) {
	if len(p.Keys) > 0 {
		return c.byKey(ctx, p)
	}
	grant, err := c.byToken(ctx, p)
	return Caller{Profile: grant.narrowed(), Method: grant.Family.Method(), AccessID: grant.Family.accessID()}, err
}

// touchEvery is how exact the last use of a key or a token is kept.
const touchEvery = time.Minute

func (c *Control) byKey(ctx context.Context, p Presented) (Caller, error) {
	hash, ok := hashSecret(keyPrefix, p.Keys[0])
	if !ok || len(p.Keys) > 1 {
		return Caller{}, c.guessed(ctx, p.From, InvalidKey)
	}
	key, profile, err := c.store.KeyByHash(ctx, hash)
	switch now := c.clock(); {
	case problem.Is(err, problem.NotFound):
		return Caller{}, c.guessed(ctx, p.From, InvalidKey)
	case err != nil:
		return Caller{}, err
	case profile.Disabled || !key.Live(now):
		return Caller{}, refuse(InvalidKey)
	case now.Sub(key.UsedAt) >= touchEvery:
		err = unlessPassing(c.store.TouchKey(ctx, key.ID, now))
	}
	return Caller{Profile: profile, Method: MethodAPIKey, AccessID: key.ID}, err
}

func (c *Control) byToken(ctx context.Context, p Presented) (Grant, error) {
	if len(p.Tokens) != 1 {
		return Grant{}, c.guessed(ctx, p.From, InvalidToken)
	}
	hash, ok := hashSecret(accessPrefix, p.Tokens[0])
	if !ok {
		return Grant{}, c.guessed(ctx, p.From, InvalidToken)
	}
	grant, err := c.store.TokenByHash(ctx, AccessToken, hash)
	switch now := c.clock(); {
	case problem.Is(err, problem.NotFound):
		return Grant{}, c.guessed(ctx, p.From, InvalidToken)
	case err != nil:
		return Grant{}, err
	case !grant.Live(now):
		return Grant{}, refuse(InvalidToken)
	case now.Sub(grant.Family.UsedAt) >= touchEvery:
		err = unlessPassing(c.store.TouchFamily(ctx, grant.Family.ID, now))
	}
	return grant, err
}

// unlessPassing leaves out that the last use could not be noted for now: an access is as
// good without.
func unlessPassing(err error) error {
	if problem.Passing(err) {
		return nil
	}
	return err
}

// keepPace holds the profile's rate (row 10): up to one minute's worth at once,
// then evenly. Systems come in bursts, as a screen that asks for several lists does.
func (c *Control) keepPace(ctx context.Context, p Profile) error {
	if p.Rate == 0 {
		return nil
	}
	interval := time.Minute / time.Duration(p.Rate)
	wait, err := c.store.TakeTurn(ctx, p.ID, c.clock(), interval, p.Rate)
	if err == nil && wait > 0 {
		err = &Refusal{Reason: TooManyRequests, Wait: wait}
	}
	return err
}

// A secret is a prefix, 32 random bytes in base64url and a checksum: whoever finds
// one knows what it is, and a mistyped one needs no look-up.
const (
	keyPrefix     = "gch_" // API key
	accessPrefix  = "gca_" // access token
	refreshPrefix = "gcr_" // refresh token
	clientPrefix  = "gcs_" // client_secret

	secretSize   = 43 // characters of 32 bytes
	checksumSize = 8
)

// hashSecret returns the hash under which a secret is kept, false for what is no
// secret with the prefix.
func hashSecret(prefix, secret string) ([sha256.Size]byte, bool) {
	if len(secret) != len(prefix)+secretSize+checksumSize || !strings.HasPrefix(secret, prefix) {
		return [sha256.Size]byte{}, false
	}
	body, sum := secret[:len(secret)-checksumSize], secret[len(secret)-checksumSize:]
	return sha256.Sum256([]byte(secret)), checksum(body) == sum
}

func checksum(body string) string { return fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(body))) }
