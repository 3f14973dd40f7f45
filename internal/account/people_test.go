package account_test

import (
	"slices"
	"strings"
	"testing"

	"guiche/internal/account"
	"guiche/internal/permission"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

func TestService_AddUser(t *testing.T) {
	t.Run("OK", func(t *testing.T) {
		o := MustOpen(t)
		units := []uuid.UUID{{1}, {2}}
		user, _, err := o.AddUser(t.Context(), permission.Program(), account.NewUser{Login: " Clara.Souza ", Name: " Clara\u00ad  Souza\u200b ",
			Roles: []permission.Role{permission.Administration, permission.Reception}, Units: units})
		if err != nil {
			t.Fatal(err)
		}
		got, err := o.User(t.Context(), user.UID)
		if err != nil || got.Login != "clara.souza" || got.Name != "Clara Souza" || got.Activated || got.Disabled ||
			!slices.Equal(got.Units, units) || !slices.Equal(got.Roles,
			[]permission.Role{permission.Reception, permission.Administration}) || !got.CreatedAt.Equal(o.clock.Now()) {
			t.Errorf("got %+v, error %v", got, err)
		}
	})

	t.Run("LoginTaken", func(t *testing.T) {
		o := MustOpen(t)
		MustAdd(t, o, "clara", permission.Reception)
		_, token, err := o.AddUser(t.Context(), permission.Program(), account.NewUser{Login: "CLARA", Name: "Outra", Roles: permission.Roles()})
		if token != "" || !problem.Is(err, problem.Conflict) {
			t.Errorf("got %v, want Conflict", err)
		}
		if users, err := o.Users(t.Context()); err != nil || len(users) != 1 {
			t.Errorf("got %d people, error %v, want 1", len(users), err)
		}
	})

	reception := []permission.Role{permission.Reception}
	for name, tc := range map[string]struct {
		user account.NewUser
		want []string
	}{
		"Nothing":     {account.NewUser{}, []string{"usuario obrigatorio", "nome obrigatorio", "papeis obrigatorio"}},
		"OnlySpaces":  {account.NewUser{Login: " ", Name: "\t", Roles: reception}, []string{"usuario obrigatorio", "nome obrigatorio"}},
		"ShortLogin":  {account.NewUser{Login: "ab", Name: "A", Roles: reception}, []string{"usuario limite"}},
		"LongLogin":   {account.NewUser{Login: strings.Repeat("a", 65), Name: "A", Roles: reception}, []string{"usuario limite"}},
		"Unseen":      {account.NewUser{Login: "ana", Name: "\u200b\u202e", Roles: reception}, []string{"nome obrigatorio"}},
		"SpaceWithin": {account.NewUser{Login: "ana maria", Name: "A", Roles: reception}, []string{"usuario formato"}},
		"Accent":      {account.NewUser{Login: "josé", Name: "A", Roles: reception}, []string{"usuario formato"}},
		"LongName":    {account.NewUser{Login: "ana", Name: strings.Repeat("é", 201), Roles: reception}, []string{"nome limite"}},
		"UnknownRole": {account.NewUser{Login: "ana", Name: "A", Roles: []permission.Role{"dono"}}, []string{"papeis dominio"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := MustOpen(t).AddUser(t.Context(), permission.Program(), tc.user)
			wantFields(t, err, tc.want)
		})
	}
}

// wantFields checks an Invalid error's fields, each as "path code".
func wantFields(t *testing.T, err error, want []string) {
	t.Helper()
	var got []string
	for _, f := range problem.FieldsOf(err) {
		got = append(got, f.Path+" "+f.Code)
		if f.Message == "" {
			t.Errorf("%s: got no sentence for the person", f.Path)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v (%v), want %v", got, err, want)
	}
}

func TestService_Users(t *testing.T) {
	o := MustOpen(t)
	if any, err := o.HasUsers(t.Context()); err != nil || any {
		t.Errorf("empty: got %t, error %v, want false", any, err)
	}
	for _, login := range []string{"bruno", "ana", "clara"} {
		MustAdd(t, o, login, permission.Reception)
	}
	users, err := o.Users(t.Context())
	var got []string
	for _, u := range users {
		got = append(got, u.Login)
	}
	if want := []string{"ana", "bruno", "clara"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, error %v, want %v", got, err, want)
	}
	if any, err := o.HasUsers(t.Context()); err != nil || !any {
		t.Errorf("got %t, error %v, want true", any, err)
	}
	if _, err := o.User(t.Context(), uuid.Must(uuid.NewV7())); !problem.Is(err, problem.NotFound) {
		t.Errorf("nobody: got %v, want NotFound", err)
	}
}

func TestService_LastAdministrator(t *testing.T) {
	o := MustOpen(t)
	first := MustAdd(t, o, "ana", permission.Administration, permission.Reception)
	// One who has not chosen a password yet cannot let anybody in.
	if _, _, err := o.AddUser(t.Context(), permission.Program(),
		account.NewUser{Login: "bia", Name: "Bia", Roles: permission.Roles()}); err != nil {
		t.Fatal(err)
	}
	token := MustLogin(t, o, "ana")
	demote := account.Change{Name: "Ana", Roles: []permission.Role{permission.Reception}}
	for name, err := range map[string]error{
		"Disable":    o.Disable(t.Context(), permission.Program(), first.UID),
		"ChangeUser": o.ChangeUser(t.Context(), permission.Program(), first.UID, demote),
	} {
		if !problem.Is(err, problem.Conflict) {
			t.Errorf("%s: got %v, want Conflict", name, err)
		}
	}
	wantLive(t, o, token, true)
	second := MustAdd(t, o, "carla", permission.Administration)
	if err := o.ChangeUser(t.Context(), second.Actor(), first.UID, demote); err != nil {
		t.Errorf("with another one: got %v, want nil", err)
	}
	if err := o.Disable(t.Context(), second.Actor(), first.UID); err != nil {
		t.Errorf("of somebody else: got %v, want nil", err)
	}
}

func TestService_ChangeUser(t *testing.T) {
	o := MustOpen(t)
	user := MustAdd(t, o, "ana", permission.Reception)
	wantFields(t, o.ChangeUser(t.Context(), permission.Program(), user.UID, account.Change{}),
		[]string{"nome obrigatorio", "papeis obrigatorio"})
	if got, err := o.User(t.Context(), user.UID); err != nil || got.Name != user.Name || !slices.Equal(got.Roles, user.Roles) {
		t.Errorf("got %+v, error %v, want the user unchanged", got, err)
	}
	err := o.ChangeUser(t.Context(), permission.Program(), uuid.Must(uuid.NewV7()), account.Change{Name: "A", Roles: permission.Roles()})
	if !problem.Is(err, problem.NotFound) {
		t.Errorf("nobody: got %v, want NotFound", err)
	}
}

func TestService_Enable(t *testing.T) {
	o := MustOpen(t)
	user := MustAdd(t, o, "ana", permission.Reception)
	if err := o.Disable(t.Context(), permission.Program(), user.UID); err != nil {
		t.Fatal(err)
	}
	if _, _, err := o.Login(t.Context(), "ana", typedPassword, address); err == nil {
		t.Error("disabled: got in")
	}
	if err := o.Enable(t.Context(), permission.Program(), user.UID); err != nil {
		t.Fatal(err)
	}
	MustLogin(t, o, "ana")
}
