package account_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"guiche/internal/account"
	"guiche/internal/audit"
	"guiche/internal/permission"
	"guiche/internal/problem"
	"guiche/internal/store/auditlog"

	"github.com/google/uuid"
)

// attack sends n wrong passwords, one every half second.
func attack(tb testing.TB, o fixture, n int, login string, from func(i int) account.Client) {
	tb.Helper()
	for i := range n {
		_, _, err := o.Login(tb.Context(), login, "errada", from(i))
		if !problem.Is(err, problem.Invalid) && !problem.Is(err, problem.Throttled) {
			tb.Fatalf("attempt %d: got %v", i+1, err)
		}
		o.clock.Advance(500 * time.Millisecond)
	}
}

// Whoever guesses keeps nobody out: the owner gets in with the right password.
func TestService_Login_Attacked(t *testing.T) {
	at := func(format string) func(int) account.Client {
		return func(i int) account.Client { return account.Client{Address: fmt.Sprintf(format, i)} }
	}
	for name, from := range map[string]func(int) account.Client{
		"OneAddress":    func(int) account.Client { return stranger },
		"ManyAddresses": func(i int) account.Client { return account.Client{Address: fmt.Sprintf("203.0.%d.%d", i/250, i%250)} },
		"OneNetwork":    at("2001:db8:bad::%x"),
		"ManyNetworks":  at("2001:db8:0:%x::1"),
	} {
		t.Run(name, func(t *testing.T) {
			o := MustOpen(t)
			MustAdd(t, o, "clara", permission.Reception)
			for range 2 {
				attack(t, o, 600, "clara", from)
				for _, owner := range []account.Client{address, {Address: "2001:db8:600d::1"}} {
					if _, _, err := o.Login(t.Context(), "clara", typedPassword, owner); err != nil {
						t.Errorf("owner at %s: %v", owner.Address, err)
					}
				}
			}
		})
	}
}

// A browser that logged in before is let in from the very address of the attack.
func TestService_Login_Attacked_SameAddress(t *testing.T) {
	o := MustOpen(t)
	MustAdd(t, o, "clara", permission.Reception)
	owner := stranger
	owner.Browser = MustRemember(t, o, "clara", "")
	for range 2 {
		attack(t, o, 50, "clara", func(int) account.Client { return stranger })
		if _, _, err := o.Login(t.Context(), "clara", typedPassword, owner); err != nil {
			t.Errorf("owner: %v", err)
		}
	}
}

func MustRemember(tb testing.TB, o fixture, login, cookie string) string {
	tb.Helper()
	cookie, err := o.RememberBrowser(tb.Context(), login, cookie)
	if err != nil {
		tb.Fatal(err)
	}
	return cookie
}

func TestService_RememberBrowser(t *testing.T) {
	o := MustOpen(t)
	var cookie string
	people := []string{"pessoa0", "pessoa1", "pessoa2", "pessoa3", "pessoa4", "pessoa5", "pessoa6", "pessoa7", "pessoa8"}
	for _, login := range people { // one more than a browser remembers
		MustAdd(t, o, login, permission.Reception)
		cookie = MustRemember(t, o, login, cookie)
	}
	if again := MustRemember(t, o, "pessoa8", cookie); again != cookie {
		t.Errorf("the same person once more: got %q, want %q", again, cookie)
	}
	blocked := func(login, cookie string) bool {
		attack(t, o, 30, login, func(int) account.Client { return stranger })
		from := stranger
		from.Browser = cookie
		_, _, err := o.Login(t.Context(), login, typedPassword, from)
		return problem.Is(err, problem.Throttled)
	}
	for name, tt := range map[string]struct {
		login, cookie string
		blocked       bool
	}{
		"Latest":      {"pessoa8", cookie, false},
		"EighthLast":  {"pessoa1", cookie, false},
		"Forgotten":   {"pessoa0", cookie, true},
		"None":        {"pessoa2", "", true},
		"Nonsense":    {"pessoa3", strings.Repeat("x.", 3000), true},
		"Forged":      {"pessoa4", cookie[:22] + "." + strings.Repeat("A", 48), true},
		"OtherPerson": {"pessoa5", MustRemember(t, o, "pessoa1", ""), true},
	} {
		if got := blocked(tt.login, tt.cookie); got != tt.blocked {
			t.Errorf("%s: got blocked %t, want %t", name, got, tt.blocked)
		}
	}
	o.clock.Advance(182 * 24 * time.Hour)
	if !blocked("pessoa8", cookie) {
		t.Error("after half a year: got it let in, want it forgotten")
	}
}

// Administração sees how many failed, and the trail tells of an attack once.
func TestService_FailedLogins(t *testing.T) {
	o := MustOpen(t)
	clara := MustAdd(t, o, "clara", permission.Reception)
	since := o.clock.Now()
	for i := range 600 {
		from := account.Client{Address: fmt.Sprintf("203.0.%d.%d", i/250, i%250)}
		_, _, _ = o.Login(t.Context(), "clara", "errada", from)
	}
	for range 12 {
		_, _, _ = o.Login(t.Context(), "ninguem", "errada", stranger)
	}
	got, err := o.FailedLogins(t.Context(), permission.Program(), since.Add(-time.Hour))
	if err != nil || len(got) != 2 {
		t.Fatalf("got %+v, error %v, want two", got, err)
	}
	if got[0].Person != clara.UID || got[0].Tried != 600 || got[0].Refused != 0 || !got[0].Latest.Equal(since) {
		t.Errorf("clara: got %+v, want 600", got[0])
	}
	if got[1].Person != uuid.Nil || got[1].Tried != 10 || got[1].Refused != 2 {
		t.Errorf("nobody: got %+v, want 10 and 2", got[1])
	}
	page, err := o.log.List(t.Context(), auditlog.Filter{Event: audit.LoginAttack})
	if err != nil || len(page) != 1 || page[0].Entry.ObjectID != clara.UID {
		t.Errorf("trail: got %+v, error %v, want one entry about clara", page, err)
	}
	if got, err := o.FailedLogins(t.Context(), permission.Program(), since.Add(time.Hour)); err != nil || len(got) != 0 {
		t.Errorf("later: got %+v, error %v, want none", got, err)
	}
	if _, err := o.FailedLogins(t.Context(), clara.Actor(), since); !problem.Is(err, problem.Forbidden) {
		t.Errorf("recepção: got %v, want Forbidden", err)
	}
}
