package accessstore_test

import (
	"crypto/sha256"
	"slices"
	"testing"
	"time"

	"guiche/internal/problem"
	"guiche/internal/service/access"
	"guiche/internal/throttle"

	"github.com/google/uuid"
)

func token(name string, kind access.TokenKind, expires time.Time) access.Token {
	return access.Token{Hash: sha256.Sum256([]byte(name)), Kind: kind, CreatedAt: now, ExpiresAt: expires}
}

// mustUser adds a user with the hash "h".
func (f fixture) mustUser(tb testing.TB, name string) access.User {
	tb.Helper()
	u := access.User{ID: uuid.New(), ProfileID: f.profile, Name: name, CreatedAt: now}
	must(tb, f.AddUser(tb.Context(), u, "h"))
	return u
}

func (f fixture) family(u access.User, at time.Time) access.Family {
	return access.Family{ID: uuid.New(), ProfileID: f.profile, UserID: u.ID, CreatedAt: at, EndsAt: at.Add(time.Hour)}
}

// families lists families of the fixture's profile.
func (f fixture) families(tb testing.TB, q access.FamilyQuery) []access.Family {
	tb.Helper()
	q.Profile = f.profile
	found, err := f.Families(tb.Context(), q)
	must(tb, err)
	return found.Items
}

// TestStore_DisabledMeanwhile: a partner that is disabled while one of its users or
// clients is being checked gets no token, which would be good once it is enabled again.
func TestStore_DisabledMeanwhile(t *testing.T) {
	f := MustStore(t)
	o := f.mustOwn(t)
	profiles, err := f.Profiles(t.Context())
	must(t, err)
	for _, p := range profiles {
		p.Disabled = true
		must(t, f.PutProfile(t.Context(), p))
	}
	session := f.family(o.user, now)
	if err := f.OpenSession(t.Context(), session, "h", token("s", access.AccessToken, session.EndsAt)); !problem.Is(err, problem.NotFound) {
		t.Errorf("a user: got %v, want %s", err, problem.NotFound)
	}
	grant := o.clientFamily(now)
	if err := f.AddFamily(t.Context(), grant, token("c", access.AccessToken, grant.EndsAt)); !problem.Is(err, problem.NotFound) {
		t.Errorf("a client: got %v, want %s", err, problem.NotFound)
	}
	for _, family := range f.families(t, access.FamilyQuery{}) {
		if family.Reason != access.RevokedByHand || !family.RevokedAt.Equal(now) {
			t.Errorf("got %+v, want it revoked", family)
		}
	}
}

func TestStore_OpenSession(t *testing.T) {
	f := MustStore(t)
	u := f.mustUser(t, "ana")
	if err := f.AddUser(t.Context(), access.User{ID: uuid.New(), ProfileID: f.profile, Name: "ana"}, "h"); !problem.Is(err, problem.Conflict) {
		t.Errorf("the same name: got %v, want %s", err, problem.Conflict)
	}
	open := func(hash string) error {
		return f.OpenSession(t.Context(), f.family(u, now), hash, token(uuid.NewString(), access.AccessToken, now.Add(time.Hour)))
	}
	must(t, open("h"))
	if err := open("other"); !problem.Is(err, problem.NotFound) {
		t.Errorf("another password since: got %v, want %s", err, problem.NotFound)
	}
	must(t, f.SetUserDisabled(t.Context(), u.ID, true, now))
	if err := open("h"); !problem.Is(err, problem.NotFound) {
		t.Errorf("disabled since: got %v, want %s", err, problem.NotFound)
	}
	families := f.families(t, access.FamilyQuery{})
	if len(families) != 1 || families[0].Reason != access.RevokedWithUser {
		t.Errorf("families: got %+v", families)
	}
}

