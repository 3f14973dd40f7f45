package accessstore_test

import (
	"context"
	"crypto/sha256"
	"slices"
	"testing"
	"time"

	"guiche/internal/problem"
	"guiche/internal/service/access"
	"guiche/internal/store/storetest"
	"guiche/internal/throttle"

	"github.com/google/uuid"
)

// owned is what a write is tried on: a user and a client with a session each.
type owned struct {
	user    access.User
	client  access.OAuthClient
	session access.Family
	refresh [sha256.Size]byte
}

func (f fixture) mustOwn(tb testing.TB) owned {
	tb.Helper()
	name := uuid.NewString()
	o := owned{user: f.mustUser(tb, name), refresh: sha256.Sum256([]byte(name))}
	o.client = access.OAuthClient{ID: uuid.New(), ProfileID: f.profile, Name: name, Hash: sha256.Sum256([]byte("s" + name)), CreatedAt: now}
	must(tb, f.AddClient(tb.Context(), o.client))
	o.session = f.family(o.user, now)
	must(tb, f.OpenSession(tb.Context(), o.session, "h", token(name, access.RefreshToken, o.session.EndsAt)))
	must(tb, f.AddFamily(tb.Context(), o.clientFamily(now)))
	return o
}

func (o owned) clientFamily(at time.Time) access.Family {
	return access.Family{ID: uuid.New(), ProfileID: o.client.ProfileID, ClientID: o.client.ID, CreatedAt: at, EndsAt: at.Add(time.Hour)}
}

// TestStore_AllOrNothing: what fails at its last statement fails as a whole and says
// so, and can be done again.
func TestStore_AllOrNothing(t *testing.T) {
	f := MustStore(t)
	later := now.Add(time.Minute)
	addFamily := func(ctx context.Context, o owned) error {
		family := o.clientFamily(later)
		return f.AddFamily(ctx, family, token(family.ID.String(), access.AccessToken, family.EndsAt))
	}
	renew := func(ctx context.Context, o owned) error {
		_, err := f.Renew(ctx, o.refresh, later, token(uuid.NewString(), access.RefreshToken, later.Add(time.Hour)))
		return err
	}
	openSession := func(ctx context.Context, o owned) error {
		return f.OpenSession(ctx, f.family(o.user, later), "h", token(uuid.NewString(), access.AccessToken, later.Add(time.Hour)))
	}
	fail := func(ctx context.Context, _ owned) error {
		return f.Throttle(ctx, func(s access.FailureStore) error {
			return s.SetFailures(ctx, [32]byte{1}, throttle.Failures{Count: 1, At: later})
		})
	}
	forget := func(ctx context.Context, o owned) error {
		family := o.clientFamily(now.Add(32 * 24 * time.Hour))
		return f.AddFamily(ctx, family, token(family.ID.String(), access.AccessToken, family.EndsAt))
	}
	for _, c := range []struct {
		breaks string
		do     func(ctx context.Context, o owned) error
	}{
		{"UPDATE ON oauth_client", addFamily}, {"INSERT ON token_family", addFamily}, {"INSERT ON token", addFamily},
		{"UPDATE ON token", renew}, {"UPDATE ON token_family", renew}, {"INSERT ON token", renew},
		{"UPDATE ON service_user", openSession}, {"INSERT ON token_family", openSession}, {"INSERT ON token", openSession},
		{"INSERT ON throttle", fail},
		{"UPDATE ON profile", func(ctx context.Context, _ owned) error {
			_, err := f.TakeTurn(ctx, f.profile, now, time.Second, 9)
			return err
		}},
		{"UPDATE ON oauth_client", func(ctx context.Context, o owned) error { return f.RevokeClient(ctx, o.client.ID, later) }},
		{"UPDATE ON token_family", func(ctx context.Context, o owned) error { return f.RevokeClient(ctx, o.client.ID, later) }},
		{"UPDATE ON service_user", func(ctx context.Context, o owned) error { return f.SetUserPassword(ctx, o.user.ID, "n", later) }},
		{"UPDATE ON token_family", func(ctx context.Context, o owned) error { return f.SetUserPassword(ctx, o.user.ID, "n", later) }},
		{"UPDATE ON token_family", func(ctx context.Context, o owned) error { return f.SetUserDisabled(ctx, o.user.ID, true, later) }},
		{"UPDATE ON token_family", func(ctx context.Context, o owned) error {
			return f.RevokeFamily(ctx, o.session.ID, access.RevokedByHand, later)
		}},
		{"DELETE ON token", forget}, {"DELETE ON token_family", forget},
	} {
		o := f.mustOwn(t)
		mend := storetest.Break(t, f.db, c.breaks)
		if err := c.do(t.Context(), o); problem.CodeOf(err) != problem.Internal {
			t.Errorf("%s fails: got %v, want %s", c.breaks, err, problem.Internal)
		}
		mend()
		if err := c.do(t.Context(), o); err != nil {
			t.Errorf("%s works again: got %v", c.breaks, err)
		}
	}
}

