package account_test

import (
	"context"
	"errors"
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

// MustInvite adds a person who has not chosen a password.
func MustInvite(tb testing.TB, o fixture, login string) (account.User, string) {
	tb.Helper()
	user, token, err := o.AddUser(tb.Context(), permission.Program(), account.NewUser{Login: login, Name: "Nome de " + login,
		Roles: permission.Roles()})
	if err != nil {
		tb.Fatal(err)
	}
	return user, token
}

func TestService_Activate(t *testing.T) {
	t.Run("OnceOnly", func(t *testing.T) {
		o := MustOpen(t)
		user, token := MustInvite(t, o, "ana")
		if owner, err := o.ActivationOwner(t.Context(), token); err != nil || owner.UID != user.UID {
			t.Errorf("owner: got %v, error %v", owner.UID, err)
		}
		if got, err := o.Activate(t.Context(), token, typedPassword); err != nil || got.UID != user.UID || !got.Activated {
			t.Fatalf("got %+v, error %v", got, err)
		}
		MustLogin(t, o, "ana")
		if _, err := o.Activate(t.Context(), token, "outra senha qualquer"); !problem.Is(err, problem.NotFound) {
			t.Errorf("second time: got %v, want NotFound", err)
		}
		if _, err := o.ActivationOwner(t.Context(), token); !problem.Is(err, problem.NotFound) {
			t.Errorf("owner of a used link: got %v, want NotFound", err)
		}
	})

	t.Run("TwentyAtOnce", func(t *testing.T) {
		o := MustOpen(t)
		_, token := MustInvite(t, o, "ana")
		var won atomic.Int32
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				if _, err := o.Activate(t.Context(), token, typedPassword); err == nil {
					won.Add(1)
				}
			})
		}
		wg.Wait()
		if won.Load() != 1 {
			t.Errorf("got %d uses of one link, want 1", won.Load())
		}
	})

	t.Run("BadPasswordLeavesTheLink", func(t *testing.T) {
		o := MustOpen(t)
		_, token := MustInvite(t, o, "ana")
		_, err := o.Activate(t.Context(), token, "curta")
		wantFields(t, err, []string{"senha limite"})
		if _, err := o.Activate(t.Context(), token, typedPassword); err != nil {
			t.Errorf("got %v, want nil", err)
		}
	})
}

// lateStore does what it is told and fails at the commit.
type lateStore struct{ account.Store }

var errCommit = errors.New("the commit failed")

func (s lateStore) Write(ctx context.Context, fn func(account.Tx) error) error {
	return s.Store.Write(ctx, func(tx account.Tx) error { return errors.Join(fn(tx), errCommit) })
}

// TestService_NoSecretOnError: a link or a session that was not kept is not handed
// out.
func TestService_NoSecretOnError(t *testing.T) {
	o := MustOpen(t)
	late := account.New(account.Config{Store: lateStore{o.store}, Hasher: o.hash})
	by := permission.Program()
	check := func(name, secret string, err error) {
		t.Helper()
		if secret != "" || !errors.Is(err, errCommit) {
			t.Errorf("%s: got %d characters and %v, want %v alone", name, len(secret), err, errCommit)
		}
	}
	token, err := late.InviteFirstAdministrator(t.Context())
	check("InviteFirstAdministrator", token, err)
	ana := MustAdd(t, o, "ana", permission.Administration)
	token, err = late.ResetPassword(t.Context(), by, ana.UID)
	check("ResetPassword", token, err)
	_, token, err = late.AddUser(t.Context(), by, account.NewUser{Login: "rui", Name: "Rui", Roles: permission.Roles()})
	check("AddUser", token, err)
	token, _, err = late.Login(t.Context(), "ana", typedPassword, address)
	check("Login", token, err)
	change := account.PasswordChange{Current: typedPassword, New: "outra senha bem longa"}
	token, err = late.ChangePassword(t.Context(), ana.UID, change, address)
	check("ChangePassword", token, err)
}

func TestService_Activate_Refuses(t *testing.T) {
	t.Run("Expires", func(t *testing.T) {
		o := MustOpen(t)
		_, token := MustInvite(t, o, "ana")
		o.clock.Advance(24*time.Hour - time.Second)
		if _, err := o.ActivationOwner(t.Context(), token); err != nil {
			t.Errorf("just before: %v", err)
		}
		o.clock.Advance(time.Second)
		if _, err := o.Activate(t.Context(), token, typedPassword); !problem.Is(err, problem.NotFound) {
			t.Errorf("got %v, want NotFound", err)
		}
	})

	t.Run("NotOfTheDisabled", func(t *testing.T) {
		o := MustOpen(t)
		user, token := MustInvite(t, o, "ana")
		if err := o.Disable(t.Context(), permission.Program(), user.UID); err != nil {
			t.Fatal(err)
		}
		if _, err := o.Activate(t.Context(), token, typedPassword); !problem.Is(err, problem.NotFound) {
			t.Errorf("got %v, want NotFound", err)
		}
	})

	t.Run("Nonsense", func(t *testing.T) {
		o := MustOpen(t)
		for _, token := range []string{"", "x", strings.Repeat("A", 43)} {
			if _, err := o.Activate(t.Context(), token, typedPassword); !problem.Is(err, problem.NotFound) {
				t.Errorf("%q: got %v, want NotFound", token, err)
			}
		}
		if got := len(o.hash.take()); got != 0 {
			t.Errorf("got %d hashes for nothing, want none", got)
		}
	})
}

