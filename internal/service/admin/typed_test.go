package admin_test

import (
	"strings"
	"testing"

	"guiche/internal/service"
	"guiche/internal/service/access"
	"guiche/internal/service/servicetest"

	"github.com/google/uuid"
)

// around puts the white space around a text that comes with copying it.
func around(text string) string { return "\u00a0 \t" + text + " \n" }

func checkPaths(t *testing.T, what string, err error, want string) {
	t.Helper()
	if got := paths(err); got != want {
		t.Errorf("%s: got %q (%v), want %q", what, got, err, want)
	}
}

// TestAdmin_Typed: what somebody typed is measured and kept without the white space
// around it, whichever text it is; white space alone is nothing.
func TestAdmin_Typed(t *testing.T) {
	e := MustEnv(t, limits{})
	a, ctx := e.Admin, t.Context()
	t.Run("Credential", func(t *testing.T) {
		c := servicetest.Credentials()[0]
		longest(&c, 0)
		want := c
		c.Name, c.ProviderCode, c.Contractor = around(c.Name), around(c.ProviderCode), around(c.Contractor)
		c.Indication, c.CardPattern = around(c.Indication), around(c.CardPattern)
		c.ANSRegister, c.CNES = around(c.ANSRegister), around(c.CNES)
		checkPaths(t, "as long as may be", a.CheckCredential(ctx, c), "")
		e.Must(a.PutCredential(ctx, c))
		got, err := a.Credential(ctx, c.ID)
		if err != nil || got.Name != want.Name || got.ProviderCode != want.ProviderCode || got.Contractor != want.Contractor ||
			got.Indication != want.Indication || got.CardPattern != want.CardPattern ||
			got.ANSRegister != want.ANSRegister || got.CNES != want.CNES {
			t.Errorf("kept: got %+v, %v, want %+v", got, err, want)
		}
	})
	t.Run("Unseen", func(t *testing.T) {
		c := servicetest.Credentials()[0]
		want := c
		c.Name, c.ProviderCode, c.CNES = "\ufeff"+c.Name, c.ProviderCode+"\u200b", "\u202a3100031\u202c"
		checkPaths(t, "with what nobody sees", a.CheckCredential(ctx, c), "")
		e.Must(a.PutCredential(ctx, c))
		if got, err := a.Credential(ctx, c.ID); err != nil || got.Name != want.Name || got.ProviderCode != want.ProviderCode ||
			got.CNES != "3100031" {
			t.Errorf("kept: got %+v, %v", got, err)
		}
		checkPaths(t, "nothing to be seen", a.CheckUnit(service.Unit{Name: "\u200b"}), "nome obrigatorio")
	})
	t.Run("Unit", func(t *testing.T) {
		name := strings.Repeat("ç", 200)
		u := service.Unit{ID: uuid.New(), Name: around(name), Points: []service.CarePoint{{ID: uuid.New(), Name: around(name)}}}
		checkPaths(t, "as long as may be", a.CheckUnit(u), "")
		e.Must(a.PutUnit(ctx, u))
		if got, err := a.Unit(ctx, u.ID); err != nil || got.Name != name || got.Points[0].Name != name {
			t.Errorf("kept: got %+v, %v", got, err)
		}
		if u.Points[0].Name != around(name) {
			t.Error("the caller's list was changed")
		}
		u.Name = around(name + "ç")
		checkPaths(t, "one too long", a.CheckUnit(u), "nome limite")
	})
	t.Run("Professional", func(t *testing.T) {
		name, number := strings.Repeat("ç", 200), strings.Repeat("9", 20)
		p := service.Professional{ID: uuid.New(), Name: around(name), Number: around(number),
			Specialties: []service.Specialty{{ID: 1, Name: around(name), CBO: around("225120")}}}
		checkPaths(t, "as long as may be", a.CheckProfessional(p), "")
		e.Must(a.PutProfessional(ctx, p))
		got, err := a.Professional(ctx, p.ID)
		if err != nil || got.Name != name || got.Number != number || got.Specialties[0].Name != name || got.Specialties[0].CBO != "225120" {
			t.Errorf("kept: got %+v, %v", got, err)
		}
	})
	t.Run("CBO", func(t *testing.T) { // as it is printed and pasted
		for _, typed := range []string{"2251-20", "2251–20", "2251.20", "2251 20"} {
			p := service.Professional{ID: uuid.New(), Name: "Ana Luz", Specialties: []service.Specialty{{ID: 1, Name: "Cardiologia", CBO: typed}}}
			checkPaths(t, typed, a.CheckProfessional(p), "")
			e.Must(a.PutProfessional(ctx, p))
			if got, err := a.Professional(ctx, p.ID); err != nil || got.Specialties[0].CBO != "225120" {
				t.Errorf("%q: kept %+v, %v", typed, got, err)
			}
		}
	})
	t.Run("Partner", func(t *testing.T) {
		name := strings.Repeat("ç", 100)
		p := access.Profile{ID: uuid.New(), Name: around(name), Methods: access.Methods(), Scopes: access.Scopes()}
		checkPaths(t, "as long as may be", a.CheckProfile(ctx, p), "")
		e.Must(a.PutProfile(ctx, p))
		if got, err := a.Profile(ctx, p.ID); err != nil || got.Name != name {
			t.Errorf("kept: got %+v, %v", got, err)
		}
		p.ID, p.Name = uuid.New(), name+" "
		checkPaths(t, "the name of another", a.CheckProfile(ctx, p), "nome repetido")
		p.Name = around("")
		checkPaths(t, "blank", a.CheckProfile(ctx, p), "nome obrigatorio")
	})
	t.Run("Client", func(t *testing.T) {
		profile, name := e.MustPartner(t).Profile.ID, strings.Repeat("ç", 100)
		client, _, err := a.AddClient(ctx, profile, around(name), 0)
		if err != nil || client.Name != name {
			t.Errorf("as long as may be: got %+v, %v", client, err)
		}
		for typed, want := range map[string]string{around(""): "cliente obrigatorio", name + "ç": "cliente limite"} {
			_, secret, err := a.AddClient(ctx, profile, typed, 0)
			checkPaths(t, want, err, want)
			if secret != "" {
				t.Errorf("%s: got a secret", want)
			}
		}
	})
}
