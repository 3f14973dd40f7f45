package account_test

import (
	"testing"
	"time"

	"guiche/internal/account"
	"guiche/internal/problem"
	"guiche/internal/store/storetest"

	"github.com/google/uuid"
)

// search counts n searches and returns how many were let through.
func search(t *testing.T, s *account.Service, user uuid.UUID, n int, now time.Time) (through int) {
	t.Helper()
	for range n {
		switch err := s.CountSearch(user, now); {
		case err == nil:
			through++
		case !problem.Is(err, problem.Throttled):
			t.Fatal(err)
		}
	}
	return through
}

// TestService_CountSearch: whoever searches like a program waits a moment, and nobody else.
func TestService_CountSearch(t *testing.T) {
	o := MustOpen(t)
	ana, celia, now := uuid.New(), uuid.New(), o.clock.Now()
	if got := search(t, o.Service, ana, 301, now); got != 300 {
		t.Errorf("%d searches at once, want 300", got)
	}
	if got := search(t, o.Service, celia, 1, now); got != 1 {
		t.Error("somebody else waits too")
	}
	if got := search(t, o.Service, ana, 20, now.Add(2*time.Second)); got != 10 {
		t.Errorf("%d searches two seconds later, want 10", got)
	}
}

// TestService_ShareSearches: what one process let through counts at another once both have told, each search once.
func TestService_ShareSearches(t *testing.T) {
	o := MustOpen(t)
	other := account.New(account.Config{Store: o.store, Hasher: o.hash})
	ana, celia, now := uuid.New(), uuid.New(), o.clock.Now()
	share := func() {
		t.Helper()
		for _, s := range []*account.Service{o.Service, other, o.Service} {
			if err := s.ShareSearches(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	search(t, o.Service, ana, 200, now)
	search(t, other, ana, 50, now)
	search(t, other, celia, 1, now)
	share()
	share()
	if got := search(t, other, ana, 100, now); got != 50 {
		t.Errorf("%d more searches at the other, want 50", got)
	}
	if got := search(t, other, celia, 300, now); got != 299 {
		t.Errorf("%d more searches of somebody else, want 299", got)
	}
	for range 2 { // the first tells, the other does, and the first learns with what it tells next
		search(t, o.Service, ana, 1, now)
		share()
	}
	if got := search(t, o.Service, ana, 1, now); got != 0 {
		t.Error("the first one does not know what the other let through")
	}
	o.clock.Advance(2 * time.Second)
	if got := search(t, o.Service, ana, 20, o.clock.Now()); got != 10 {
		t.Errorf("%d searches two seconds later, want 10", got)
	}
}

// TestService_ShareSearches_Lost: what could not be told is told the next time.
func TestService_ShareSearches_Lost(t *testing.T) {
	o := MustOpen(t)
	other := account.New(account.Config{Store: o.store, Hasher: o.hash})
	ana, now := uuid.New(), o.clock.Now()
	search(t, o.Service, ana, 299, now)
	search(t, other, ana, 1, now)
	mend := storetest.Break(t, o.db, "INSERT ON login_throttle")
	if err := o.ShareSearches(t.Context()); err == nil {
		t.Fatal("nothing was stored, and nobody says so")
	}
	mend()
	for _, s := range []*account.Service{o.Service, other} {
		if err := s.ShareSearches(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if got := search(t, other, ana, 1, now); got != 0 {
		t.Error("what was told late does not count")
	}
}
