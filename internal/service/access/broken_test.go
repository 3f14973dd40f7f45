package access_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash/crc32"
	"strings"
	"testing"
	"time"

	"guiche/internal/service/access"

	"github.com/google/uuid"
)

var errDisk = errors.New("the disk failed")

// wellFormed is a secret that nobody was ever given.
func wellFormed(prefix string) string {
	body := prefix + strings.Repeat("A", 43)
	return body + fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(body)))
}

// TestControl_Unknown: a secret that is well formed and unknown is refused as any
// other, and counts as a guess.
func TestControl_Unknown(t *testing.T) {
	e := MustEnv(t)
	_, err := e.byKey(wellFormed("gch_"), "")
	checkRefused(t, "key", err, access.InvalidKey)
	_, err = e.byToken(wellFormed("gca_"), "")
	checkRefused(t, "token", err, access.InvalidToken)
	_, err = e.Refresh(t.Context(), wellFormed("gcr_"), address)
	checkRefused(t, "refresh", err, access.InvalidRefresh)
	_, err = e.grant(uuid.NewString(), wellFormed("gcs_"), "")
	checkRefused(t, "client", err, access.InvalidClient)
	for range 300 {
		_, err = e.byToken(wellFormed("gca_"), "")
	}
	checkRefused(t, "after 300 of them", err, access.TooManyGuesses)
}

// TestControl_Secrets: a secret with a good checksum is no good under another
// prefix, and none without one.
func TestControl_Secrets(t *testing.T) {
	e := MustEnv(t)
	for _, secret := range []string{wellFormed("gch-"), wellFormed(""), wellFormed("gch_")[4:] + "gch_"} {
		_, err := e.byKey(secret, "")
		checkRefused(t, secret, err, access.InvalidKey)
	}
}

// broken is a store of which one thing fails.
type broken struct {
	access.Store
	what string
}

func (b broken) err(what string) error {
	if b.what == what {
		return errDisk
	}
	return nil
}

func (b broken) KeyByHash(ctx context.Context, hash [sha256.Size]byte) (access.Key, access.Profile, error) {
	if err := b.err("key"); err != nil {
		return access.Key{}, access.Profile{}, err
	}
	return b.Store.KeyByHash(ctx, hash)
}

func (b broken) TouchKey(ctx context.Context, id uuid.UUID, at time.Time) error {
	return errors.Join(b.err("touch"), b.Store.TouchKey(ctx, id, at))
}

func (b broken) TouchFamily(ctx context.Context, id uuid.UUID, at time.Time) error {
	return errors.Join(b.err("touch"), b.Store.TouchFamily(ctx, id, at))
}

func (b broken) TokenByHash(ctx context.Context, kind access.TokenKind, hash [sha256.Size]byte) (access.Grant, error) {
	if err := b.err("token"); err != nil {
		return access.Grant{}, err
	}
	return b.Store.TokenByHash(ctx, kind, hash)
}

func (b broken) TakeTurn(ctx context.Context, profile uuid.UUID, now time.Time, interval time.Duration, burst int) (time.Duration, error) {
	wait, err := b.Store.TakeTurn(ctx, profile, now, interval, burst)
	return wait, errors.Join(b.err("turn"), err)
}

func (b broken) Throttle(ctx context.Context, fn func(access.FailureStore) error) error {
	if err := b.err("throttle"); err != nil {
		return err
	}
	return b.Store.Throttle(ctx, fn)
}

func (b broken) UserByName(ctx context.Context, name string) (access.User, string, access.Profile, error) {
	user, hash, profile, err := b.Store.UserByName(ctx, name)
	return user, hash, profile, errors.Join(b.err("user"), err)
}

func (b broken) OpenSession(ctx context.Context, f access.Family, password string, tokens ...access.Token) error {
	return errors.Join(b.err("session"), b.Store.OpenSession(ctx, f, password, tokens...))
}

func (b broken) Client(ctx context.Context, id uuid.UUID) (access.OAuthClient, access.Profile, error) {
	client, profile, err := b.Store.Client(ctx, id)
	return client, profile, errors.Join(b.err("client"), err)
}

func (b broken) AddFamily(ctx context.Context, f access.Family, tokens ...access.Token) error {
	return errors.Join(b.err("family"), b.Store.AddFamily(ctx, f, tokens...))
}

func (b broken) Renew(ctx context.Context, hash [sha256.Size]byte, at time.Time, next ...access.Token) (access.Grant, error) {
	if err := b.err("renew"); err != nil {
		return access.Grant{}, err
	}
	return b.Store.Renew(ctx, hash, at, next...)
}