func TestService_ResetPassword(t *testing.T) {
	o := MustOpen(t)
	user, first := MustInvite(t, o, "ana")
	second, err := o.ResetPassword(t.Context(), permission.Program(), user.UID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := o.Activate(t.Context(), first, typedPassword); !problem.Is(err, problem.NotFound) {
		t.Errorf("replaced link: got %v, want NotFound", err)
	}
	if _, err := o.Activate(t.Context(), second, typedPassword); err != nil {
		t.Fatal(err)
	}
	MustLogin(t, o, "ana")
	if _, err := o.ResetPassword(t.Context(), permission.Program(), user.UID); err != nil {
		t.Fatal(err)
	}
	if _, _, err := o.Login(t.Context(), "ana", typedPassword, address); !problem.Is(err, problem.Invalid) {
		t.Errorf("old typedPassword: got %v, want Invalid", err)
	}
	if _, err := o.ResetPassword(t.Context(), permission.Program(), uuid.Must(uuid.NewV7())); !problem.Is(err, problem.NotFound) {
		t.Errorf("nobody: got %v, want NotFound", err)
	}
}

var ana = account.FirstAdministrator{Login: "Ana", Name: "Ana Prado", Password: typedPassword}

// MustStart returns the link that a start without people prints.
func MustStart(tb testing.TB, o fixture) string {
	tb.Helper()
	token, err := o.InviteFirstAdministrator(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
	return token
}

func TestService_ActivateFirstAdministrator(t *testing.T) {
	t.Run("OK", func(t *testing.T) {
		o := MustOpen(t)
		beside := MustStart(t, o)
		token := MustStart(t, o)
		if _, err := o.ActivationOwner(t.Context(), beside); err != nil {
			t.Errorf("link of another start: got %v", err)
		}
		if owner, err := o.ActivationOwner(t.Context(), token); err != nil || owner.UID != uuid.Nil {
			t.Errorf("got %v, error %v, want nobody yet", owner.UID, err)
		}
		if _, err := o.Activate(t.Context(), token, typedPassword); !problem.Is(err, problem.NotFound) {
			t.Errorf("as an ordinary link: got %v, want NotFound", err)
		}
		user, err := o.ActivateFirstAdministrator(t.Context(), token, ana)
		if err != nil || !user.Has(permission.Administration) || (user.Has(permission.Reception) || user.Has(permission.Supervision)) {
			t.Fatalf("got %+v, error %v, want administração alone", user, err)
		}
		MustLogin(t, o, "ana")
		if _, err := o.ActivationOwner(t.Context(), beside); !problem.Is(err, problem.NotFound) {
			t.Errorf("link of another start, once there is somebody: got %v, want NotFound", err)
		}
		if _, err := o.InviteFirstAdministrator(t.Context()); !problem.Is(err, problem.Conflict) {
			t.Errorf("another link: got %v, want Conflict", err)
		}
	})

	t.Run("AllProblemsAtOnce", func(t *testing.T) {
		o := MustOpen(t)
		_, err := o.ActivateFirstAdministrator(t.Context(), MustStart(t, o), account.FirstAdministrator{})
		wantFields(t, err, []string{"usuario obrigatorio", "nome obrigatorio", "senha obrigatorio"})
	})
}

func TestService_ActivateFirstAdministrator_Once(t *testing.T) {
	t.Run("NotOnceThereIsAnybody", func(t *testing.T) {
		o := MustOpen(t)
		token := MustStart(t, o)
		_, ordinary := MustInvite(t, o, "bia")
		if _, err := o.ActivateFirstAdministrator(t.Context(), token, ana); !problem.Is(err, problem.Conflict) {
			t.Errorf("got %v, want Conflict", err)
		}
		if _, err := o.ActivateFirstAdministrator(t.Context(), ordinary, ana); !problem.Is(err, problem.NotFound) {
			t.Errorf("with an ordinary link: got %v, want NotFound", err)
		}
	})

	t.Run("TwoAtOnce", func(t *testing.T) {
		o := MustOpen(t)
		token := MustStart(t, o)
		var won atomic.Int32
		var wg sync.WaitGroup
		for _, login := range []string{"ana", "bia", "carla", "dora"} {
			wg.Go(func() {
				first := account.FirstAdministrator{Login: login, Name: login, Password: typedPassword}
				if _, err := o.ActivateFirstAdministrator(t.Context(), token, first); err == nil {
					won.Add(1)
				}
			})
		}
		wg.Wait()
		users, err := o.Users(t.Context())
		if err != nil || won.Load() != 1 || len(users) != 1 {
			t.Errorf("got %d winners and %d people, error %v, want one", won.Load(), len(users), err)
		}
	})
}
