package admin_test

import (
	"errors"
	"testing"

	"guiche/internal/problem"
	"guiche/internal/service/access"

	"github.com/google/uuid"
)

// The desk's own profile is refused whatever would become of it.
func TestAdmin_CheckProfile(t *testing.T) {
	e := MustEnv(t, limits{})
	own := access.DeskProfile()
	own.Disabled = true
	if err := e.Admin.CheckProfile(t.Context(), own); !problem.Is(err, problem.Conflict) {
		t.Errorf("the desk's own: got %v, want a conflict", err)
	}
	fine := access.Profile{ID: uuid.New(), Name: "Parceiro", Methods: access.Methods(), Scopes: access.Scopes(), Rate: 60_000}
	if err := e.Admin.CheckProfile(t.Context(), fine); err != nil {
		t.Errorf("a profile that is fine: got %v", err)
	}
}

func TestAdmin_CheckProfile_Problems(t *testing.T) {
	e := MustEnv(t, limits{})
	p := e.MustPartner(t)
	fine := access.Profile{ID: uuid.New(), Name: "Clínica", Methods: access.Methods(), Scopes: access.Scopes()}
	alike := fine // kept before such a name was refused
	alike.ID, alike.Name = uuid.New(), "Parcêiro"
	e.Must(e.Admin.PutProfile(t.Context(), alike))
	for name, c := range map[string]struct {
		change func(p *access.Profile)
		want   string
	}{
		"fine":                 {func(*access.Profile) {}, ""},
		"a name that is taken": {func(q *access.Profile) { q.Name = "PARCEIRO" }, "nome repetido"},
		"but for accents":      {func(q *access.Profile) { q.Name = "guiche desta  Instalacao" }, "nome repetido"},
		"its own name":         {func(q *access.Profile) { q.ID, q.Name = p.Profile.ID, "parceiro" }, ""},
		"as it was called":     {func(q *access.Profile) { q.ID, q.Name = alike.ID, "Parcéiro" }, ""},
		"nothing": {func(q *access.Profile) { *q = access.Profile{ID: q.ID} },
			"nome obrigatorio, metodos obrigatorio, escopos obrigatorio"},
	} {
		q := fine
		c.change(&q)
		if got := paths(e.Admin.CheckProfile(t.Context(), q)); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func TestAdmin_Profiles(t *testing.T) {
	e := MustEnv(t, limits{})
	p := e.MustPartner(t)
	all, err := e.Admin.Profiles(t.Context())
	if err != nil || len(all) != 2 || all[0].Name != access.DeskProfile().Name || all[1].ID != p.Profile.ID {
		t.Errorf("got %+v, %v", all, err)
	}
	if got, err := e.Admin.Profile(t.Context(), p.Profile.ID); err != nil || got.Name != p.Profile.Name {
		t.Errorf("got %+v, %v", got, err)
	}
	if _, err := e.Admin.Profile(t.Context(), uuid.New()); !problem.Is(err, problem.NotFound) {
		t.Errorf("unknown: got %v, want %s", err, problem.NotFound)
	}
	if err := e.Admin.CheckOpen(p.Profile); err != nil {
		t.Errorf("a partner's: got %v", err)
	}
	if err := e.Admin.CheckOpen(access.DeskProfile()); !problem.Is(err, problem.Conflict) {
		t.Errorf("the desk's own: got %v, want %s", err, problem.Conflict)
	}
	changed := p.Profile
	changed.Name, changed.Disabled = "Outro nome", true
	e.Must(e.Admin.EnsureProfile(t.Context(), changed))
	if got, err := e.Admin.Profile(t.Context(), p.Profile.ID); err != nil || got.Disabled {
		t.Errorf("ensured: got %+v, %v, want it as it was", got, err)
	}
	e.Must(e.Admin.PutProfile(t.Context(), changed))
	if got, err := e.Admin.Profile(t.Context(), p.Profile.ID); err != nil || !got.Disabled || got.Name != "Outro nome" {
		t.Errorf("replaced: got %+v, %v", got, err)
	}
}

// TestAdmin_ChangeProfile: a change is one of the profile as it stands, and one that is given up leaves it so.
func TestAdmin_ChangeProfile(t *testing.T) {
	e := MustEnv(t, limits{})
	p := e.MustPartner(t)
	off := p.Profile
	off.Disabled = true
	e.Must(e.Admin.PutProfile(t.Context(), off))
	rename := func(name string, err error) func(access.Profile) (access.Profile, error) {
		return func(now access.Profile) (access.Profile, error) {
			now.Name = name
			return now, err
		}
	}
	e.Must(e.Admin.ChangeProfile(t.Context(), p.Profile.ID, rename(" Outro nome ", nil)))
	if err := e.Admin.ChangeProfile(t.Context(), p.Profile.ID, rename("Terceiro nome", errDisk)); !errors.Is(err, errDisk) {
		t.Errorf("given up: got %v", err)
	}
	if got, err := e.Admin.Profile(t.Context(), p.Profile.ID); err != nil || !got.Disabled || got.Name != "Outro nome" {
		t.Errorf("got %+v, %v, want it renamed and still disabled", got, err)
	}
	if err := e.Admin.ChangeProfile(t.Context(), uuid.New(), rename("Ninguém", nil)); !problem.Is(err, problem.NotFound) {
		t.Errorf("nobody's: got %v, want %s", err, problem.NotFound)
	}
}

func TestAdmin_CheckUserName(t *testing.T) {
	e := MustEnv(t, limits{})
	for name, want := range map[string]string{" Ana ": "", "an": "usuario limite", "ana maria": "usuario formato"} {
		if got := paths(e.Admin.CheckUserName(name)); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}
