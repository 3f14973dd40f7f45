package accessstore_test

import (
	"slices"
	"testing"
	"time"

	"guiche/internal/problem"
	"guiche/internal/service/access"

	"github.com/google/uuid"
)

func TestStore_Users(t *testing.T) {
	f := MustStore(t)
	ana := access.User{ID: uuid.New(), ProfileID: f.profile, Name: "ana", CreatedAt: now}
	rui := access.User{ID: uuid.New(), ProfileID: f.profile, Name: "rui", CreatedAt: now.Add(-time.Hour)}
	other := access.Profile{ID: uuid.New(), Name: "Outro"}
	must(t, f.PutProfile(t.Context(), other))
	must(t, f.AddUser(t.Context(), rui, "hash of rui"))
	must(t, f.AddUser(t.Context(), ana, "hash of ana"))
	must(t, f.AddUser(t.Context(), access.User{ID: uuid.New(), ProfileID: other.ID, Name: "eva", CreatedAt: now}, "x"))
	if users, err := f.Users(t.Context(), f.profile); err != nil || !slices.Equal(users, []access.User{ana, rui}) {
		t.Errorf("got %+v, %v, want ana and rui", users, err)
	}
	got, hash, profile, err := f.UserByName(t.Context(), "rui")
	if err != nil || got != rui || hash != "hash of rui" || profile.ID != f.profile || profile.Rate != 3 {
		t.Errorf("got %+v with %q of %+v, %v", got, hash, profile, err)
	}
	for name, err := range map[string]error{
		"by name":     func() error { _, _, _, err := f.UserByName(t.Context(), "Rui"); return err }(),
		"password":    f.SetUserPassword(t.Context(), uuid.New(), "x", now),
		"disabled":    f.SetUserDisabled(t.Context(), uuid.New(), true, now),
		"no profile":  f.AddUser(t.Context(), access.User{ID: uuid.New(), ProfileID: uuid.New(), Name: "ivo"}, "x"),
		"session":     f.OpenSession(t.Context(), access.Family{ID: uuid.New(), ProfileID: f.profile, UserID: uuid.New(), CreatedAt: now}, "x"),
		"touch":       f.TouchFamily(t.Context(), uuid.New(), now),
		"turn":        func() error { _, err := f.TakeTurn(t.Context(), uuid.New(), now, time.Second, 1); return err }(),
		"client":      func() error { _, _, err := f.Client(t.Context(), uuid.New()); return err }(),
		"client's":    f.AddClient(t.Context(), access.OAuthClient{ID: uuid.New(), ProfileID: uuid.New()}),
		"one session": func() error { _, err := f.Family(t.Context(), uuid.New()); return err }(),
	} {
		if !problem.Is(err, problem.NotFound) {
			t.Errorf("%s: got %v, want %s", name, err, problem.NotFound)
		}
	}
}

// TestStore_SetUser: another password and being disabled end what the user has, and
// nobody else's.
func TestStore_SetUser(t *testing.T) {
	for name, c := range map[string]struct {
		change func(f fixture, id uuid.UUID) error
		ended  bool
		hash   string
		off    bool
	}{
		"password": {func(f fixture, id uuid.UUID) error {
			return f.SetUserPassword(t.Context(), id, "h2", now.Add(time.Minute))
		}, true, "h2", false},
		"disabled": {func(f fixture, id uuid.UUID) error {
			return f.SetUserDisabled(t.Context(), id, true, now.Add(time.Minute))
		}, true, "h", true},
		"enabled": {func(f fixture, id uuid.UUID) error {
			return f.SetUserDisabled(t.Context(), id, false, now.Add(time.Minute))
		}, false, "h", false},
	} {
		f := MustStore(t)
		ana, rui := f.mustUser(t, "ana"), f.mustUser(t, "rui")
		for _, u := range []access.User{ana, rui} {
			family := f.family(u, now)
			must(t, f.OpenSession(t.Context(), family, "h", token(u.Name, access.AccessToken, family.EndsAt)))
		}
		must(t, c.change(f, ana.ID))
		for _, family := range f.families(t, access.FamilyQuery{}) {
			ended := c.ended && family.UserID == ana.ID
			if got := !family.RevokedAt.IsZero(); got != ended || ended && (family.Reason != access.RevokedWithUser ||
				!family.RevokedAt.Equal(now.Add(time.Minute))) {
				t.Errorf("%s: the session of %s: got %+v, want ended %v", name, family.Owner, family, ended)
			}
		}
		got, hash, _, err := f.UserByName(t.Context(), "ana")
		if err != nil || hash != c.hash || got.Disabled != c.off || !got.UsedAt.Equal(now) {
			t.Errorf("%s: got %+v with %q, %v", name, got, hash, err)
		}
	}
}

func TestStore_FailedLogins(t *testing.T) {
	f := MustStore(t)
	ana, unknown := f.mustUser(t, "ana"), uuid.Nil
	must(t, f.Throttle(t.Context(), func(counts access.FailureStore) error {
		for range 3 {
			must(t, counts.CountTried(t.Context(), ana.ID, now))
		}
		must(t, counts.CountTried(t.Context(), unknown, now.Add(-2*time.Hour)))
		return counts.CountRefused(t.Context(), unknown, now)
	}))
	want := []access.FailedLogins{
		{User: ana.ID, Name: "ana", Profile: f.profile, Tried: 3, Latest: now}, {User: unknown, Tried: 1, Refused: 1, Latest: now},
	}
	if got, err := f.FailedLogins(t.Context(), now.Add(-24*time.Hour)); err != nil || !slices.Equal(got, want) {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
}
