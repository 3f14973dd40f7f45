package account_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"guiche/internal/account"
	"guiche/internal/permission"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// wantLive checks whether a token opens anything, without being activity.
func wantLive(t *testing.T, o fixture, token string, want bool) {
	t.Helper()
	_, _, err := o.Authenticate(t.Context(), token, false)
	if want && err != nil || !want && !problem.Is(err, problem.Unauthorized) {
		t.Errorf("got %v, want a live session: %t", err, want)
	}
}

func TestService_Authenticate(t *testing.T) {
	t.Run("Nonsense", func(t *testing.T) {
		o := MustOpen(t)
		for _, token := range []string{"", "x", strings.Repeat("A", 43), strings.Repeat("A", 1<<20)} {
			wantLive(t, o, token, false)
		}
	})

	t.Run("IdleEnds", func(t *testing.T) {
		o := MustOpen(t)
		MustAdd(t, o, "clara", permission.Reception)
		token := MustLogin(t, o, "clara")
		o.clock.Advance(30*time.Minute - time.Microsecond)
		wantLive(t, o, token, true)
		o.clock.Advance(time.Microsecond)
		wantLive(t, o, token, false)
	})

	t.Run("AbsoluteEnds", func(t *testing.T) {
		o := MustOpen(t)
		MustAdd(t, o, "clara", permission.Reception)
		token := MustLogin(t, o, "clara")
		for elapsed := time.Duration(0); elapsed < 12*time.Hour-20*time.Minute; elapsed += 20 * time.Minute {
			o.clock.Advance(20 * time.Minute)
			if _, _, err := o.Authenticate(t.Context(), token, true); err != nil {
				t.Fatalf("after %v: %v", elapsed, err)
			}
		}
		o.clock.Advance(20 * time.Minute)
		wantLive(t, o, token, false)
	})

	t.Run("ClockPutBack", func(t *testing.T) {
		const idle = 30 * time.Minute
		for back, live := range map[time.Duration]bool{idle - time.Microsecond: true, idle: false, 365 * 24 * time.Hour: false} {
			o := MustOpen(t)
			MustAdd(t, o, "clara", permission.Reception)
			token := MustLogin(t, o, "clara")
			o.clock.Advance(-back)
			wantLive(t, o, token, live)
		}
	})

	t.Run("Settings", func(t *testing.T) {
		o := MustOpen(t)
		MustAdd(t, o, "clara", permission.Reception)
		o.Service = account.New(account.Config{Store: o.store, Hasher: o.hash, Idle: time.Hour, Absolute: 2 * time.Hour})
		token := MustLogin(t, o, "clara")
		o.clock.Advance(59 * time.Minute)
		if _, _, err := o.Authenticate(t.Context(), token, true); err != nil {
			t.Error(err)
		}
		o.clock.Advance(59 * time.Minute)
		wantLive(t, o, token, true)
		o.clock.Advance(2 * time.Minute)
		wantLive(t, o, token, false)
	})
}

func TestService_Authenticate_Activity(t *testing.T) {
	t.Run("ActivityKeepsItOpen", func(t *testing.T) {
		o := MustOpen(t)
		MustAdd(t, o, "clara", permission.Reception)
		token := MustLogin(t, o, "clara")
		for range 5 {
			o.clock.Advance(25 * time.Minute)
			if _, _, err := o.Authenticate(t.Context(), token, true); err != nil {
				t.Fatal(err)
			}
		}
	})

	t.Run("PollingIsNoActivity", func(t *testing.T) {
		o := MustOpen(t)
		MustAdd(t, o, "clara", permission.Reception)
		token := MustLogin(t, o, "clara")
		for range 29 {
			o.clock.Advance(time.Minute)
			wantLive(t, o, token, true)
		}
		o.clock.Advance(time.Minute)
		wantLive(t, o, token, false)
	})
}

