package throttle_test

import (
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
		for _, other := range []throttle.Login{{Account: "clara", Address: "192.0.2.7"}, {Account: "bruno", Address: stranger.Address},
			{Account: "clara", Address: stranger.Address, Browser: "conhecido"}} {
			if v := attempts(t, store, 1, always(other)); v.Wait != 0 {
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
