package access_test

import (
	"crypto/sha256"
	"strings"
	"testing"
	"time"

	"guiche/internal/service/access"

	"github.com/google/uuid"
)

func TestNewKey(t *testing.T) {
	profile := uuid.New()
	key, secret := access.NewKey(profile, time.Hour, start)
	if key.ProfileID != profile || key.Idle != time.Hour || !key.CreatedAt.Equal(start) || key.Hash != sha256.Sum256([]byte(secret)) {
		t.Errorf("got %+v", key)
	}
	if !strings.HasPrefix(secret, "gch_") || len(secret) != 55 || key.Hint != secret[51:] {
		t.Errorf("got %q, hint %q", secret, key.Hint)
	}
	other, otherSecret := access.NewKey(profile, time.Hour, start)
	if other.ID == key.ID || otherSecret == secret {
		t.Error("two keys are the same")
	}
}

func TestKey_Live(t *testing.T) {
	key, _ := access.NewKey(uuid.New(), time.Hour, start)
	used, revoked, endless, early := key, key, key, key
	used.UsedAt, revoked.RevokedAt, endless.Idle, early.UsedAt = start.Add(time.Minute), start, 0, start.Add(-time.Minute)
	for name, tt := range map[string]struct {
		key   access.Key
		after time.Duration
		want  bool
	}{
		"new": {key, 0, true}, "just before": {key, time.Hour - 1, true}, "its time is over": {key, time.Hour, false},
		"used": {used, time.Hour, true}, "not used since": {used, time.Hour + time.Minute, false},
		"revoked": {revoked, 0, false}, "without a time": {endless, 1000 * time.Hour, true},
		"used by a clock that was set back": {early, time.Hour - 1, true},
	} {
		if got := tt.key.Live(start.Add(tt.after)); got != tt.want {
			t.Errorf("%s: got %v, want %v", name, got, tt.want)
		}
	}
}

func TestGrant_Live(t *testing.T) {
	live := access.Grant{Token: access.Token{ExpiresAt: start.Add(time.Hour)}}
	spent, revoked, out, disabled := live, live, live, live
	spent.Token.SpentAt, revoked.Family.RevokedAt, out.OwnerOut, disabled.Profile.Disabled = start, start, true, true
	for name, tt := range map[string]struct {
		grant access.Grant
		after time.Duration
		want  bool
	}{
		"live": {live, time.Hour - 1, true}, "expired": {live, time.Hour, false}, "spent": {spent, 0, false},
		"family revoked": {revoked, 0, false}, "owner out": {out, 0, false}, "profile disabled": {disabled, 0, false},
	} {
		if got := tt.grant.Live(start.Add(tt.after)); got != tt.want {
			t.Errorf("%s: got %v, want %v", name, got, tt.want)
		}
	}
}

func TestFamily_Method(t *testing.T) {
	if got := (access.Family{UserID: uuid.New()}).Method(); got != access.MethodPassword {
		t.Errorf("of a user: got %s", got)
	}
	if got := (access.Family{ClientID: uuid.New()}).Method(); got != access.MethodOAuth {
		t.Errorf("of a client: got %s", got)
	}
}

func TestRandomPassword(t *testing.T) {
	one, other := access.RandomPassword(), access.RandomPassword()
	if one == other || len(one) != 32 {
		t.Errorf("got %q and %q, want two of 24 bytes", one, other)
	}
}