// TestStore_Throttle_Fails: counts that could not be cleared away leave the new one
// uncounted.
func TestStore_Throttle_Fails(t *testing.T) {
	f := MustStore(t)
	set := func(subject byte, failures throttle.Failures) error {
		return f.Throttle(t.Context(), func(s access.FailureStore) error { return s.SetFailures(t.Context(), [32]byte{subject}, failures) })
	}
	must(t, set(1, throttle.Failures{Count: 1, At: now}))
	storetest.Break(t, f.db, "DELETE ON throttle")
	for name, c := range map[string]struct {
		subject  byte
		failures throttle.Failures
	}{
		"forgets": {1, throttle.Failures{}}, "clears away": {2, throttle.Failures{Count: 1, At: now.Add(2 * throttle.Outdated)}},
	} {
		if err := set(c.subject, c.failures); problem.CodeOf(err) != problem.Internal {
			t.Errorf("%s: got %v, want %s", name, err, problem.Internal)
		}
	}
	must(t, f.Throttle(t.Context(), func(s access.FailureStore) error {
		first, err := s.Failures(t.Context(), [32]byte{1})
		must(t, err)
		second, err := s.Failures(t.Context(), [32]byte{2})
		if first.Count != 1 || second.Count != 0 {
			t.Errorf("got %+v and %+v, want them as they were", first, second)
		}
		return err
	}))
}

// TestStore_Closed: that nothing can be read is no answer.
func TestStore_Closed(t *testing.T) {
	f := MustStore(t)
	must(t, f.db.Close())
	for name, read := range map[string]func(ctx context.Context) error{
		"Profiles":   func(ctx context.Context) error { _, err := f.Profiles(ctx); return err },
		"Keys":       func(ctx context.Context) error { _, err := f.Keys(ctx, f.profile); return err },
		"KeyByHash":  func(ctx context.Context) error { _, _, err := f.KeyByHash(ctx, [32]byte{}); return err },
		"Users":      func(ctx context.Context) error { _, err := f.Users(ctx, f.profile); return err },
		"UserByName": func(ctx context.Context) error { _, _, _, err := f.UserByName(ctx, "ana"); return err },
		"Clients":    func(ctx context.Context) error { _, err := f.Clients(ctx, f.profile); return err },
		"Client":     func(ctx context.Context) error { _, _, err := f.Client(ctx, uuid.New()); return err },
		"TokenByHash": func(ctx context.Context) error {
			_, err := f.TokenByHash(ctx, access.AccessToken, [32]byte{})
			return err
		},
		"Family": func(ctx context.Context) error { _, err := f.Family(ctx, uuid.New()); return err },
		"Families": func(ctx context.Context) error {
			_, err := f.Families(ctx, access.FamilyQuery{Profile: f.profile})
			return err
		},
		"Throttle": func(ctx context.Context) error {
			return f.Throttle(ctx, func(access.FailureStore) error { t.Error("ran"); return nil })
		},
	} {
		if err := read(t.Context()); problem.CodeOf(err) != problem.Internal {
			t.Errorf("%s: got %v, want %s", name, err, problem.Internal)
		}
	}
}

// TestStore_Families_Pages: pages follow each other without a gap, and page 0 is the
// first.
func TestStore_Families_Pages(t *testing.T) {
	f := MustStore(t)
	u := f.mustUser(t, "ana")
	var want []uuid.UUID
	for range 5 {
		family := f.family(u, now)
		must(t, f.OpenSession(t.Context(), family, "h"))
		want = append([]uuid.UUID{family.ID}, want...)
	}
	for _, c := range []struct{ page, size, from, to int }{
		{1, 2, 0, 2}, {2, 2, 2, 4}, {3, 2, 4, 5}, {4, 2, 5, 5}, {0, 2, 0, 2}, {1, 5, 0, 5}, {1, 0, 0, 5}, {2, 3, 3, 5},
	} {
		found, err := f.Families(t.Context(), access.FamilyQuery{Profile: f.profile, Page: c.page, Size: c.size})
		must(t, err)
		var got []uuid.UUID
		for _, family := range found.Items {
			got = append(got, family.ID)
		}
		if found.Total != 5 || !slices.Equal(got, want[c.from:c.to]) {
			t.Errorf("page %d of %d: got %v of %d, want %v", c.page, c.size, got, found.Total, want[c.from:c.to])
		}
	}
}
