package servicestore_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"guiche/internal/problem"
	"guiche/internal/service"

	"github.com/google/uuid"
)

func TestStore_PutUnit(t *testing.T) {
	f := MustStore(t)
	door, lab := service.CarePoint{ID: uuid.New(), Name: "Recepção"}, service.CarePoint{ID: uuid.New(), Name: "Coleta", Disabled: true}
	unit := service.Unit{ID: uuid.New(), Name: "Centro", Points: []service.CarePoint{door, lab}}
	must(t, f.PutUnit(t.Context(), unit))
	if got, err := f.Unit(t.Context(), unit.ID); err != nil || !reflect.DeepEqual(got, unit) {
		t.Errorf("got %+v, %v, want %+v", got, err, unit)
	}
	unit.Points = []service.CarePoint{{ID: lab.ID, Name: "Coleta nova"}}
	must(t, f.PutUnit(t.Context(), unit))
	want := []service.CarePoint{{ID: door.ID, Name: "Recepção", Disabled: true}, {ID: lab.ID, Name: "Coleta nova"}}
	if got, err := f.Unit(t.Context(), unit.ID); err != nil || !slices.Equal(got.Points, want) {
		t.Errorf("one is no longer listed: got %+v, %v, want %+v", got.Points, err, want)
	}
	if _, err := f.Unit(t.Context(), door.ID); !problem.Is(err, problem.NotFound) {
		t.Errorf("unknown: got %v, want %s", err, problem.NotFound)
	}
}

func TestStore_PutProfessional(t *testing.T) {
	f := MustStore(t)
	p := service.Professional{ID: uuid.New(), Name: "Ana Luz", Council: "CRM", Number: "88123", State: "SP", Specialties: []service.Specialty{
		{ID: 2, Name: "Cardiologia", CBO: "225120"}, {ID: 7, Name: "Clínica médica"}}}
	must(t, f.PutProfessional(t.Context(), p))
	if got, err := f.Professional(t.Context(), p.ID); err != nil || !reflect.DeepEqual(got, p) {
		t.Errorf("got %+v, %v, want %+v", got, err, p)
	}
	must(t, f.PutProfessional(t.Context(), service.Professional{ID: p.ID, Name: "Ana Luz", Specialties: p.Specialties[1:], Disabled: true}))
	p.Specialties[0].Disabled = true
	if got, err := f.Professional(t.Context(), p.ID); err != nil || !slices.Equal(got.Specialties, p.Specialties) ||
		!got.Disabled || got.Council != "" {
		t.Errorf("one is no longer listed: got %+v, %v, want %+v", got, err, p.Specialties)
	}
	if _, err := f.Professional(t.Context(), uuid.New()); !problem.Is(err, problem.NotFound) {
		t.Errorf("unknown: got %v, want %s", err, problem.NotFound)
	}
}

// TestStore_Change: a change is one of the entry as it stands, and one that is given up leaves it so.
func TestStore_Change(t *testing.T) {
	f, given := MustStore(t), errors.New("given up")
	credential := service.Credential{ID: uuid.New(), EligibilityID: uuid.New(), Name: "Aroeira", Operator: "simulado", Disabled: true}
	unit := service.Unit{ID: uuid.New(), Name: "Centro", Disabled: true, Points: []service.CarePoint{{ID: uuid.New(), Name: "Coleta"}}}
	professional := service.Professional{ID: uuid.New(), Name: "Ana Luz", Disabled: true,
		Specialties: []service.Specialty{{ID: 2, Name: "Cardiologia"}}}
	must(t, f.PutCredential(t.Context(), credential))
	must(t, f.PutUnit(t.Context(), unit))
	must(t, f.PutProfessional(t.Context(), professional))
	change := func(id [3]uuid.UUID, name string, err error) [3]error {
		return [3]error{
			f.ChangeCredential(t.Context(), id[0], func(now service.Credential) (service.Credential, error) { now.Name = name; return now, err }),
			f.ChangeUnit(t.Context(), id[1], func(now service.Unit) (service.Unit, error) { now.Name = name; return now, err }),
			f.ChangeProfessional(t.Context(), id[2], func(now service.Professional) (service.Professional, error) {
				now.Name = name
				return now, err
			}),
		}
	}
	ids := [3]uuid.UUID{credential.ID, unit.ID, professional.ID}
	if got := change(ids, "Outro nome", nil); got != [3]error{} {
		t.Errorf("got %v", got)
	}
	for i, err := range change(ids, "Terceiro nome", given) {
		if !errors.Is(err, given) {
			t.Errorf("%d, given up: got %v", i, err)
		}
	}
	for i, err := range change([3]uuid.UUID{uuid.New(), uuid.New(), uuid.New()}, "Ninguém", nil) {
		if !problem.Is(err, problem.NotFound) {
			t.Errorf("%d, unknown: got %v, want %s", i, err, problem.NotFound)
		}
	}
	credential.Name, unit.Name, professional.Name = "Outro nome", "Outro nome", "Outro nome"
	got, err := f.References(t.Context(), credential.ID, unit.ID, professional.ID)
	want := service.References{Credential: credential, Unit: unit, Professional: professional}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
}

