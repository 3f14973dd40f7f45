package account_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"guiche/internal/account"
	"guiche/internal/audit"
	"guiche/internal/permission"
	"guiche/internal/problem"
	"guiche/internal/store/auditlog"

	"github.com/google/uuid"
)

// denied are the entries about refused acts, without their times, oldest first.
func denied(t *testing.T, o fixture) (all []audit.Entry) {
	t.Helper()
	page, err := o.log.List(t.Context(), auditlog.Filter{Limit: 500})
	if err != nil {
		t.Fatal(err)
	}
	for _, link := range slices.Backward(page) {
		if e := link.Entry; e.Event == audit.AccessDenied {
			all = append(all, audit.Entry{Actor: e.Actor, Event: e.Event, Object: e.Object, ObjectID: e.ObjectID, Detail: e.Detail})
		}
	}
	return all
}

// TestService_ActivationOwner_Denied: whoever tries a link that does not stand is in the
// trail, with whose it was where that is known; a link that stands leaves nothing.
func TestService_ActivationOwner_Denied(t *testing.T) {
	unknown := []audit.Entry{{Event: audit.AccessDenied, Object: audit.ObjectInvitation, Detail: "link=desconhecido"}}
	late := func(user uuid.UUID) []audit.Entry {
		return []audit.Entry{{Event: audit.AccessDenied, Object: audit.ObjectPerson, ObjectID: user, Detail: "link=vencido"}}
	}
	for name, try := range map[string]func(t *testing.T, o fixture, user account.User, token string) ([]audit.Entry, error){
		"Stands": func(t *testing.T, o fixture, _ account.User, token string) ([]audit.Entry, error) {
			if _, err := o.ActivationOwner(t.Context(), token); err != nil {
				t.Fatal(err)
			}
			_, err := o.Activate(t.Context(), token, "curta")
			if !problem.Is(err, problem.Invalid) {
				t.Errorf("got %v, want invalid", err)
			}
			return nil, problem.New(problem.NotFound, "")
		},
		"Guessed": func(t *testing.T, o fixture, _ account.User, _ string) ([]audit.Entry, error) {
			_, err := o.ActivationOwner(t.Context(), "segredo")
			return unknown, err
		},
		"Used": func(t *testing.T, o fixture, _ account.User, token string) ([]audit.Entry, error) {
			if _, err := o.Activate(t.Context(), token, typedPassword); err != nil {
				t.Fatal(err)
			}
			_, err := o.Activate(t.Context(), token, typedPassword)
			return unknown, err
		},
		"Late": func(t *testing.T, o fixture, user account.User, token string) ([]audit.Entry, error) {
			o.clock.Advance(24 * time.Hour)
			_, err := o.ActivationOwner(t.Context(), token)
			return late(user.UID), err
		},
		"FirstAdministrator": func(t *testing.T, o fixture, _ account.User, _ string) ([]audit.Entry, error) {
			_, err := o.ActivateFirstAdministrator(t.Context(), "segredo", account.FirstAdministrator{})
			return unknown, err
		},
	} {
		t.Run(name, func(t *testing.T) {
			o := MustOpen(t)
			user, token, err := o.AddUser(t.Context(), permission.Program(),
				account.NewUser{Login: "eva", Name: "Eva", Roles: []permission.Role{permission.Reception}})
			if err != nil {
				t.Fatal(err)
			}
			want, err := try(t, o, user, token)
			if !problem.Is(err, problem.NotFound) {
				t.Errorf("got %v, want not found", err)
			}
			if got := denied(t, o); !slices.Equal(got, want) {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
}

// TestService_Activate_LateDenied: of two who use one link at once the later is in the
// trail.
func TestService_Activate_LateDenied(t *testing.T) {
	o := MustOpen(t)
	_, token, err := o.AddUser(t.Context(), permission.Program(),
		account.NewUser{Login: "eva", Name: "Eva", Roles: []permission.Role{permission.Reception}})
	if err != nil {
		t.Fatal(err)
	}
	results := make(chan error)
	for range 2 {
		go func() {
			_, err := o.Activate(t.Context(), token, typedPassword)
			results <- err
		}()
	}
	if first, second := <-results, <-results; (first == nil) == (second == nil) {
		t.Errorf("got %v and %v, want one who is let in", first, second)
	}
	if got := denied(t, o); len(got) != 1 || got[0].Detail != "link=desconhecido" {
		t.Errorf("got %+v", got)
	}
}

// TestService_RevokeSession_Denied: whoever tries to end somebody else's session, which
// only those who manage people may, is in the trail.
func TestService_RevokeSession_Denied(t *testing.T) {
	o := MustOpen(t)
	ana, celia := MustAdd(t, o, "ana", permission.Reception), MustAdd(t, o, "celia", permission.Administration)
	MustLogin(t, o, "ana")
	MustLogin(t, o, "celia")
	sessionOf := func(u account.User) uuid.UUID {
		open, err := o.Sessions(t.Context(), u.UID)
		if err != nil || len(open) != 1 {
			t.Fatal(len(open), err)
		}
		return open[0].UID
	}
	missing := problem.New(problem.NotFound, "")
	for _, tt := range []struct {
		by      account.User
		session uuid.UUID
	}{{ana, sessionOf(celia)}, {ana, uuid.New()}, {celia, sessionOf(ana)}} {
		if err := o.RevokeSession(t.Context(), tt.by.Actor(), tt.by.UID, tt.session); !errors.Is(err, missing) {
			t.Errorf("got %v, want not found", err)
		}
	}
	want := []audit.Entry{{Actor: ana.UID, Event: audit.AccessDenied, Object: audit.ObjectSession, ObjectID: sessionOf(celia),
		Detail: "alcance=pessoa"}}
	if got := denied(t, o); !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if err := o.RevokeSession(t.Context(), ana.Actor(), ana.UID, sessionOf(ana)); err != nil {
		t.Errorf("one's own: %v", err)
	}
	if got := denied(t, o); len(got) != 1 {
		t.Errorf("after one's own: got %+v", got)
	}
}

// TestService_Login_Throttled: a password that was not looked at is in the trail, with
// whose it would have been.
func TestService_Login_Throttled(t *testing.T) {
	o := MustOpen(t)
	ana := MustAdd(t, o, "ana", permission.Reception)
	var err error
	for i := 0; !problem.Is(err, problem.Throttled); i++ {
		if i == 100 {
			t.Fatalf("got %v", err)
		}
		_, _, err = o.Login(t.Context(), "ana", "errada", stranger)
	}
	page, err := o.log.List(t.Context(), auditlog.Filter{Event: audit.LoginThrottled})
	if err != nil || len(page) != 1 || page[0].Entry.ObjectID != ana.UID || page[0].Entry.Actor != uuid.Nil {
		t.Errorf("got %+v, %v", page, err)
	}
}