func TestStore_AddFamily(t *testing.T) {
	f := MustStore(t)
	c := access.OAuthClient{ID: uuid.New(), ProfileID: f.profile, Name: "Sistema", Hash: sha256.Sum256([]byte("s")), CreatedAt: now}
	must(t, f.AddClient(t.Context(), c))
	add := func(at time.Time, name string) error {
		family := access.Family{ID: uuid.New(), ProfileID: f.profile, ClientID: c.ID, CreatedAt: at, EndsAt: at.Add(time.Hour),
			Scopes: []access.Scope{access.ReadDirectory}}
		return f.AddFamily(t.Context(), family, token(name, access.AccessToken, family.EndsAt))
	}
	must(t, add(now, "old"))
	g, err := f.TokenByHash(t.Context(), access.AccessToken, sha256.Sum256([]byte("old")))
	must(t, err)
	if !g.Live(now) || g.Live(now.Add(time.Hour)) || g.Family.Owner != "Sistema" || len(g.Family.Scopes) != 1 || g.Profile.Name != "P" {
		t.Errorf("got %+v", g)
	}
	if _, err := f.TokenByHash(t.Context(), access.RefreshToken, sha256.Sum256([]byte("old"))); !problem.Is(err, problem.NotFound) {
		t.Errorf("as another kind: got %v, want %s", err, problem.NotFound)
	}
	t.Run("ForgetsWhatEndedLongAgo", func(t *testing.T) {
		must(t, add(now.Add(32*24*time.Hour), "new"))
		families := f.families(t, access.FamilyQuery{})
		if _, err := f.TokenByHash(t.Context(), access.AccessToken, sha256.Sum256([]byte("old"))); len(families) != 1 ||
			!problem.Is(err, problem.NotFound) {
			t.Errorf("got %d families, old token %v", len(families), err)
		}
	})
	t.Run("Revoked", func(t *testing.T) {
		must(t, f.RevokeClient(t.Context(), c.ID, now))
		if err := add(now, "late"); !problem.Is(err, problem.NotFound) {
			t.Errorf("got %v, want %s", err, problem.NotFound)
		}
		for name, err := range map[string]error{"family": f.RevokeFamily(t.Context(), uuid.New(), access.RevokedByHand, now),
			"client": f.RevokeClient(t.Context(), uuid.New(), now)} {
			if !problem.Is(err, problem.NotFound) {
				t.Errorf("unknown %s: got %v, want %s", name, err, problem.NotFound)
			}
		}
	})
}

func TestStore_Renew(t *testing.T) {
	f := MustStore(t)
	u := f.mustUser(t, "ana")
	family := f.family(u, now)
	must(t, f.OpenSession(t.Context(), family, "h", token("r1", access.RefreshToken, now.Add(time.Hour))))
	r1 := sha256.Sum256([]byte("r1"))
	if g, err := f.Renew(t.Context(), r1, now.Add(time.Hour),
		token("late", access.RefreshToken, now.Add(2*time.Hour))); err != nil || g.Live(now.Add(time.Hour)) {
		t.Errorf("a token that ended: got %+v, %v", g, err)
	}
	if g, err := f.Renew(t.Context(), r1, now, token("r2", access.RefreshToken, now.Add(2*time.Hour))); err != nil || !g.Live(now) {
		t.Errorf("got %+v, %v", g, err)
	}
	if got, want := f.families(t, access.FamilyQuery{})[0], now.Add(2*time.Hour); !got.EndsAt.Equal(want) || !got.RenewedAt.Equal(now) {
		t.Errorf("end %v, renewed %v; want %v and %v", got.EndsAt, got.RenewedAt, want, now)
	}
	must(t, f.RevokeFamily(t.Context(), family.ID, access.RevokedByHand, now))
	if g, err := f.Renew(t.Context(), r1, now.Add(time.Minute)); err != nil || g.Token.SpentAt.IsZero() {
		t.Errorf("used twice: got %+v, %v", g, err)
	}
	if got := f.families(t, access.FamilyQuery{})[0]; got.Reason != access.RevokedByHand || !got.RevokedAt.Equal(now) {
		t.Errorf("the first reason stays: got %+v", got)
	}
	if _, err := f.Renew(t.Context(), sha256.Sum256([]byte("late")), now); !problem.Is(err, problem.NotFound) {
		t.Errorf("a token that was never added: got %v, want %s", err, problem.NotFound)
	}
}

// TestStore_Renew_Twice: a refresh token that comes back was stolen, so everything that
// came from it ends.
func TestStore_Renew_Twice(t *testing.T) {
	f := MustStore(t)
	o := f.mustOwn(t)
	_, err := f.Renew(t.Context(), o.refresh, now, token("next", access.RefreshToken, now.Add(time.Hour)))
	must(t, err)
	later := now.Add(time.Minute)
	if g, err := f.Renew(t.Context(), o.refresh, later); err != nil || g.Token.SpentAt.IsZero() {
		t.Errorf("got %+v, %v, want the spent token", g, err)
	}
	i := slices.IndexFunc(f.families(t, access.FamilyQuery{}), func(x access.Family) bool { return x.ID == o.session.ID })
	if got := f.families(t, access.FamilyQuery{})[i]; got.Reason != access.RevokedByReuse || !got.RevokedAt.Equal(later) {
		t.Errorf("got %+v, want it revoked for reuse at %v", got, later)
	}
}

// TestStore_PutProfile_KeepsSessions: only disabling a partner ends its sessions.
func TestStore_PutProfile_KeepsSessions(t *testing.T) {
	f := MustStore(t)
	f.mustOwn(t)
	profiles, err := f.Profiles(t.Context())
	must(t, err)
	for _, p := range profiles {
		p.Name += ", de novo"
		must(t, f.PutProfile(t.Context(), p))
	}
	for _, family := range f.families(t, access.FamilyQuery{}) {
		if !family.RevokedAt.IsZero() {
			t.Errorf("got %+v, want it open", family)
		}
	}
}

