package throttle_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"testing"
	"time"

	"guiche/internal/throttle"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// attempts makes n logins and returns the verdict of the last.
func attempts(t *testing.T, store counts, n int, l func(i int) throttle.Login) (v throttle.Verdict) {
	t.Helper()
	for i := range n {
		var err error
		if v, err = l(i).Attempt(t.Context(), store, noon); err != nil {
			t.Fatal(err)
		}
	}
	return v
}

func always(l throttle.Login) func(int) throttle.Login { return func(int) throttle.Login { return l } }

func TestLogin_Attempt(t *testing.T) {
	stranger := throttle.Login{Account: "clara", Address: "198.51.100.66"}
	t.Run("OneNetworkWaits", func(t *testing.T) {
		store := counts{}
		if v := attempts(t, store, 10, always(stranger)); v.Wait != 0 || v.Attack {
			t.Errorf("attempt 10: got %+v, want it made", v)
		}
		if v := attempts(t, store, 1, always(stranger)); v.Wait != 30*time.Second {
			t.Errorf("attempt 11: got %+v, want 30 s", v)
		}
		attempts(t, store, throttle.Total.Budget, always(stranger)) // what waits is no failure, and makes no attack
		for _, other := range []throttle.Login{{Account: "clara", Address: "192.0.2.7"}, {Account: "bruno", Address: stranger.Address},
			{Account: "clara", Address: stranger.Address, Browser: "conhecido"}} {
			if v := attempts(t, store, 1, always(other)); v.Wait != 0 || v.Attack {
				t.Errorf("%+v: got %+v, want it made", other, v)
			}
		}
	})
	t.Run("BrowserHasABudgetOfItsOwn", func(t *testing.T) {
		store := counts{}
		known := throttle.Login{Account: "clara", Address: stranger.Address, Browser: "conhecido"}
		if v := attempts(t, store, 11, always(known)); v.Wait != 30*time.Second {
			t.Errorf("attempt 11: got %+v, want 30 s", v)
		}
		known.Account = "bruno"
		if v := attempts(t, store, 1, always(known)); v.Wait != 0 {
			t.Errorf("another account: got %+v, want it made", v)
		}
	})
}

func TestLogin_Attempt_Attack(t *testing.T) {
	for name, from := range map[string]func(int) throttle.Login{
		"Account": func(i int) throttle.Login {
			return throttle.Login{Account: "clara", Address: fmt.Sprintf("10.0.%d.%d", i/250, i%250)}
		},
		"Address": func(i int) throttle.Login {
			return throttle.Login{Account: fmt.Sprint("ninguem", i), Address: "192.0.2.7"}
		},
	} {
		t.Run(name, func(t *testing.T) {
			store, began := counts{}, 0
			for i := range 2000 {
				v := attempts(t, store, 1, always(from(i)))
				if v.Wait != 0 {
					t.Fatalf("attempt %d: got %+v, want the first of each made", i+1, v)
				}
				if v.Began {
					began++
				}
			}
			if began != 1 {
				t.Errorf("the attack began %d times, want once", began)
			}
			owner := throttle.Login{Account: "clara", Address: "192.0.2.7"}
			if v := attempts(t, store, 2, always(owner)); v.Wait != 0 || !v.Attack {
				t.Errorf("attempt 2 of the owner: got %+v, want it made, as of an attack", v)
			}
			if v := attempts(t, store, 1, always(owner)); v.Wait == 0 {
				t.Error("attempt 3 of the owner: got it made, want fewer free ones during an attack")
			}
		})
	}
}

// TestLogin_Attempt_Attack_Begins: the attempt that spends what may fail begins the attack, the
// next is of one, and what failed long ago does not count.
func TestLogin_Attempt_Attack_Begins(t *testing.T) {
	for name, tt := range map[string]struct {
		limit throttle.Limit
		from  func(i int) throttle.Login
	}{
		"Account": {throttle.Total, func(i int) throttle.Login {
			return throttle.Login{Account: "clara", Address: fmt.Sprintf("10.0.%d.%d", i/250, i%250)}
		}},
		"Address": {throttle.Address, func(i int) throttle.Login {
			return throttle.Login{Account: fmt.Sprint("ninguem", i), Address: "192.0.2.7"}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			store, last := counts{}, tt.limit.Budget-1
			for i := range last + 2 {
				v := attempts(t, store, 1, always(tt.from(i)))
				if v.Began != (i == last) || v.Attack != (i > last) {
					t.Fatalf("attempt %d of %d: got %+v", i+1, tt.limit.Budget, v)
				}
			}
			later := noon.Add(time.Duration(last+2) * tt.limit.Leak)
			for i := range 2 {
				if v, err := tt.from(i).Attempt(t.Context(), store, later); err != nil || v.Attack || v.Began {
					t.Errorf("attempt %d after all was forgotten: got %+v, %v", i+1, v, err)
				}
			}
		})
	}
}

// failsAt is a store whose step, counted from 0, fails.
type failsAt struct {
	counts
	step *int
	lost error
}

func (s failsAt) next() error {
	if *s.step--; *s.step == -1 {
		return s.lost
	}
	return nil
}

func (s failsAt) Failures(ctx context.Context, subject [sha256.Size]byte) (throttle.Failures, error) {
	f, _ := s.counts.Failures(ctx, subject)
	return f, s.next()
}

func (s failsAt) SetFailures(ctx context.Context, subject [sha256.Size]byte, f throttle.Failures) error {
	_ = s.counts.SetFailures(ctx, subject, f)
	return s.next()
}

// TestLogin_StoreFails: an attempt that is not counted in full is not made, whichever count fails.
func TestLogin_StoreFails(t *testing.T) {
	lost := errors.New("disk failed")
	for _, tt := range []struct {
		browser           string
		attempt, succeeds int // steps of the store
	}{{"", 8, 5}, {"conhecido", 2, 1}} {
		l := throttle.Login{Account: "clara", Address: "192.0.2.7", Browser: tt.browser}
		for step := range max(tt.attempt, tt.succeeds) + 1 {
			at := step
			if _, err := l.Attempt(t.Context(), failsAt{counts{}, &at, lost}, noon); errors.Is(err, lost) != (step < tt.attempt) {
				t.Errorf("%q, attempt, step %d: got %v", tt.browser, step, err)
			}
			at = step
			if err := l.Succeed(t.Context(), failsAt{counts{}, &at, lost}); errors.Is(err, lost) != (step < tt.succeeds) {
				t.Errorf("%q, success, step %d: got %v", tt.browser, step, err)
			}
		}
	}
}

func TestLogin_Succeed(t *testing.T) {
	for _, browser := range []string{"", "conhecido"} {
		l, store := throttle.Login{Account: "clara", Address: "192.0.2.7", Browser: browser}, counts{}
		for range 20 {
			attempts(t, store, 9, always(l))
			if err := l.Succeed(t.Context(), store); err != nil {
				t.Fatal(err)
			}
		}
		if v := attempts(t, store, 10, always(l)); v.Wait != 0 {
			t.Errorf("%+v: got %+v, want what failed there before forgotten", l, v)
		}
	}
}

func TestNetworkOf(t *testing.T) {
	for address, want := range map[string]string{
		"192.0.2.7": "192.0.2.7", "::ffff:192.0.2.7": "192.0.2.7", "2001:db8:1:2:3::4": "2001:db8:1:2::/64",
		"fe80::1%eth0": "fe80::/64", "": "", "pipe": "pipe",
	} {
		if got := throttle.NetworkOf(address); got != want {
			t.Errorf("%q: got %q, want %q", address, got, want)
		}
	}
}
