package access_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"guiche/internal/service/access"

	"github.com/google/uuid"
)

func TestControl_Admit_Caller(t *testing.T) {
	e := MustEnv(t)
	pair, token := e.mustLogin(), e.mustGrant("")
	for name, c := range map[string]struct {
		admit  func() (access.Caller, error)
		method access.Method
		id     uuid.UUID
	}{
		"key":    {func() (access.Caller, error) { return e.byKey(e.keySecret, access.ReadDirectory) }, access.MethodAPIKey, e.key.ID},
		"login":  {func() (access.Caller, error) { return e.byToken(pair.Access, access.ReadDirectory) }, access.MethodPassword, e.user.ID},
		"client": {func() (access.Caller, error) { return e.byToken(token.Access, access.ReadDirectory) }, access.MethodOAuth, e.client.ID},
	} {
		got, err := c.admit()
		if err != nil || got.Method != c.method || got.AccessID != c.id || got.Profile.ID != e.profile.ID ||
			!slices.Equal(got.Profile.Scopes, e.profile.Scopes) {
			t.Errorf("%s: got %+v, %v, want %s %s", name, got, err, c.method, c.id)
		}
	}
}

// TestControl_Admit_Invalid: whatever is wrong with a secret, the answer is the
// same.
func TestControl_Admit_Invalid(t *testing.T) {
	e := MustEnv(t)
	pair := e.mustLogin()
	mistyped := func(secret string) string { return secret[:len(secret)-1] + "x" }
	unknown, unknownSecret := access.NewKey(e.profile.ID, 0, start)
	if unknown.ID == e.key.ID {
		t.Fatal("two keys have one id")
	}
	for name, p := range map[string]access.Presented{
		"mistyped":         {Keys: []string{mistyped(e.keySecret)}},
		"unknown":          {Keys: []string{unknownSecret}},
		"two of them":      {Keys: []string{e.keySecret, e.keySecret}},
		"empty":            {Keys: []string{""}},
		"short":            {Keys: []string{e.keySecret[:len(e.keySecret)-1]}},
		"long":             {Keys: []string{e.keySecret + "0"}},
		"a token as a key": {Keys: []string{pair.Access}},
		"beside a token":   {Keys: []string{unknownSecret}, Tokens: []string{pair.Access}},
	} {
		_, err := e.Admit(t.Context(), p, "")
		checkRefused(t, name, err, access.InvalidKey)
	}
	for name, tokens := range map[string][]string{
		"mistyped":          {mistyped(pair.Access)},
		"a refresh token":   {pair.Refresh},
		"a key as a token":  {e.keySecret},
		"two of them":       {pair.Access, pair.Access},
		"another's prefix":  {"gca_" + strings.TrimPrefix(pair.Refresh, "gcr_")},
		"none":              nil,
		"an unknown one":    {"gca_" + strings.Repeat("A", 43) + "7b6f3a0c"},
		"with white space":  {" " + pair.Access},
		"of another method": {e.clientSecret},
	} {
		_, err := e.Admit(t.Context(), access.Presented{Tokens: tokens, From: address}, "")
		checkRefused(t, name, err, access.InvalidToken)
	}
	if _, err := e.byKey(e.keySecret, ""); err != nil {
		t.Errorf("the good key: %v", err)
	}
}

func TestControl_Admit_Ended(t *testing.T) {
	for name, end := range map[string]func(e *env){
		"revoked":          func(e *env) { e.must(e.store.RevokeKey(e.t.Context(), e.key.ID, e.clock())) },
		"profile disabled": func(e *env) { e.change(func(p *access.Profile) { p.Disabled = true }) },
	} {
		e := MustEnv(t)
		end(e)
		_, err := e.byKey(e.keySecret, "")
		checkRefused(t, "key, "+name, err, access.InvalidKey)
	}
	for name, end := range map[string]func(e *env){
		"expired":          func(e *env) { e.move(15 * time.Hour) },
		"profile disabled": func(e *env) { e.change(func(p *access.Profile) { p.Disabled = true }) },
		"user disabled":    func(e *env) { e.must(e.store.SetUserDisabled(e.t.Context(), e.user.ID, true, e.clock())) },
		"all revoked": func(e *env) {
			e.must(e.store.RevokeFamilies(e.t.Context(), e.profile.ID, access.RevokedByHand, e.clock()))
		},
	} {
		e := MustEnv(t)
		token := e.mustLogin().Access
		end(e)
		_, err := e.byToken(token, "")
		checkRefused(t, "token, "+name, err, access.InvalidToken)
	}
}

// TestControl_Admit_Idle: a key ends after its time without use, and use is kept to
// the minute.
func TestControl_Admit_Idle(t *testing.T) {
	e := MustEnv(t)
	key, secret := access.NewKey(e.profile.ID, time.Hour, start)
	e.must(e.store.AddKey(t.Context(), key))
	e.move(time.Hour - time.Nanosecond)
	_, err := e.byKey(secret, "")
	checkRefused(t, "just before", err, "")
	used := e.clock().Truncate(time.Microsecond)
	e.move(59 * time.Second)
	_, err = e.byKey(secret, "")
	checkRefused(t, "again", err, "")
	if got := e.lastUse(key.ID); !got.Equal(used) {
		t.Errorf("used at %v, want it kept to the minute: %v", got, used)
	}
	e.move(time.Second)
	if _, err = e.byKey(secret, ""); err != nil || !e.lastUse(key.ID).After(used) {
		t.Errorf("a minute later: %v, used at %v", err, e.lastUse(key.ID))
	}
	e.move(time.Hour + time.Minute)
	_, err = e.byKey(secret, "")
	checkRefused(t, "ended", err, access.InvalidKey)
}

