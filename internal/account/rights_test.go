package account_test

import (
	"slices"
	"testing"
	"time"

	"guiche/internal/account"
	"guiche/internal/audit"
	"guiche/internal/permission"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// Nobody changes their own rights; a name is no right.
func TestService_Oneself(t *testing.T) {
	o := MustOpen(t)
	unit := uuid.UUID{7}
	MustAdd(t, o, "bia", permission.Administration)
	ana := MustAdd(t, o, "ana", permission.Administration)
	administration := []permission.Role{permission.Administration}
	for name, err := range map[string]error{
		"MoreRoles": o.ChangeUser(t.Context(), ana.Actor(), ana.UID, account.Change{Name: "Ana", Roles: permission.Roles()}),
		"Units": o.ChangeUser(t.Context(), ana.Actor(), ana.UID, account.Change{Name: "Ana", Roles: administration,
			Units: []uuid.UUID{unit}}),
		"Disable": o.Disable(t.Context(), ana.Actor(), ana.UID),
		"Reset":   func() error { _, err := o.ResetPassword(t.Context(), ana.Actor(), ana.UID); return err }(),
	} {
		if !problem.Is(err, problem.Forbidden) {
			t.Errorf("%s: got %v, want Forbidden", name, err)
		}
	}
	if err := o.ChangeUser(t.Context(), ana.Actor(), ana.UID, account.Change{Name: "Ana Nova", Roles: administration}); err != nil {
		t.Errorf("name: got %v, want nil", err)
	}
	if got, err := o.User(t.Context(), ana.UID); err != nil || got.Name != "Ana Nova" ||
		!slices.Equal(got.Roles, administration) || len(got.Units) != 0 {
		t.Errorf("got %+v, error %v", got, err)
	}
	t.Run("UnitsInAnotherOrder", func(t *testing.T) {
		units := []uuid.UUID{{8}, {7}}
		bia, err := o.UserByLogin(t.Context(), "bia")
		if err != nil {
			t.Fatal(err)
		}
		for _, actor := range []permission.Actor{bia.Actor(), ana.Actor()} {
			if err := o.ChangeUser(t.Context(), actor, ana.UID, account.Change{Name: "Ana", Roles: administration, Units: units}); err != nil {
				t.Errorf("got %v, want nil", err)
			}
			slices.Reverse(units)
		}
	})
}

func TestService_ResetPassword_Refused(t *testing.T) {
	o := MustOpen(t)
	ana := MustAdd(t, o, "ana", permission.Administration)
	clara := MustAdd(t, o, "clara", permission.Reception)
	token := MustLogin(t, o, "ana")
	t.Run("LastAdministrator", func(t *testing.T) {
		if link, err := o.ResetPassword(t.Context(), asAdministrator(clara), ana.UID); link != "" || !problem.Is(err, problem.Conflict) {
			t.Errorf("got %v, want Conflict", err)
		}
		wantLive(t, o, token, true)
		if _, err := o.ResetPassword(t.Context(), permission.Program(), ana.UID); err != nil {
			t.Errorf("by the program: got %v, want nil", err)
		}
		wantLive(t, o, token, false)
	})
	t.Run("Disabled", func(t *testing.T) {
		link, err := o.ResetPassword(t.Context(), permission.Program(), clara.UID)
		if err != nil {
			t.Fatal(err)
		}
		if err := o.Disable(t.Context(), permission.Program(), clara.UID); err != nil {
			t.Fatal(err)
		}
		if _, err := o.ResetPassword(t.Context(), permission.Program(), clara.UID); !problem.Is(err, problem.Conflict) {
			t.Errorf("got %v, want Conflict", err)
		}
		if err := o.Enable(t.Context(), permission.Program(), clara.UID); err != nil {
			t.Fatal(err)
		}
		if _, err := o.ActivationOwner(t.Context(), link); !problem.Is(err, problem.NotFound) {
			t.Errorf("a link from before: got %v, want NotFound", err)
		}
	})
}

func TestService_FindUsers(t *testing.T) {
	o := MustOpen(t)
	for login, name := range map[string]string{"zelia": "Zélia d'Ávila", "aurea": "Áurea Lima", "bruno": "bruno Sá"} {
		if _, _, err := o.AddUser(t.Context(), permission.Program(),
			account.NewUser{Login: login, Name: name, Roles: permission.Roles()}); err != nil {
			t.Fatal(err)
		}
	}
	for text, want := range map[string][]string{
		"":                       {"aurea", "bruno", "zelia"}, // by name, neither case nor accents count
		"ZELIA":                  {"zelia"},
		"sa BRU":                 {"bruno"},
		"d'avi":                  {"zelia"},
		"%":                      nil,
		"li":                     {"aurea", "zelia"},
		"au\u00adrea \u200bLima": {"aurea"}, // as pasted
		"🙂":                      nil,
	} {
		users, err := o.FindUsers(t.Context(), permission.Program(), text)
		var got []string
		for _, u := range users {
			got = append(got, u.Login)
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: got %v, error %v, want %v", text, got, err, want)
		}
	}
	if got, err := o.UserByLogin(t.Context(), " ZELIA "); err != nil || got.Name != "Zélia d'Ávila" {
		t.Errorf("got %+v, error %v", got, err)
	}
	if _, err := o.UserByLogin(t.Context(), "ninguem"); !problem.Is(err, problem.NotFound) {
		t.Errorf("got %v, want NotFound", err)
	}
}

func TestService_RevokeSessions(t *testing.T) {
	o := MustOpen(t)
	clara := MustAdd(t, o, "clara", permission.Reception)
	MustAdd(t, o, "bruno", permission.Reception)
	kept, ended, other := MustLogin(t, o, "clara"), MustLogin(t, o, "clara"), MustLogin(t, o, "bruno")
	keep, _, err := o.Authenticate(t.Context(), kept, false)
	if err != nil {
		t.Fatal(err)
	}
	foreign, bruno, err := o.Authenticate(t.Context(), other, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := o.RevokeSession(t.Context(), clara.Actor(), clara.UID, foreign.UID); !problem.Is(err, problem.NotFound) {
		t.Errorf("somebody else's: got %v, want NotFound", err)
	}
	if err := o.RevokeSessions(t.Context(), clara.Actor(), clara.UID, keep.UID); err != nil {
		t.Fatal(err)
	}
	wantLive(t, o, kept, true)
	wantLive(t, o, ended, false)
	wantLive(t, o, other, true)
	if err := o.RevokeSessions(t.Context(), asAdministrator(bruno), clara.UID, uuid.Nil); err != nil {
		t.Fatal(err)
	}
	wantLive(t, o, kept, false)
	if got := events(t, o); !slices.Equal(got[len(got)-2:], []audit.Event{audit.SessionRevoked, audit.SessionRevoked}) {
		t.Errorf("got %v, want two sessions ended at its end", got)
	}
}

func TestService_Login_Client(t *testing.T) {
	o := MustOpen(t)
	user := MustAdd(t, o, "clara", permission.Reception)
	if got, err := o.User(t.Context(), user.UID); err != nil || !got.LastLogin.IsZero() {
		t.Errorf("before: last login %v, error %v, want never", got.LastLogin, err)
	}
	MustLogin(t, o, "clara")
	first := o.clock.Now()
	o.clock.Advance(time.Minute)
	_, _, _ = o.Login(t.Context(), "clara", "senha errada de clara", stranger)
	if got, err := o.User(t.Context(), user.UID); err != nil || !got.LastLogin.Equal(first) {
		t.Errorf("got last login %v, error %v, want %v", got.LastLogin, err, first)
	}
	sessions, err := o.Sessions(t.Context(), user.UID)
	if err != nil || len(sessions) != 1 || sessions[0].Device != "Chrome no Windows" || sessions[0].Address != address.Address {
		t.Errorf("got %+v, error %v", sessions, err)
	}
}

// asAdministrator is a user as they would act if they had administração too.
func asAdministrator(u account.User) permission.Actor {
	return permission.Actor{User: u.UID, Name: u.Name, Roles: []permission.Role{permission.Administration}}
}

func TestService_Forbidden(t *testing.T) {
	o := MustOpen(t)
	MustAdd(t, o, "ana", permission.Administration)
	clara := MustAdd(t, o, "clara", permission.Reception)
	bruno := MustAdd(t, o, "bruno", permission.Reception)
	token := MustLogin(t, o, "bruno")
	before := len(events(t, o))
	for name, actor := range map[string]permission.Actor{"Reception": clara.Actor(), "Nobody": {},
		"RolesWithoutUser": {Roles: permission.Roles()}} {
		t.Run(name, func(t *testing.T) {
			ctx := t.Context()
			_, _, added := o.AddUser(ctx, actor, account.NewUser{Login: "nova", Name: "Nova", Roles: permission.Roles()})
			_, reset := o.ResetPassword(ctx, actor, bruno.UID)
			_, found := o.FindUsers(ctx, actor, "")
			for what, err := range map[string]error{
				"AddUser": added, "ResetPassword": reset, "FindUsers": found,
				"ChangeUser":     o.ChangeUser(ctx, actor, bruno.UID, account.Change{Name: "B", Roles: permission.Roles()}),
				"Disable":        o.Disable(ctx, actor, bruno.UID),
				"Enable":         o.Enable(ctx, actor, bruno.UID),
				"RevokeSession":  o.RevokeSession(ctx, actor, bruno.UID, uuid.New()),
				"RevokeSessions": o.RevokeSessions(ctx, actor, bruno.UID, uuid.Nil),
			} {
				if !problem.Is(err, problem.Forbidden) {
					t.Errorf("%s: got %v, want Forbidden", what, err)
				}
			}
		})
	}
	wantLive(t, o, token, true)
	if after := len(events(t, o)); after != before {
		t.Errorf("what was refused left %d entries in the trail", after-before)
	}
}
