package permission_test

import (
	"errors"
	"slices"
	"testing"

	"guiche/internal/permission"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

func TestActor_May(t *testing.T) {
	cases := map[string]struct {
		actor permission.Actor
		may   []permission.Permission
	}{
		"Nobody":      {permission.Actor{}, nil},
		"NoUser":      {permission.Actor{Roles: permission.Roles()}, nil},
		"UnknownRole": {permission.Actor{User: uuid.New(), Roles: []permission.Role{"visita"}}, nil},
		"Reception":   {actor(permission.Reception), []permission.Permission{permission.SeePatients}},
		"Supervision": {actor(permission.Supervision), []permission.Permission{permission.SeePatients, permission.SeeAllUnits,
			permission.DecideUnknown, permission.CancelAuthorizations}},
		"Decision": {actor(permission.Decision), []permission.Permission{permission.SeePatients, permission.DecideUnknown,
			permission.CancelAuthorizations}},
		"Administration": {actor(permission.Administration), []permission.Permission{permission.ManagePeople, permission.ManageDirectory,
			permission.ManageConnection, permission.ManageService, permission.ReadAudit,
			permission.ManageBackups}},
		"ReceptionAndAdministration": {actor(permission.Reception, permission.Administration), []permission.Permission{permission.SeePatients,
			permission.ManagePeople, permission.ManageDirectory, permission.ManageConnection, permission.ManageService, permission.ReadAudit,
			permission.ManageBackups}},
		"Program": {permission.Program(), []permission.Permission{permission.ManagePeople, permission.ManageDirectory,
			permission.ManageConnection, permission.ManageService}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			for _, p := range c.may {
				if !slices.Contains(permission.Permissions(), p) {
					t.Errorf("%s is no permission", p)
				}
			}
			for _, p := range permission.Permissions() {
				want := slices.Contains(c.may, p)
				if got := c.actor.May(p); got != want {
					t.Errorf("%s: got %t, want %t", p, got, want)
				}
				err := c.actor.Require(p)
				if (err == nil) != want || err != nil && !problem.Is(err, problem.Forbidden) {
					t.Errorf("%s: got error %v, want permitted %t", p, err, want)
				}
			}
		})
	}
}

func TestActor_Require_Message(t *testing.T) {
	for p, want := range map[permission.Permission]string{
		permission.SeePatients:  "Seu acesso não inclui dados de pacientes.",
		permission.SeeAllUnits:  "Seu acesso não inclui dados de pacientes.",
		permission.ManagePeople: "Seu acesso não inclui esta página.",
	} {
		var denied *problem.Error
		if err := (permission.Actor{}).Require(p); !errors.As(err, &denied) || denied.Message != want {
			t.Errorf("%s: got %v, want %q", p, denied, want)
		}
	}
}

func TestActor_Reach(t *testing.T) {
	own, other := uuid.New(), uuid.New()
	cases := map[string]struct {
		roles      []permission.Role
		own, other bool
	}{
		"Reception":      {[]permission.Role{permission.Reception}, true, false},
		"Supervision":    {[]permission.Role{permission.Supervision}, true, true},
		"Both":           {[]permission.Role{permission.Reception, permission.Supervision}, true, true},
		"Administration": {[]permission.Role{permission.Administration}, true, false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			reach := permission.Actor{User: uuid.New(), Roles: c.roles, Units: []uuid.UUID{own}}.Reach()
			if got := reach.Covers(own); got != c.own {
				t.Errorf("own unit: got %t, want %t", got, c.own)
			}
			if got := reach.Covers(other); got != c.other {
				t.Errorf("other unit: got %t, want %t", got, c.other)
			}
		})
	}
}

func TestRoles(t *testing.T) {
	var labels []string
	for _, r := range permission.Roles() {
		labels = append(labels, r.Label())
	}
	if want := []string{"Recepção", "Supervisão", "Decisão", "Administração"}; !slices.Equal(labels, want) {
		t.Errorf("got %v, want %v: the program's own role is nobody's", labels, want)
	}
	if got := permission.Role("outra").Label(); got != "outra" {
		t.Errorf("a role of a later version: got %q", got)
	}
}

func actor(roles ...permission.Role) permission.Actor {
	return permission.Actor{User: uuid.New(), Roles: roles}
}