func (e *env) lastUse(key uuid.UUID) time.Time {
	e.t.Helper()
	keys, err := e.store.Keys(e.t.Context(), e.profile.ID)
	e.must(err)
	i := slices.IndexFunc(keys, func(k access.Key) bool { return k.ID == key })
	return keys[i].UsedAt
}

// TestControl_Admit_TokenUse: the last use of a token is kept to the minute too.
func TestControl_Admit_TokenUse(t *testing.T) {
	e := MustEnv(t)
	token := e.mustLogin().Access
	used := func() time.Time {
		t.Helper()
		families, err := e.store.Families(t.Context(), access.FamilyQuery{Profile: e.profile.ID})
		e.must(err)
		return families.Items[0].UsedAt
	}
	for _, step := range []struct {
		wait time.Duration
		want time.Duration // of the last use, since the start
	}{{0, 0}, {59 * time.Second, 0}, {time.Second, time.Minute}, {time.Second, time.Minute}} {
		e.move(step.wait)
		_, err := e.byToken(token, "")
		e.must(err)
		if got := used().Sub(start); got != step.want {
			t.Errorf("%v later: used after %v, want %v", step.wait, got, step.want)
		}
	}
}

func TestControl_Admit_Rights(t *testing.T) {
	e := MustEnv(t)
	pair, narrow := e.mustLogin(), e.mustGrant("cadastros:ler")
	if _, err := e.byToken(narrow.Access, access.ReadDirectory); err != nil {
		t.Errorf("the scope that was asked for: %v", err)
	}
	if _, err := e.byToken(narrow.Access, ""); err != nil {
		t.Errorf("what needs no scope: %v", err)
	}
	_, err := e.byToken(narrow.Access, access.ReadCredentials)
	var refused *access.Refusal
	if !errors.As(err, &refused) || refused.Reason != access.MissingScope || refused.Scope != access.ReadCredentials ||
		refused.Method != access.MethodOAuth {
		t.Errorf("a scope that was not: got %+v", refused)
	}
	e.change(func(p *access.Profile) { p.Scopes = []access.Scope{access.ReadCredentials} })
	_, err = e.byKey(e.keySecret, access.ReadDirectory)
	checkRefused(t, "a scope that the profile lost", err, access.MissingScope)
	got, err := e.byToken(narrow.Access, "")
	if err != nil || len(got.Profile.Scopes) != 0 {
		t.Errorf("a token whose scope the profile lost: got %v, %v, want none", got.Profile.Scopes, err)
	}
	e.change(func(p *access.Profile) { p.Methods = []access.Method{access.MethodOAuth} })
	_, err = e.byKey(e.keySecret, access.ReadDirectory)
	checkRefused(t, "key, its method being off", err, access.MethodOff)
	_, err = e.byToken(pair.Access, "")
	checkRefused(t, "login, its method being off", err, access.MethodOff)
	_, err = e.byToken(narrow.Access, "")
	checkRefused(t, "client, its method being on", err, "")
}

// TestControl_Admit_Rate is row 10: a minute's worth at once, then evenly.
func TestControl_Admit_Rate(t *testing.T) {
	e := MustEnv(t)
	e.change(func(p *access.Profile) { p.Rate = 3 })
	for i := range 3 {
		_, err := e.byKey(e.keySecret, "")
		checkRefused(t, "within a minute's worth", err, "")
		_ = i
	}
	_, err := e.byKey(e.keySecret, "")
	var refused *access.Refusal
	if !errors.As(err, &refused) || refused.Reason != access.TooManyRequests || refused.Wait != 20*time.Second {
		t.Errorf("beyond: got %+v, want to wait 20 s", refused)
	}
	_, err = e.byKey("gch_x", "")
	checkRefused(t, "a wrong key", err, access.InvalidKey)
	e.move(20 * time.Second)
	_, err = e.byKey(e.keySecret, "")
	checkRefused(t, "after the wait", err, "")
	_, err = e.byKey(e.keySecret, "")
	checkRefused(t, "and again", err, access.TooManyRequests)
}

// TestControl_Admit_Guesses: an address that guesses is stopped, and whoever shares
// it still gets in with a good secret.
func TestControl_Admit_Guesses(t *testing.T) {
	e := MustEnv(t)
	token := e.mustLogin().Access
	var err error
	for range 300 {
		_, err = e.byKey("gch_guess", "")
		checkRefused(t, "a guess", err, access.InvalidKey)
	}
	for name, guess := range map[string]func() error{
		"key":     func() error { _, err := e.byKey("gch_guess", ""); return err },
		"token":   func() error { _, err := e.byToken("gca_guess", ""); return err },
		"refresh": func() error { _, err := e.Refresh(t.Context(), "gcr_guess", address); return err },
		"client":  func() error { _, err := e.grant(uuid.NewString(), "gcs_guess", ""); return err },
	} {
		err := guess()
		var refused *access.Refusal
		if !errors.As(err, &refused) || refused.Reason != access.TooManyGuesses || refused.Wait <= 0 {
			t.Errorf("%s: got %v, want too many guesses and a wait", name, err)
		}
	}
	if _, err := e.byKey(e.keySecret, ""); err != nil {
		t.Errorf("a good key: %v", err)
	}
	if _, err := e.byToken(token, ""); err != nil {
		t.Errorf("a good token: %v", err)
	}
	if _, err := e.Admit(t.Context(), access.Presented{Keys: []string{"gch_guess"}, From: "192.0.2.8"}, ""); reason(err) != access.InvalidKey {
		t.Errorf("from elsewhere: got %v", err)
	}
}