// TestControl_Broken: a failure of the store is told as what it is, never as a
// refusal.
func TestControl_Broken(t *testing.T) {
	e := MustEnv(t)
	e.change(func(p *access.Profile) { p.Rate = 1000 })
	pair := e.mustLogin()
	calls := map[string]func(c *access.Control) error{
		"key": func(c *access.Control) error {
			_, err := c.Admit(t.Context(), access.Presented{Keys: []string{e.keySecret}}, "")
			return err
		},
		"token": func(c *access.Control) error {
			_, err := c.Admit(t.Context(), access.Presented{Tokens: []string{pair.Access}}, "")
			return err
		},
		"guess": func(c *access.Control) error {
			_, err := c.Admit(t.Context(), access.Presented{Keys: []string{"x"}}, "")
			return err
		},
		"login": func(c *access.Control) error {
			_, err := c.Login(t.Context(), access.LoginRequest{User: userName, Password: userPassword, From: address})
			return err
		},
		"grant": func(c *access.Control) error {
			_, err := c.GrantClient(t.Context(), access.ClientRequest{ID: e.client.ID.String(), Secret: e.clientSecret})
			return err
		},
		"refresh": func(c *access.Control) error {
			_, err := c.Refresh(t.Context(), pair.Refresh, address)
			return err
		},
	}
	for what, callers := range map[string]string{
		"key": "key", "token": "token refresh", "touch": "key token", "turn": "key token login grant refresh", "throttle": "guess login",
		"user": "login", "session": "login", "client": "grant", "family": "grant", "renew": "refresh",
	} {
		e.move(time.Minute) // keys and tokens are touched anew
		control := access.New(access.Config{Store: broken{e.store, what}, Hasher: e.hasher, Clock: e.clock})
		for caller := range strings.FieldsSeq(callers) {
			var refused *access.Refusal
			if err := calls[caller](control); !errors.Is(err, errDisk) || errors.As(err, &refused) {
				t.Errorf("%s fails, %s: got %v, want %v", what, caller, err, errDisk)
			}
		}
	}
}

// TestControl_NoTokenOnError: tokens that were not kept are not handed out.
func TestControl_NoTokenOnError(t *testing.T) {
	e := MustEnv(t)
	pair := e.mustLogin()
	control := func(what string) *access.Control {
		return access.New(access.Config{Store: broken{e.store, what}, Hasher: e.hasher, Clock: e.clock})
	}
	login, err := control("session").Login(t.Context(), access.LoginRequest{User: userName, Password: userPassword, From: address})
	if !errors.Is(err, errDisk) || login != (access.Pair{}) {
		t.Errorf("login: got %v and a token, want %v alone", err, errDisk)
	}
	renewed, err := control("renew").Refresh(t.Context(), pair.Refresh, address)
	if !errors.Is(err, errDisk) || renewed != (access.Pair{}) {
		t.Errorf("refresh: got %v and a token, want %v alone", err, errDisk)
	}
	granted, err := control("family").GrantClient(t.Context(), access.ClientRequest{ID: e.client.ID.String(), Secret: e.clientSecret})
	if !errors.Is(err, errDisk) || granted.Access != "" {
		t.Errorf("grant: got %v and a token, want %v alone", err, errDisk)
	}
}

// brokenHasher verifies nothing.
type brokenHasher struct{ *countingHasher }

func (brokenHasher) Verify(context.Context, string, string) (bool, error) { return false, errDisk }

// TestControl_Login_HasherFails: a password that could not be checked is neither
// right nor wrong.
func TestControl_Login_HasherFails(t *testing.T) {
	e := MustEnv(t)
	control := access.New(access.Config{Store: e.store, Hasher: brokenHasher{e.hasher}, Clock: e.clock})
	_, err := control.Login(t.Context(), access.LoginRequest{User: userName, Password: userPassword, From: address})
	if refused := (*access.Refusal)(nil); !errors.Is(err, errDisk) || errors.As(err, &refused) {
		t.Errorf("got %v, want %v", err, errDisk)
	}
	e.mustLogin()
}

// TestControl_RevokedMeanwhile: a client that is revoked, and a user who is disabled,
// while they are checked get nothing.
func TestControl_RevokedMeanwhile(t *testing.T) {
	e := MustEnv(t)
	control := access.New(access.Config{Store: meanwhile{e.store, e}, Hasher: e.hasher, Clock: e.clock})
	_, err := control.GrantClient(t.Context(), access.ClientRequest{ID: e.client.ID.String(), Secret: e.clientSecret})
	checkRefused(t, "client", err, access.InvalidClient)
	_, err = control.Login(t.Context(), access.LoginRequest{User: userName, Password: userPassword, From: address})
	checkRefused(t, "user", err, access.InvalidLogin)
}

// meanwhile is a store in which somebody revokes what was just read.
type meanwhile struct {
	access.Store
	e *env
}

func (m meanwhile) Client(ctx context.Context, id uuid.UUID) (access.OAuthClient, access.Profile, error) {
	client, profile, err := m.Store.Client(ctx, id)
	m.e.must(m.RevokeClient(ctx, id, m.e.clock()))
	return client, profile, err
}

func (m meanwhile) UserByName(ctx context.Context, name string) (access.User, string, access.Profile, error) {
	user, hash, profile, err := m.Store.UserByName(ctx, name)
	m.e.must(m.SetUserDisabled(ctx, user.ID, true, m.e.clock()))
	return user, hash, profile, err
}

// TestNew_Defaults: without a clock and a hasher it has real ones.
func TestNew_Defaults(t *testing.T) {
	e := MustEnv(t)
	control := access.New(access.Config{Store: e.store})
	_, err := control.Admit(t.Context(), access.Presented{Keys: []string{e.keySecret}}, access.ReadDirectory)
	if err != nil || time.Since(e.lastUse(e.key.ID)) > time.Minute {
		t.Errorf("got %v, used at %v", err, e.lastUse(e.key.ID))
	}
	if _, err := control.Login(t.Context(), access.LoginRequest{User: userName, Password: userPassword, From: address}); err != nil {
		t.Errorf("login: %v", err)
	}
}
