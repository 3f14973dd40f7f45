package access_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"guiche/internal/password"
	"guiche/internal/service/access"
	"guiche/internal/store/accessstore"
	"guiche/internal/store/storetest"
	"guiche/migrations"

	"github.com/google/uuid"
)

var start = time.Date(2026, 11, 20, 17, 30, 0, 0, time.UTC)

const (
	userName     = "integra"
	userPassword = "uma frase bem longa"
	address      = "192.0.2.7"
)

// env is access control over a real database, with one partner who has an access
// of each kind.
type env struct {
	*access.Control
	t      *testing.T
	now    atomic.Int64
	store  *accessstore.Store
	hasher *countingHasher
	log    *strings.Builder

	profile access.Profile
	key     access.Key
	user    access.User
	client  access.OAuthClient
	// Their secrets.
	keySecret, clientSecret string
}

// countingHasher counts the passwords that it was given to verify.
type countingHasher struct {
	*password.Argon2id
	verified atomic.Int64
}

func (h *countingHasher) Verify(ctx context.Context, hash, given string) (bool, error) {
	h.verified.Add(1)
	return h.Argon2id.Verify(ctx, hash, given)
}

func MustEnv(t *testing.T) *env {
	t.Helper()
	e := &env{t: t, log: &strings.Builder{},
		hasher: &countingHasher{Argon2id: password.NewArgon2id(password.Argon2idConfig{MemoryKiB: 8, Passes: 1})}}
	e.now.Store(start.UnixNano())
	e.store = accessstore.New(storetest.Open(t, migrations.Service, e.clock))
	e.Control = access.New(access.Config{
		Store: e.store, Hasher: e.hasher, Clock: e.clock, Logger: slog.New(slog.NewTextHandler(e.log, nil)),
	})
	e.fill()
	return e
}

func (e *env) fill() {
	e.t.Helper()
	ctx := e.t.Context()
	e.profile = access.Profile{ID: uuid.New(), Name: "Parceiro", Methods: access.Methods(), Scopes: access.Scopes()}
	e.must(e.store.PutProfile(ctx, e.profile))
	e.key, e.keySecret = access.NewKey(e.profile.ID, 0, start)
	e.must(e.store.AddKey(ctx, e.key))
	e.client, e.clientSecret = access.NewClient(e.profile.ID, "Sistema", 0, start)
	e.must(e.store.AddClient(ctx, e.client))
	hash, err := e.hasher.Hash(ctx, userPassword)
	e.must(err)
	e.user = access.User{ID: uuid.New(), ProfileID: e.profile.ID, Name: userName, CreatedAt: start}
	e.must(e.store.AddUser(ctx, e.user, hash))
}

func (e *env) clock() time.Time { return time.Unix(0, e.now.Load()).UTC() }

func (e *env) move(d time.Duration) { e.now.Add(int64(d)) }

func (e *env) must(err error) {
	e.t.Helper()
	if err != nil {
		e.t.Fatal(err)
	}
}

// change replaces the profile by one that is changed.
func (e *env) change(change func(p *access.Profile)) {
	e.t.Helper()
	p := e.profile
	change(&p)
	e.must(e.store.PutProfile(e.t.Context(), p))
}

// byKey and byToken come in with a secret.
func (e *env) byKey(secret string, scope access.Scope) (access.Caller, error) {
	return e.Admit(e.t.Context(), access.Presented{Keys: []string{secret}, From: address}, scope)
}

func (e *env) byToken(token string, scope access.Scope) (access.Caller, error) {
	return e.Admit(e.t.Context(), access.Presented{Tokens: []string{token}, From: address}, scope)
}

func (e *env) login(user, given string) (access.Pair, error) {
	return e.Login(e.t.Context(), access.LoginRequest{User: user, Password: given, From: address})
}

func (e *env) mustLogin() access.Pair {
	e.t.Helper()
	pair, err := e.login(userName, userPassword)
	e.must(err)
	return pair
}

func (e *env) grant(id, secret, scope string) (access.ClientToken, error) {
	return e.GrantClient(e.t.Context(), access.ClientRequest{ID: id, Secret: secret, Scope: scope, From: address})
}

func (e *env) mustGrant(scope string) access.ClientToken {
	e.t.Helper()
	token, err := e.grant(e.client.ID.String(), e.clientSecret, scope)
	e.must(err)
	return token
}

// reason is why somebody was refused, "" for nobody.
func reason(err error) access.Reason {
	var r *access.Refusal
	if errors.As(err, &r) {
		return r.Reason
	}
	if err != nil {
		return access.Reason(err.Error())
	}
	return ""
}

// checkRefused holds an error to the reason of a refusal, "" for none.
func checkRefused(t *testing.T, what string, err error, want access.Reason) {
	t.Helper()
	if got := reason(err); got != want {
		t.Errorf("%s: got %q, want %q", what, got, want)
	}
}