// A change is in force for the very next request.
func TestService_Authenticate_AtOnce(t *testing.T) {
	unit := uuid.Must(uuid.NewV7())
	t.Run("Roles", func(t *testing.T) {
		o := MustOpen(t)
		user := MustAdd(t, o, "clara", permission.Reception)
		token := MustLogin(t, o, "clara")
		change := account.Change{Name: "Clara Nova", Roles: []permission.Role{permission.Supervision, permission.Reception,
			permission.Reception}, Units: []uuid.UUID{unit}}
		if err := o.ChangeUser(t.Context(), permission.Program(), user.UID, change); err != nil {
			t.Fatal(err)
		}
		_, got, err := o.Authenticate(t.Context(), token, true)
		if err != nil || got.Name != "Clara Nova" ||
			!slices.Equal(got.Roles, []permission.Role{permission.Reception, permission.Supervision}) ||
			!slices.Equal(got.Units, []uuid.UUID{unit}) {
			t.Errorf("got %+v, error %v", got, err)
		}
	})
	for name, end := range map[string]func(o fixture, user account.User, session account.Session, token string) error{
		"Disable": func(o fixture, user account.User, _ account.Session, _ string) error {
			return o.Disable(t.Context(), permission.Program(), user.UID)
		},
		"Revoke": func(o fixture, _ account.User, session account.Session, _ string) error {
			return o.RevokeSession(t.Context(), permission.Program(), session.User, session.UID)
		},
		"Logout": func(o fixture, _ account.User, _ account.Session, token string) error {
			return o.Logout(t.Context(), token)
		},
		"ResetPassword": func(o fixture, user account.User, _ account.Session, _ string) error {
			_, err := o.ResetPassword(t.Context(), permission.Program(), user.UID)
			return err
		},
		"SetPassword": func(o fixture, user account.User, _ account.Session, _ string) error {
			return o.SetPassword(t.Context(), user.UID, "outra senha da pessoa")
		},
	} {
		t.Run(name, func(t *testing.T) {
			o := MustOpen(t)
			user := MustAdd(t, o, "clara", permission.Reception)
			token := MustLogin(t, o, "clara")
			session, _, err := o.Authenticate(t.Context(), token, true)
			if err != nil {
				t.Fatal(err)
			}
			wantOverAtOnce(t, o, token, func() error { return end(o, user, session, token) })
		})
	}
}

// wantOverAtOnce lets a thousand requests use a session, a third each before,
// while and after end ends it, and wants none let in that began after end returned.
func wantOverAtOnce(t *testing.T, o fixture, token string, end func() error) {
	t.Helper()
	begin := []chan struct{}{make(chan struct{}), make(chan struct{}), make(chan struct{})}
	var let [3]atomic.Int32
	var wg sync.WaitGroup
	for i := range 1000 {
		third := i % 3
		wg.Go(func() {
			<-begin[third]
			switch _, _, err := o.Authenticate(t.Context(), token, i%2 == 0); {
			case err == nil:
				let[third].Add(1)
			case !problem.Is(err, problem.Unauthorized):
				t.Errorf("got %v", err)
			}
		})
	}
	wantLive(t, o, token, true)
	close(begin[0])
	close(begin[1])
	if err := end(); err != nil {
		t.Fatal(err)
	}
	close(begin[2])
	wg.Wait()
	if got := let[2].Load(); got != 0 {
		t.Errorf("got %d requests let in after the end, want 0", got)
	}
	wantLive(t, o, token, false)
}

