package accessstore_test

import (
	"crypto/sha256"
	"slices"
	"testing"
	"time"

	"guiche/internal/service/access"

	"github.com/google/uuid"
)

func TestStore_Clients(t *testing.T) {
	f := MustStore(t)
	first := access.OAuthClient{ID: uuid.New(), ProfileID: f.profile, Name: "Um", Hash: sha256.Sum256([]byte("1")), Hint: "abcd",
		Idle: time.Hour, CreatedAt: now}
	second := access.OAuthClient{ID: uuid.New(), ProfileID: f.profile, Name: "Dois", Hash: sha256.Sum256([]byte("2")), CreatedAt: now}
	must(t, f.AddClient(t.Context(), first))
	must(t, f.AddClient(t.Context(), second))
	if all, err := f.Clients(t.Context(), f.profile); err != nil || !slices.Equal(all, []access.OAuthClient{second, first}) {
		t.Errorf("got %+v, %v, want the newest first", all, err)
	}
	got, profile, err := f.Client(t.Context(), first.ID)
	if err != nil || got != first || profile.Name != "P" {
		t.Errorf("got %+v of %+v, %v", got, profile, err)
	}
	family := access.Family{ID: uuid.New(), ProfileID: f.profile, ClientID: first.ID, CreatedAt: now.Add(time.Minute),
		EndsAt: now.Add(time.Hour)}
	must(t, f.AddFamily(t.Context(), family, token("t", access.AccessToken, family.EndsAt)))
	ofSecond := access.Family{ID: uuid.New(), ProfileID: f.profile, ClientID: second.ID, CreatedAt: now, EndsAt: now.Add(time.Hour)}
	must(t, f.AddFamily(t.Context(), ofSecond, token("t2", access.AccessToken, family.EndsAt)))
	must(t, f.RevokeClient(t.Context(), first.ID, now.Add(2*time.Minute)))
	must(t, f.RevokeClient(t.Context(), first.ID, now.Add(3*time.Minute)))
	first.UsedAt, first.RevokedAt = now.Add(time.Minute), now.Add(2*time.Minute)
	if got, _, err := f.Client(t.Context(), first.ID); err != nil || got != first {
		t.Errorf("revoked: got %+v, %v, want it revoked since the first time: %+v", got, err, first)
	}
	if got, err := f.Family(t.Context(), family.ID); err != nil || got.Reason != access.RevokedWithClient ||
		!got.RevokedAt.Equal(first.RevokedAt) {
		t.Errorf("its family: got %+v, %v", got, err)
	}
	if got, err := f.Family(t.Context(), ofSecond.ID); err != nil || !got.RevokedAt.IsZero() {
		t.Errorf("another's family: got %+v, %v", got, err)
	}
}

func TestStore_Profiles(t *testing.T) {
	f := MustStore(t)
	p := access.Profile{ID: uuid.New(), Name: "Água", Methods: []access.Method{access.MethodOAuth},
		Scopes: []access.Scope{access.ReadDirectory}, Rate: 7, Disabled: true}
	must(t, f.EnsureProfile(t.Context(), p))
	changed := p
	changed.Name, changed.Rate, changed.Disabled, changed.Methods, changed.Scopes = "Outra", 8, false, access.Methods(), nil
	must(t, f.EnsureProfile(t.Context(), changed))
	find := func() access.Profile {
		t.Helper()
		all, err := f.Profiles(t.Context())
		must(t, err)
		i := slices.IndexFunc(all, func(q access.Profile) bool { return q.ID == p.ID })
		return all[i]
	}
	same := func(a, b access.Profile) bool {
		return a.Name == b.Name && a.Rate == b.Rate && a.Disabled == b.Disabled && slices.Equal(a.Methods, b.Methods) &&
			slices.Equal(a.Scopes, b.Scopes)
	}
	if got := find(); !same(got, p) {
		t.Errorf("ensured twice: got %+v, want %+v", got, p)
	}
	must(t, f.PutProfile(t.Context(), changed))
	if got := find(); !same(got, changed) {
		t.Errorf("replaced: got %+v, want %+v", got, changed)
	}
	must(t, f.EnsureProfile(t.Context(), access.Profile{ID: uuid.New(), Name: "Óleos"}))
	all, err := f.Profiles(t.Context())
	if err != nil || len(all) != 3 || all[0].Name != "Óleos" || all[1].Name != "Outra" || all[2].Name != "P" {
		t.Errorf("got %+v, %v, want them by name, without regard to accents", all, err)
	}
}

// TestStore_TouchFamily: a late writer does not turn the clock back.
func TestStore_TouchFamily(t *testing.T) {
	f := MustStore(t)
	u := f.mustUser(t, "ana")
	family := f.family(u, now)
	must(t, f.OpenSession(t.Context(), family, "h", token("t", access.AccessToken, family.EndsAt)))
	must(t, f.TouchFamily(t.Context(), family.ID, now.Add(time.Minute)))
	must(t, f.TouchFamily(t.Context(), family.ID, now))
	got, err := f.Family(t.Context(), family.ID)
	if err != nil || !got.UsedAt.Equal(now.Add(time.Minute)) || !got.CreatedAt.Equal(now) || !got.EndsAt.Equal(family.EndsAt) ||
		got.UserID != u.ID {
		t.Errorf("got %+v, %v", got, err)
	}
}

// TestStore_TakeTurn_ClockSetBack: what was paid for lies at most a minute beyond a
// burst ahead; farther, the clock was set back, and it counts no more.
func TestStore_TakeTurn_ClockSetBack(t *testing.T) {
	for _, c := range []struct {
		back time.Duration
		want time.Duration
	}{{time.Minute, time.Minute + time.Second}, {time.Minute + time.Second, 0}} {
		f := MustStore(t)
		if wait, err := f.TakeTurn(t.Context(), f.profile, now, time.Second, 1); err != nil || wait != 0 {
			t.Fatalf("first turn: %v, %v", wait, err)
		}
		if wait, err := f.TakeTurn(t.Context(), f.profile, now.Add(-c.back), time.Second, 1); err != nil || wait != c.want {
			t.Errorf("set back by %v: got %v, %v, want %v", c.back, wait, err, c.want)
		}
	}
}

// TestStore_Renew_Ends: a family lasts as long as the last of its tokens, and never
// less than before.
func TestStore_Renew_Ends(t *testing.T) {
	for _, c := range []struct{ lives, want []time.Duration }{
		{[]time.Duration{2 * time.Hour, 3 * time.Hour}, []time.Duration{3 * time.Hour}},
		{[]time.Duration{3 * time.Hour, 2 * time.Hour}, []time.Duration{3 * time.Hour}},
		{[]time.Duration{time.Minute}, []time.Duration{time.Hour}},
	} {
		f := MustStore(t)
		family := f.family(f.mustUser(t, "ana"), now)
		must(t, f.OpenSession(t.Context(), family, "h", token("r", access.RefreshToken, now.Add(time.Hour))))
		var next []access.Token
		for i, life := range c.lives {
			next = append(next, token(string(rune('a'+i)), access.AccessToken, now.Add(life)))
		}
		_, err := f.Renew(t.Context(), sha256.Sum256([]byte("r")), now, next...)
		must(t, err)
		if got, err := f.Family(t.Context(), family.ID); err != nil || !got.EndsAt.Equal(now.Add(c.want[0])) {
			t.Errorf("%v: got %v, %v, want %v", c.lives, got.EndsAt.Sub(now), err, c.want[0])
		}
	}
}
