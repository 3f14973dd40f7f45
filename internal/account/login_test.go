package account_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"guiche/internal/account"
	"guiche/internal/permission"
	"guiche/internal/problem"
)

// readAll returns the bytes of a database and of the log beside it.
func TestService_Login(t *testing.T) {
	o := MustOpen(t)
	clara := MustAdd(t, o, "clara", permission.Reception)
	for _, login := range []string{"clara", " Clara ", "CLARA"} {
		t.Run("OK"+login, func(t *testing.T) {
			token, user, err := o.Login(t.Context(), login, typedPassword, address)
			if err != nil || user.UID != clara.UID || len(token) != 43 {
				t.Fatalf("got token of %d characters, %v, error %v", len(token), user.UID, err)
			}
			if _, user, err = o.Authenticate(t.Context(), token, true); err != nil || user.UID != clara.UID {
				t.Errorf("Authenticate: got %v, error %v", user.UID, err)
			}
		})
	}
	t.Run("EveryLoginIsANewSession", func(t *testing.T) {
		first, second := MustLogin(t, o, "clara"), MustLogin(t, o, "clara")
		if first == second {
			t.Error("got one token twice")
		}
	})
	t.Run("KeyboardsThatCompose", func(t *testing.T) {
		user := MustAdd(t, o, "jose", permission.Reception)
		if err := o.SetPassword(t.Context(), user.UID, "cora\u00e7\u00e3o de pedra"); err != nil {
			t.Fatal(err)
		}
		if _, _, err := o.Login(t.Context(), "jose", "corac\u0327a\u0303o de pedra", address); err != nil {
			t.Errorf("got %v, want nil", err)
		}
	})
}

// What must not be told apart looks the same and costs the same: one hash at the
// same price each.
func TestService_Login_TellsNothing(t *testing.T) {
	o := MustOpen(t)
	MustAdd(t, o, "clara", permission.Reception)
	disabled := MustAdd(t, o, "diego", permission.Reception)
	if err := o.Disable(t.Context(), permission.Program(), disabled.UID); err != nil {
		t.Fatal(err)
	}
	if _, _, err := o.AddUser(t.Context(), permission.Program(), account.NewUser{Login: "nova", Name: "Nova",
		Roles: permission.Roles()}); err != nil {
		t.Fatal(err)
	}
	price := func(hash string) string {
		return strings.Join(strings.Split(hash, "$")[:4], "$") + fmt.Sprint(len(hash))
	}
	MustLogin(t, o, "clara")
	real := o.hash.take()
	_, _, want := o.Login(t.Context(), "clara", "senha errada de clara", address)
	o.hash.take()
	for name, tc := range map[string]struct{ login, password string }{
		"Unknown":       {"ninguem", typedPassword},
		"WrongPassword": {"clara", "outra senha errada"},
		"EmptyPassword": {"clara", ""},
		"Disabled":      {"diego", typedPassword},
		"NotActivated":  {"nova", ""},
		"EmptyLogin":    {"", typedPassword},
		"HugePassword":  {"clara", strings.Repeat("x", 1<<20)},
		"HugeLogin":     {strings.Repeat("x", 1<<20), typedPassword},
	} {
		t.Run(name, func(t *testing.T) {
			token, _, err := o.Login(t.Context(), tc.login, tc.password, address)
			if token != "" || !problem.Is(err, problem.Invalid) || messageOf(err) != messageOf(want) {
				t.Errorf("got %v, want the error of a wrong password", err)
			}
			if got := o.hash.take(); len(got) != 1 || price(got[0]) != price(real[0]) {
				t.Errorf("got hashes %v, want one at the price of %v", got, real)
			}
		})
	}
}

func messageOf(err error) string {
	var app *problem.Error
	if errors.As(err, &app) {
		return app.Message
	}
	return ""
}

// MustFail tries n wrong passwords.
func MustFail(tb testing.TB, o fixture, login string, n int) {
	tb.Helper()
	for i := range n {
		if _, _, err := o.Login(tb.Context(), login, "errada", address); !problem.Is(err, problem.Invalid) {
			tb.Fatalf("attempt %d: got %v, want Invalid", i+1, err)
		}
	}
}