func TestStore_Throttle(t *testing.T) {
	f := MustStore(t)
	subject, other := [32]byte{1}, [32]byte{2}
	step := func(fn func(s access.FailureStore) error) {
		t.Helper()
		must(t, f.Throttle(t.Context(), fn))
	}
	count := func(subject [32]byte) (got throttle.Failures) {
		step(func(s access.FailureStore) (err error) { got, err = s.Failures(t.Context(), subject); return err })
		return got
	}
	set := func(subject [32]byte, want throttle.Failures) {
		step(func(s access.FailureStore) error { return s.SetFailures(t.Context(), subject, want) })
	}
	for _, want := range []throttle.Failures{{Count: 1, At: now}, {Count: 7, At: now.Add(time.Minute)}, {}} {
		if set(subject, want); count(subject) != want {
			t.Errorf("got %+v, want %+v", count(subject), want)
		}
	}
	set(subject, throttle.Failures{Count: 1, At: now})
	set(other, throttle.Failures{Count: 1, At: now.Add(throttle.Outdated + time.Second)})
	if got := count(subject); got.Count != 0 {
		t.Errorf("a count that has leaked away: got %+v", got)
	}
}

// TestStore_Families_Live: those of which a token can be used, a page of them, and
// the end of all of them.
func TestStore_Families_Live(t *testing.T) {
	f := MustStore(t)
	u, out := f.mustUser(t, "ana"), f.mustUser(t, "rui")
	c := access.OAuthClient{ID: uuid.New(), ProfileID: f.profile, Name: "Sistema", Hash: sha256.Sum256([]byte("s")), CreatedAt: now}
	must(t, f.AddClient(t.Context(), c))
	other := uuid.New()
	must(t, f.PutProfile(t.Context(), access.Profile{ID: other, Name: "Outro"}))
	open := func(family access.Family) access.Family {
		must(t, f.OpenSession(t.Context(), family, "h", token(uuid.NewString(), access.AccessToken, family.EndsAt)))
		return family
	}
	first, revoked, _ := open(f.family(u, now)), open(f.family(u, now)), open(f.family(out, now))
	open(access.Family{ID: uuid.New(), ProfileID: f.profile, UserID: u.ID, CreatedAt: now.Add(-2 * time.Hour), EndsAt: now})
	byClient := access.Family{ID: uuid.New(), ProfileID: f.profile, ClientID: c.ID, CreatedAt: now, EndsAt: now.Add(time.Hour)}
	must(t, f.AddFamily(t.Context(), byClient, token("c", access.AccessToken, byClient.EndsAt)))
	must(t, f.RevokeFamily(t.Context(), revoked.ID, access.RevokedByHand, now))
	must(t, f.SetUserDisabled(t.Context(), out.ID, true, now))
	foreign := access.Family{ID: uuid.New(), ProfileID: other, UserID: u.ID, CreatedAt: now, EndsAt: now.Add(time.Hour)}
	open(foreign)

	ids := func(q access.FamilyQuery) (all []uuid.UUID) {
		for _, family := range f.families(t, q) {
			all = append(all, family.ID)
		}
		return all
	}
	if got, want := ids(access.FamilyQuery{LiveAt: now}), []uuid.UUID{byClient.ID, first.ID}; !slices.Equal(got, want) {
		t.Errorf("live: got %v, want %v", got, want)
	}
	if got := ids(access.FamilyQuery{LiveAt: now, Page: 2, Size: 1}); !slices.Equal(got, []uuid.UUID{first.ID}) {
		t.Errorf("second page of one: got %v, want %v", got, first.ID)
	}
	if found, err := f.Families(t.Context(), access.FamilyQuery{Profile: f.profile, LiveAt: now, Page: 9,
		Size: 1}); err != nil || found.Total != 2 || len(found.Items) != 0 {
		t.Errorf("beyond the end: got %+v, %v", found, err)
	}
	if got, err := f.Family(t.Context(), byClient.ID); err != nil || got.Owner != "Sistema" || got.ProfileID != f.profile {
		t.Errorf("one: got %+v, %v", got, err)
	}
	if _, err := f.Family(t.Context(), uuid.New()); !problem.Is(err, problem.NotFound) {
		t.Errorf("one that is not there: got %v, want %s", err, problem.NotFound)
	}
	must(t, f.RevokeFamilies(t.Context(), f.profile, access.RevokedByHand, now.Add(time.Minute)))
	if got := ids(access.FamilyQuery{LiveAt: now}); len(got) != 0 {
		t.Errorf("after the end of all: got %v", got)
	}
	if got, err := f.Family(t.Context(), revoked.ID); err != nil || !got.RevokedAt.Equal(now) {
		t.Errorf("revoked before: got %v, %v, want %v", got.RevokedAt, err, now)
	}
	if got, err := f.Family(t.Context(), foreign.ID); err != nil || !got.RevokedAt.IsZero() {
		t.Errorf("another partner's: got %v, %v", got.RevokedAt, err)
	}
}
