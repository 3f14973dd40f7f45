package accessstore_test

import (
	"crypto/sha256"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"guiche/internal/problem"
	"guiche/internal/service/access"
	"guiche/internal/store/accessstore"
	"guiche/internal/store/storetest"
	"guiche/migrations"

	"github.com/google/uuid"
)

var now = time.Date(2026, 11, 20, 17, 30, 55, 123456000, time.UTC)

// fixture is a store with one profile.
type fixture struct {
	*accessstore.Store
	db      *storetest.Database
	profile uuid.UUID
}

func MustStore(tb testing.TB) fixture {
	tb.Helper()
	db := storetest.Open(tb, migrations.Service, func() time.Time { return now })
	f := fixture{Store: accessstore.New(db), db: db, profile: uuid.New()}
	must(tb, f.PutProfile(tb.Context(), access.Profile{
		ID: f.profile, Name: "P", Methods: []access.Method{"chave"}, Scopes: access.Scopes(), Rate: 3,
	}))
	return f
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

func TestStore_Keys(t *testing.T) {
	f := MustStore(t)
	want := access.Key{ID: uuid.New(), ProfileID: f.profile, Hash: sha256.Sum256([]byte("x")), Hint: "abcd",
		Idle: 72 * time.Hour, CreatedAt: now}
	must(t, f.AddKey(t.Context(), want))
	got, p, err := f.KeyByHash(t.Context(), want.Hash)
	if err != nil || got != want || p.Name != "P" || p.Rate != 3 || !slices.Equal(p.Scopes, access.Scopes()) ||
		!slices.Equal(p.Methods, []access.Method{"chave"}) {
		t.Errorf("got %+v, %+v, %v", got, p, err)
	}
	must(t, f.TouchKey(t.Context(), want.ID, now.Add(time.Hour)))
	must(t, f.TouchKey(t.Context(), want.ID, now)) // a late writer does not turn the clock back
	must(t, f.RevokeKey(t.Context(), want.ID, now.Add(2*time.Hour)))
	must(t, f.RevokeKey(t.Context(), want.ID, now.Add(3*time.Hour)))
	want.UsedAt, want.RevokedAt = now.Add(time.Hour), now.Add(2*time.Hour)
	if keys, err := f.Keys(t.Context(), f.profile); err != nil || len(keys) != 1 || keys[0] != want {
		t.Errorf("got %+v, %v, want %+v", keys, err, want)
	}
	for name, err := range map[string]error{
		"AddKey":    f.AddKey(t.Context(), access.Key{ID: uuid.New(), ProfileID: uuid.New()}),
		"RevokeKey": f.RevokeKey(t.Context(), uuid.New(), now),
		"TouchKey":  f.TouchKey(t.Context(), uuid.New(), now),
	} {
		if !problem.Is(err, problem.NotFound) {
			t.Errorf("%s of nobody: got %v, want not found", name, err)
		}
	}
	if _, _, err := f.KeyByHash(t.Context(), sha256.Sum256(nil)); !problem.Is(err, problem.NotFound) {
		t.Errorf("unknown key: got %v", err)
	}
}

func TestStore_TakeTurn(t *testing.T) {
	f := MustStore(t)
	for i, want := range []time.Duration{0, 0, time.Second, time.Second} {
		if got, err := f.TakeTurn(t.Context(), f.profile, now, time.Second, 2); err != nil || got != want {
			t.Errorf("turn %d: got %v, %v, want %v", i, got, err, want)
		}
	}
	if got, err := f.TakeTurn(t.Context(), f.profile, now.Add(time.Second), time.Second, 2); err != nil || got != 0 {
		t.Errorf("a second later: got %v, %v, want 0", got, err)
	}
}

// TestStore_TakeTurn_Processes: of those who ask at the same moment through two processes no more go on than the rate allows.
func TestStore_TakeTurn_Processes(t *testing.T) {
	const askers, burst = 32, 5
	f := MustStore(t)
	stores := [2]*accessstore.Store{f.Store, accessstore.New(f.db.Again(t))}
	var asking sync.WaitGroup
	var passed atomic.Int64
	for i := range askers {
		asking.Go(func() {
			wait, err := stores[i%2].TakeTurn(t.Context(), f.profile, now, time.Minute, burst)
			if err != nil {
				t.Error(err)
			} else if wait == 0 {
				passed.Add(1)
			}
		})
	}
	asking.Wait()
	if got := passed.Load(); got != burst {
		t.Errorf("%d went on, want %d", got, burst)
	}
}

// A rate that was changed, or a clock that was set back, makes nobody wait for what
// the old rate or the wrong time would have been; the same rate kept again does not
// begin anew.
func TestStore_TakeTurn_NewRate(t *testing.T) {
	f := MustStore(t)
	keep := func(rate int) {
		t.Helper()
		must(t, f.PutProfile(t.Context(), access.Profile{ID: f.profile, Name: "P", Methods: access.Methods(),
			Scopes: access.Scopes(), Rate: rate}))
	}
	turns := func(at time.Time, interval time.Duration, want ...time.Duration) {
		t.Helper()
		for i, want := range want {
			if got, err := f.TakeTurn(t.Context(), f.profile, at, interval, 1); err != nil || got != want {
				t.Errorf("turn %d: got %v, %v, want %v", i, got, err, want)
			}
		}
	}
	keep(1)
	turns(now, time.Minute, 0, time.Minute)
	keep(1)
	turns(now, time.Minute, time.Minute)
	keep(60)
	turns(now, time.Second, 0, time.Second)
	turns(now.Add(-time.Hour), time.Second, 0, time.Second)
}