func TestService_Login_Throttle(t *testing.T) {
	t.Run("DelayGrows", func(t *testing.T) {
		for _, login := range []string{"clara", "ninguem"} { // an unknown person is no exception
			o := MustOpen(t)
			MustAdd(t, o, "clara", permission.Reception)
			MustFail(t, o, login, 10)
			for i, minutes := range []float64{0.5, 1, 2, 4, 8, 15, 15} {
				delay := time.Duration(minutes * float64(time.Minute))
				o.clock.Advance(delay - time.Second)
				if _, _, err := o.Login(t.Context(), login, typedPassword, address); !problem.Is(err, problem.Throttled) {
					t.Fatalf("%s, failure %d, %v later: got %v, want Throttled", login, 10+i, delay-time.Second, err)
				}
				o.clock.Advance(time.Second)
				MustFail(t, o, login, 1)
			}
		}
	})

	t.Run("SuccessForgives", func(t *testing.T) {
		o := MustOpen(t)
		MustAdd(t, o, "clara", permission.Reception)
		MustFail(t, o, "clara", 10)
		o.clock.Advance(31 * time.Second)
		MustLogin(t, o, "clara")
		MustFail(t, o, "clara", 10)
	})

	t.Run("NoHashWhileWaiting", func(t *testing.T) {
		o := MustOpen(t)
		MustFail(t, o, "clara", 10)
		o.hash.take()
		_, _, err := o.Login(t.Context(), "clara", typedPassword, address)
		if got := o.hash.take(); !problem.Is(err, problem.Throttled) || len(got) != 0 {
			t.Errorf("got %v and %d hashes, want Throttled and none", err, len(got))
		}
		if want := "Muitas tentativas sem sucesso. Tente de novo em 1 minuto."; messageOf(err) != want {
			t.Errorf("got %q, want %q", messageOf(err), want)
		}
	})
}

func TestService_Login_ThrottleCounts(t *testing.T) {
	t.Run("CountedInTheStore", func(t *testing.T) {
		o := MustOpen(t)
		MustFail(t, o, "clara", 10)
		other := account.New(account.Config{Store: o.store, Hasher: o.hash})
		if _, _, err := other.Login(t.Context(), "clara", typedPassword, address); !problem.Is(err, problem.Throttled) {
			t.Errorf("got %v, want Throttled", err)
		}
	})

	t.Run("ManyAtOnceAreAllCounted", func(t *testing.T) {
		o := MustOpen(t)
		MustAdd(t, o, "clara", permission.Reception)
		var wrong, throttled atomic.Int32
		var wg sync.WaitGroup
		for range 100 {
			wg.Go(func() {
				switch _, _, err := o.Login(t.Context(), "clara", "errada", address); problem.CodeOf(err) {
				case problem.Invalid:
					wrong.Add(1)
				case problem.Throttled:
					throttled.Add(1)
				default:
					t.Errorf("got %v", err)
				}
			})
		}
		wg.Wait()
		if wrong.Load() != 10 || throttled.Load() != 90 || len(o.hash.take()) != 10 {
			t.Errorf("got %d tried and %d throttled, want 10 and 90", wrong.Load(), throttled.Load())
		}
	})

	t.Run("FailuresAreForgottenWithTime", func(t *testing.T) {
		o := MustOpen(t)
		MustFail(t, o, "clara", 10)
		o.clock.Advance(10 * time.Hour)
		MustFail(t, o, "clara", 10)
	})
}

// An address from which many accounts are tried keeps nobody out; each account gets
// fewer wrong passwords from there.
func TestService_Login_AddressBudget(t *testing.T) {
	o := MustOpen(t)
	MustAdd(t, o, "clara", permission.Reception)
	for range 20 { // people who get in cost the address nothing
		MustLogin(t, o, "clara")
	}
	for i := range 300 {
		MustFail(t, o, fmt.Sprint("ninguem", i), 1)
	}
	MustLogin(t, o, "clara")
	for _, login := range []string{"clara", "ninguem"} { // an unknown person is no exception
		MustFail(t, o, login, 2)
		if _, _, err := o.Login(t.Context(), login, typedPassword, address); !problem.Is(err, problem.Throttled) {
			t.Errorf("%s, third attempt: got %v, want Throttled", login, err)
		}
	}
}