func TestService_Sessions(t *testing.T) {
	o := MustOpen(t)
	user := MustAdd(t, o, "clara", permission.Reception)
	MustAdd(t, o, "bruno", permission.Reception)
	old := MustLogin(t, o, "clara")
	o.clock.Advance(29 * time.Minute)
	young := MustLogin(t, o, "clara")
	MustLogin(t, o, "bruno")
	if got, err := o.Sessions(t.Context(), user.UID); err != nil || len(got) != 2 || !got[0].CreatedAt.After(got[1].CreatedAt) {
		t.Fatalf("got %v, error %v, want two, newest first", got, err)
	}
	o.clock.Advance(time.Minute)
	wantLive(t, o, old, false)
	sessions, err := o.Sessions(t.Context(), user.UID)
	if err != nil || len(sessions) != 1 {
		t.Fatalf("got %v, error %v, want the young one", sessions, err)
	}
	if err := o.RevokeSession(t.Context(), user.Actor(), user.UID, sessions[0].UID); err != nil {
		t.Fatal(err)
	}
	wantLive(t, o, young, false)
	if err := o.RevokeSession(t.Context(), user.Actor(), user.UID, sessions[0].UID); !problem.Is(err, problem.NotFound) {
		t.Errorf("second time: got %v, want NotFound", err)
	}
	if err := o.Logout(t.Context(), young); err != nil {
		t.Errorf("Logout of an ended session: got %v, want nil", err)
	}
}

func TestService_SetSessionData(t *testing.T) {
	o := MustOpen(t)
	MustAdd(t, o, "clara", permission.Reception)
	token, other := MustLogin(t, o, "clara"), MustLogin(t, o, "clara")
	for _, want := range []string{"aviso", "", strings.Repeat("x", 64<<10)} {
		if err := o.SetSessionData(t.Context(), token, []byte(want)); err != nil {
			t.Fatal(err)
		}
		session, _, err := o.Authenticate(t.Context(), token, false)
		if err != nil || string(session.Data) != want {
			t.Errorf("got %d bytes, error %v, want %d", len(session.Data), err, len(want))
		}
	}
	if session, _, err := o.Authenticate(t.Context(), other, false); err != nil || len(session.Data) != 0 {
		t.Errorf("other session: got %d bytes, error %v, want none", len(session.Data), err)
	}
	if err := o.SetSessionData(t.Context(), token, nil); err != nil {
		t.Errorf("nil: %v", err)
	}
	if err := o.SetSessionData(t.Context(), token, make([]byte, 64<<10+1)); err == nil {
		t.Error("too much: got no error, want one")
	}
	o.clock.Advance(time.Hour)
	if err := o.SetSessionData(t.Context(), token, nil); !problem.Is(err, problem.Unauthorized) {
		t.Errorf("ended session: got %v, want Unauthorized", err)
	}
}

// TestSession_Confirmed: the password was given lately for ten minutes, and not for as long as a clock that was put back
// takes to come so far.
func TestSession_Confirmed(t *testing.T) {
	at := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	for after, want := range map[time.Duration]bool{
		0: true, 10 * time.Minute: true, 10*time.Minute + 1: false, -time.Minute: true, -10*time.Minute - 1: false, -24 * time.Hour: false,
	} {
		if got := (account.Session{ConfirmedAt: at}).Confirmed(at.Add(after)); got != want {
			t.Errorf("%s after: got %v, want %v", after, got, want)
		}
	}
	if (account.Session{}).Confirmed(at) {
		t.Error("what was never given counts")
	}
}

// readOnly is a store that writes nothing.
type readOnly struct {
	account.Store
	why error
}

func (s readOnly) Write(context.Context, func(account.Tx) error) error { return s.why }

// TestService_Authenticate_NoSpace: whoever is logged in goes on reading while nothing can be written, and
// only then.
func TestService_Authenticate_NoSpace(t *testing.T) {
	o := MustOpen(t)
	user := MustAdd(t, o, "clara", permission.Reception)
	token := MustLogin(t, o, "clara")
	o.clock.Advance(10 * time.Minute)
	for code, goesOn := range map[problem.Code]bool{problem.NoSpace: true, problem.Busy: true, problem.Internal: false} {
		full := account.New(account.Config{Store: readOnly{o.store, problem.New(code, "")}, Hasher: o.hash})
		_, got, err := full.Authenticate(t.Context(), token, true)
		if (err == nil) != goesOn || goesOn && got.UID != user.UID {
			t.Errorf("%s: got %v, %v", code, got.UID, err)
		}
	}
}