func TestStore_Units(t *testing.T) {
	f := MustStore(t)
	for _, u := range []service.Unit{{Name: "Zona Sul"},
		{Name: "água Verde", Points: []service.CarePoint{{ID: uuid.New(), Name: "Coleta"}}}, {Name: "Antiga", Disabled: true}} {
		u.ID = uuid.New()
		must(t, f.PutUnit(t.Context(), u))
	}
	for name, c := range map[string]struct {
		query service.DirectoryQuery
		want  []string
		total int
	}{
		"Usable":      {service.DirectoryQuery{}, []string{"água Verde", "Zona Sul"}, 2},
		"All":         {service.DirectoryQuery{Disabled: true}, []string{"água Verde", "Antiga", "Zona Sul"}, 3},
		"Name":        {service.DirectoryQuery{Text: " AGUA  ver "}, []string{"água Verde"}, 1},
		"Point":       {service.DirectoryQuery{Text: "coléta agua"}, []string{"água Verde"}, 1},
		"NotDisabled": {service.DirectoryQuery{Text: "antiga"}, nil, 0},
		"Disabled":    {service.DirectoryQuery{Text: "antiga", Disabled: true}, []string{"Antiga"}, 1},
		"Sign":        {service.DirectoryQuery{Text: "%", Disabled: true}, nil, 0},
		"Page":        {service.DirectoryQuery{Disabled: true, Page: 2, Size: 2}, []string{"Zona Sul"}, 3},
		"Beyond":      {service.DirectoryQuery{Disabled: true, Page: 9, Size: 2}, nil, 3},
		"NoPage":      {service.DirectoryQuery{Size: 1}, []string{"água Verde"}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			found, err := f.Units(t.Context(), c.query)
			var got []string
			for _, u := range found.Items {
				got = append(got, u.Name)
			}
			if err != nil || !slices.Equal(got, c.want) || found.Total != c.total {
				t.Errorf("got %q of %d, %v; want %q of %d", got, found.Total, err, c.want, c.total)
			}
		})
	}
}

func TestStore_Professionals(t *testing.T) {
	f := MustStore(t)
	for i := range 3 {
		must(t, f.PutProfessional(t.Context(), service.Professional{ID: uuid.New(), Name: fmt.Sprintf("Médica %d", i),
			Council: "CRM", Number: fmt.Sprint(100 + i), State: "SP",
			Disabled: i == 2, Specialties: []service.Specialty{{ID: i + 1, Name: []string{"Cardiologia", "Pediatria", "Geriatria"}[i]}}}))
	}
	for text, want := range map[string]int{"": 2, "medica": 2, "crm 101": 1, "pediatria": 1, "geriatria": 0, "sp 100 cardio": 1, "rj": 0} {
		found, err := f.Professionals(t.Context(), service.DirectoryQuery{Text: text})
		if err != nil || len(found.Items) != want {
			t.Errorf("%q: got %d, %v, want %d", text, len(found.Items), err, want)
		}
		for _, p := range found.Items {
			if len(p.Specialties) != 1 {
				t.Errorf("%q: %s came with %d specialties", text, p.Name, len(p.Specialties))
			}
		}
	}
}

// TestStore_References: each is found as alone, and what is not there is nothing.
func TestStore_References(t *testing.T) {
	f := MustStore(t)
	credential := service.Credential{ID: uuid.New(), EligibilityID: uuid.New(), Name: "Aroeira", Operator: "simulado"}
	unit := service.Unit{ID: uuid.New(), Name: "Centro", Points: []service.CarePoint{{ID: uuid.New(), Name: "Recepção"}}}
	professional := service.Professional{ID: uuid.New(), Name: "Ana Luz", Specialties: []service.Specialty{{ID: 2, Name: "Cardiologia"}}}
	must(t, f.PutCredential(t.Context(), credential))
	must(t, f.PutUnit(t.Context(), unit))
	must(t, f.PutProfessional(t.Context(), professional))
	got, err := f.References(t.Context(), credential.ID, unit.ID, professional.ID)
	if err != nil || got.Credential.Name != credential.Name || !reflect.DeepEqual(got.Unit, unit) ||
		!reflect.DeepEqual(got.Professional, professional) {
		t.Errorf("got %+v, %v", got, err)
	}
	for _, id := range []uuid.UUID{uuid.Nil, uuid.New()} {
		if got, err := f.References(t.Context(), id, id, id); err != nil || !reflect.DeepEqual(got, service.References{}) {
			t.Errorf("%s: got %+v, %v, want nothing", id, got, err)
		}
	}
	f.mustExec(t, `UPDATE professional SET name = 'Ana Luzia'`)
	if _, err := f.References(t.Context(), credential.ID, unit.ID, professional.ID); !problem.Is(err, problem.Damaged) {
		t.Errorf("damaged: got %v", err)
	}
}
