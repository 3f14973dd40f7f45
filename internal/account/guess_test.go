package account_test

import (
	"testing"
	"time"

	"guiche/internal/audit"
	"guiche/internal/permission"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// TestService_SessionActor: who is logged in in a session, for as long as it lasts.
func TestService_SessionActor(t *testing.T) {
	for name, end := range map[string]func(t *testing.T, o fixture, user uuid.UUID, token string){
		"Idle": func(_ *testing.T, o fixture, _ uuid.UUID, _ string) { o.clock.Advance(time.Hour) },
		"LoggedOut": func(t *testing.T, o fixture, _ uuid.UUID, token string) {
			if err := o.Logout(t.Context(), token); err != nil {
				t.Fatal(err)
			}
		},
		"Disabled": func(t *testing.T, o fixture, user uuid.UUID, _ string) {
			if err := o.Disable(t.Context(), permission.Program(), user); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			o := MustOpen(t)
			MustAdd(t, o, "celia", permission.Administration)
			ana := MustAdd(t, o, "ana", permission.Reception)
			token := MustLogin(t, o, "ana")
			open, err := o.Sessions(t.Context(), ana.UID)
			if err != nil || len(open) != 1 {
				t.Fatal(len(open), err)
			}
			if actor, err := o.SessionActor(t.Context(), open[0].UID); err != nil || actor.User != ana.UID || !actor.May(permission.SeePatients) {
				t.Errorf("got %+v, %v", actor, err)
			}
			end(t, o, ana.UID, token)
			if _, err := o.SessionActor(t.Context(), open[0].UID); !problem.Is(err, problem.Unauthorized) {
				t.Errorf("afterwards: got %v, want Unauthorized", err)
			}
		})
	}
}

// TestService_CountGuess: an address that guesses too often has to wait, and no other does.
func TestService_CountGuess(t *testing.T) {
	o := MustOpen(t)
	from := func(address string) error { return o.CountGuess(audit.WithAddress(t.Context(), address)) }
	for i := range 300 {
		if err := from("192.0.2.1"); err != nil {
			t.Fatalf("guess %d: %v", i, err)
		}
	}
	if err := from("192.0.2.1"); !problem.Is(err, problem.Throttled) {
		t.Errorf("got %v, want Throttled", err)
	}
	if err := from("192.0.2.2"); err != nil {
		t.Errorf("another address: %v", err)
	}
	o.clock.Advance(2 * time.Minute)
	if err := from("192.0.2.1"); err != nil {
		t.Errorf("later: %v", err)
	}
}

// TestService_ActivationOwner_Guessed: whoever tries many links has to wait, and a good one
// still opens.
func TestService_ActivationOwner_Guessed(t *testing.T) {
	o := MustOpen(t)
	token, err := o.InviteFirstAdministrator(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for range 300 {
		if _, err := o.ActivationOwner(t.Context(), "segredo"); !problem.Is(err, problem.NotFound) {
			t.Fatalf("got %v, want NotFound", err)
		}
	}
	if _, err := o.ActivationOwner(t.Context(), "segredo"); !problem.Is(err, problem.Throttled) {
		t.Errorf("got %v, want Throttled", err)
	}
	if _, err := o.ActivationOwner(t.Context(), token); err != nil {
		t.Errorf("a good link: %v", err)
	}
}
