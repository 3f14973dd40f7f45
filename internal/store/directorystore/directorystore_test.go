package directorystore_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/directory"
	"guiche/internal/problem"
	"guiche/internal/store/auditlog"
	"guiche/internal/store/directorystore"
	"guiche/internal/store/storetest"
	"guiche/migrations"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
)

// MustDirectory returns the directory over a database of its own.
func MustDirectory(tb testing.TB) *directory.Directory {
	tb.Helper()
	db := storetest.Open(tb, migrations.Desk, nil)
	return directory.New(directorystore.New(db, auditlog.New(db, audit.Key{1})))
}

func MustDo(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

var (
	unitID   = uuid.MustParse("01970000-0000-7000-8000-000000000001")
	pointA   = uuid.MustParse("01970000-0000-7000-8000-000000000011")
	pointB   = uuid.MustParse("01970000-0000-7000-8000-000000000012")
	doctorID = uuid.MustParse("01970000-0000-7000-8000-000000000021")
	planID   = uuid.MustParse("01970000-0000-7000-8000-000000000031")
)

func centro(points ...directory.CarePoint) directory.Unit {
	return directory.Unit{UID: unitID, Name: "Centro", CarePoints: points, Active: true}
}

func TestStore_PutUnits(t *testing.T) {
	ctx, r := t.Context(), MustDirectory(t)
	a := directory.CarePoint{UID: pointA, Name: "Balcão 1", Active: true}
	b := directory.CarePoint{UID: pointB, Name: "Balcão 2", Active: true}
	MustDo(t, r.PutUnits(ctx, centro(a, b)))

	t.Run("OK", func(t *testing.T) {
		got, err := r.Units(ctx)
		MustDo(t, err)
		if diff := cmp.Diff(got, []directory.Unit{centro(a, b)}); diff != "" {
			t.Errorf("units: got, want\n%s", diff)
		}
		unit, point, err := r.UnitNames(ctx, unitID, pointB)
		if unit != "Centro" || point != "Balcão 2" || err != nil {
			t.Errorf("names: got %q, %q, %v", unit, point, err)
		}
	})
	t.Run("CarePointNoLongerListed", func(t *testing.T) {
		MustDo(t, r.PutUnits(ctx, centro(a)))
		if _, _, err := r.UnitNames(ctx, unitID, pointB); !problem.Is(err, problem.NotFound) {
			t.Errorf("name of a point that is off: got %v, want not found", err)
		}
		units, err := r.Units(ctx)
		MustDo(t, err)
		if diff := cmp.Diff(units, []directory.Unit{centro(a)}); diff != "" {
			t.Errorf("units: got, want\n%s", diff)
		}
		unit, err := r.Unit(ctx, unitID)
		MustDo(t, err)
		if p, ok := unit.CarePoint(pointB); !ok || p.Active || p.Name != "Balcão 2" {
			t.Errorf("point that is off: got %+v, %v; earlier requests name it", p, ok)
		}
	})
	t.Run("ErrInactive", func(t *testing.T) {
		off := centro(a)
		off.Active = false
		MustDo(t, r.PutUnits(ctx, off))
		if _, _, err := r.UnitNames(ctx, unitID, pointA); !problem.Is(err, problem.NotFound) {
			t.Errorf("name of a unit that is off: got %v, want not found", err)
		}
		if units, err := r.Units(ctx); len(units) != 0 || err != nil {
			t.Errorf("units: got %v, %v, want none", units, err)
		}
	})
	t.Run("ErrInvalid", func(t *testing.T) {
		if err := r.PutUnits(ctx, centro(directory.CarePoint{Name: "Sem identificador"})); len(problem.FieldsOf(err)) != 1 {
			t.Errorf("a point without identifier: got %v, want one field", err)
		}
		err := r.PutUnits(ctx, directory.Unit{UID: uuid.New(), Name: "Boa", Active: true}, directory.Unit{Name: " "})
		if got, want := len(problem.FieldsOf(err)), 2; got != want {
			t.Errorf("fields: got %d (%v), want %d", got, err, want)
		}
		if units, err := r.Units(ctx); len(units) != 0 || err != nil {
			t.Errorf("units: got %v, %v, want nothing stored", units, err)
		}
	})
}

func TestStore_PutProfessionals(t *testing.T) {
	ctx, r := t.Context(), MustDirectory(t)
	doctor := directory.Professional{
		UID: doctorID, Name: "Elisa Monteverde", Council: "CRM", CouncilNumber: "104552", State: "SP", Active: true,
		Specialties: []directory.Specialty{{ID: 7, Name: "Cardiologia", CBO: "225120"}, {ID: 3, Name: "Radiologia"}},
	}
	typed := doctor
	typed.Name, typed.Council, typed.State = " Elisa  Monteverde\n", "crm", " sp"
	MustDo(t, r.PutProfessionals(ctx, typed))

	t.Run("OK", func(t *testing.T) {
		got, err := r.Professionals(ctx)
		MustDo(t, err)
		if diff := cmp.Diff(got, []directory.Professional{doctor}); diff != "" {
			t.Errorf("professionals: got, want\n%s", diff)
		}
		name, specialty, err := r.ProfessionalNames(ctx, doctorID, 3)
		if name != doctor.Name || specialty != "Radiologia" || err != nil {
			t.Errorf("names: got %q, %q, %v", name, specialty, err)
		}
	})
	t.Run("Inactive", func(t *testing.T) {
		off := doctor
		off.UID, off.Active = uuid.New(), false
		MustDo(t, r.PutProfessionals(ctx, off))
		if got, err := r.Professional(ctx, off.UID); got.Name != doctor.Name || err != nil {
			t.Errorf("by identifier: got %+v, %v; earlier requests name it", got, err)
		}
		if _, _, err := r.ProfessionalNames(ctx, off.UID, 7); !problem.Is(err, problem.NotFound) {
			t.Errorf("name: got %v, want not found", err)
		}
		if got, err := r.Professionals(ctx); len(got) != 1 || err != nil {
			t.Errorf("listed: got %d, %v, want 1", len(got), err)
		}
	})
	t.Run("SpecialtiesReplaced", func(t *testing.T) {
		doctor.Specialties = doctor.Specialties[:1]
		MustDo(t, r.PutProfessionals(ctx, doctor))
		if _, _, err := r.ProfessionalNames(ctx, doctorID, 3); !problem.Is(err, problem.NotFound) {
			t.Errorf("specialty that went: got %v, want not found", err)
		}
	})
	t.Run("ErrTwice", func(t *testing.T) {
		doctor.Specialties = []directory.Specialty{{ID: 7, Name: "Cardiologia"}, {ID: 7, Name: "Outra"}}
		if err := r.PutProfessionals(ctx, doctor); !problem.Is(err, problem.Invalid) {
			t.Errorf("got %v, want invalid", err)
		}
	})
}

// TestStore_OldestCredentials: in the order in which they were registered.
func TestStore_OldestCredentials(t *testing.T) {
	s := newStore(storetest.Open(t, migrations.Desk, nil))
	var all []string
	for i := range 5 {
		c := directory.Credential{UID: uuid.New(), Name: string(rune('e' - i)), Active: i%2 == 0}
		MustDo(t, s.Write(t.Context(), func(tx directory.Tx) error { return tx.PutCredential(t.Context(), c) }))
		all = append(all, c.UID.String())
	}
	if got, err := s.OldestCredentials(t.Context(), 3); !slices.Equal(got, all[:3]) || err != nil {
		t.Errorf("got %v, %v, want %v", got, err, all[:3])
	}
}

func TestStore_SeeCredentials(t *testing.T) {
	ctx, r := t.Context(), MustDirectory(t)
	see := func(name string, biometrics bool) {
		t.Helper()
		MustDo(t, r.SeeCredentials(ctx, []authorization.Credential{
			{ID: planID.String(), Name: name, ProviderCode: "0042", Biometrics: biometrics},
			{ID: "nenhum-uuid", Name: "Outra"},
		}))
	}
	get := func() directory.Credential {
		t.Helper()
		c, err := r.Credential(ctx, planID)
		MustDo(t, err)
		return c
	}

	see("Vale Sereno", true)
	want := directory.Credential{UID: planID, Name: "Vale Sereno", ProviderCode: "0042", Biometrics: true, Active: true}
	if diff := cmp.Diff(get(), want); diff != "" {
		t.Fatalf("first seen: got, want\n%s", diff)
	}
	see("Vale Sereno Saúde", false)
	if got := get(); got.Name != "Vale Sereno Saúde" || got.Biometrics {
		t.Fatalf("seen again: got %+v, want the service's word", got)
	}

	set := get()
	set.Biometrics, set.ValidityRequired, set.CardPattern, set.Indication = true, true, `\d{4}`, "Rotina"
	set.BiometricsHow, set.Phone = "No leitor do balcão.\nDedo indicador.", "0800 000 0404"
	MustDo(t, r.PutCredential(ctx, set))
	see("Vale Sereno II", false)
	set.Name = "Vale Sereno II"
	if diff := cmp.Diff(get(), set); diff != "" {
		t.Errorf("seen after an administrator decided: got, want\n%s", diff)
	}

	rules, err := r.Rules(ctx, planID)
	MustDo(t, err)
	if !rules.ValidityRequired || !rules.CardPattern.MatchString("1234") || rules.CardPattern.MatchString("12345") {
		t.Errorf("rules: got %+v, want the pattern over the whole card", rules)
	}
	if rules, err := r.Rules(ctx, uuid.New()); !reflect.DeepEqual(rules, authorization.Rules{}) || err != nil {
		t.Errorf("rules of a credential never seen: got %+v, %v, want none", rules, err)
	}
	if got, err := r.Credentials(ctx); len(got) != 1 || err != nil {
		t.Errorf("listed: got %v, %v, want one", got, err)
	}
	off := set
	off.Active = false
	MustDo(t, r.PutCredential(ctx, off))
	if _, err := r.CredentialName(ctx, planID); !problem.Is(err, problem.NotFound) {
		t.Errorf("name of a credential that is off: got %v, want not found", err)
	}
	set.CardPattern = "("
	if err := r.PutCredential(ctx, set); !problem.Is(err, problem.Invalid) {
		t.Errorf("pattern that is none: got %v, want invalid", err)
	}
}

// TestStore_PutCredential_TooLong: what is too long is told by its field, in characters.
func TestStore_PutCredential_TooLong(t *testing.T) {
	ctx, r := t.Context(), MustDirectory(t)
	as := func(n int) string { return strings.Repeat("á", n) }
	whole := directory.Credential{UID: planID, Name: "Vale Sereno", CardPattern: as(200), Indication: as(2000),
		BiometricsHow: as(500), Phone: as(60)}
	MustDo(t, r.PutCredential(ctx, whole))
	for field, lengthen := range map[string]func(*directory.Credential){
		"padraoCarteira":      func(c *directory.Credential) { c.CardPattern += "á" },
		"indicacaoClinica":    func(c *directory.Credential) { c.Indication += "á" },
		"instrucoesBiometria": func(c *directory.Credential) { c.BiometricsHow += "á" },
		"telefone":            func(c *directory.Credential) { c.Phone += "á" },
	} {
		long := whole
		lengthen(&long)
		if got := problem.FieldsOf(r.PutCredential(ctx, long)); len(got) != 1 || got[0].Path != field || got[0].Code != "limite" {
			t.Errorf("got %v, want one of %s", got, field)
		}
	}
}
