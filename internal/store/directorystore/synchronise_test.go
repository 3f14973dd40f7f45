package directorystore_test

import (
	cmpstd "cmp"
	"context"
	"errors"
	"testing"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/directory"
	"guiche/internal/problem"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
)

// lister is a service that lists what it is told to.
type lister struct {
	service                    string // "" is the usual one
	units                      []authorization.ListedUnit
	professionals              []authorization.ListedProfessional
	unitsErr, professionalsErr error
}

func (l *lister) Service() string { return cmpstd.Or(l.service, "https://servico:443") }

func (l *lister) Units(context.Context) ([]authorization.ListedUnit, error) {
	return l.units, l.unitsErr
}

func (l *lister) Professionals(context.Context) ([]authorization.ListedProfessional, error) {
	return l.professionals, l.professionalsErr
}

var (
	northID   = uuid.MustParse("01970000-0000-7000-8000-000000000002")
	pointN    = uuid.MustParse("01970000-0000-7000-8000-000000000013")
	nurseID   = uuid.MustParse("01970000-0000-7000-8000-000000000022")
	errNoList = problem.New(problem.NotFound, "não tem")
)

// wholeService lists two units and one professional.
func wholeService() *lister {
	return &lister{
		units: []authorization.ListedUnit{
			{ID: unitID.String(), Name: " Centro ", CarePoints: []authorization.ListedCarePoint{{ID: pointA.String(),
				Name: "Balcão 1"}, {ID: pointB.String(), Name: "Balcão 2"}}},
			{ID: northID.String(), Name: "Norte", CarePoints: []authorization.ListedCarePoint{{ID: pointN.String(), Name: "Sala"}}},
		},
		professionals: []authorization.ListedProfessional{{ID: doctorID.String(), Name: "Elisa Monteverde", Council: "crm",
			CouncilNumber: "104552", State: "SP",
			Specialties: []authorization.ListedSpecialty{{ID: 7, Name: "Cardiologia", CBO: "225120"}}}},
	}
}

// MustSynchronise agrees to what is shown and does it.
func (tr *trailed) MustSynchronise(tb testing.TB, from directory.Lister) directory.Comparison {
	tb.Helper()
	shown, err := tr.Compare(context.Background(), from)
	MustDo(tb, err)
	seen, err := shown.Fingerprint()
	MustDo(tb, err)
	done, err := tr.Synchronise(context.Background(), admin, from, seen)
	MustDo(tb, err)
	if diff := cmp.Diff(shown, done); diff != "" {
		tb.Errorf("shown, done\n%s", diff)
	}
	return done
}

// everything returns all that is kept.
func (tr *trailed) everything(tb testing.TB) ([]directory.Unit, []directory.Professional) {
	tb.Helper()
	units, err := tr.ListUnits(context.Background(), "")
	MustDo(tb, err)
	professionals, err := tr.ListProfessionals(context.Background(), "")
	MustDo(tb, err)
	return units, professionals
}

func TestDirectory_Synchronise(t *testing.T) {
	tr, told := MustTrailed(t), 0
	done := tr.MustSynchronise(t, wholeService())
	if len(done.Units.Changes) != 2 || len(done.Professionals.Changes) != 1 || done.Units.Changes[0].Event != audit.DirectoryAdded ||
		!done.Units.Offered || !done.Professionals.Offered {
		t.Errorf("got %+v", done)
	}
	units, professionals := tr.everything(t)
	wantUnits := []directory.Unit{
		{UID: unitID, Name: "Centro", Active: true, SyncState: directory.Listed, CarePoints: []directory.CarePoint{
			{UID: pointA, Name: "Balcão 1", Active: true, SyncState: directory.Listed},
			{UID: pointB, Name: "Balcão 2", Active: true, SyncState: directory.Listed}}},
		{UID: northID, Name: "Norte", Active: true, SyncState: directory.Listed,
			CarePoints: []directory.CarePoint{{UID: pointN, Name: "Sala", Active: true, SyncState: directory.Listed}}},
	}
	wantProfessionals := []directory.Professional{{UID: doctorID, Name: "Elisa Monteverde", Council: "CRM",
		CouncilNumber: "104552", State: "SP", Active: true,
		SyncState: directory.Listed, Specialties: []directory.Specialty{{ID: 7, Name: "Cardiologia", CBO: "225120"}}}}
	if diff := cmp.Diff(wantUnits, units) + cmp.Diff(wantProfessionals, professionals); diff != "" {
		t.Errorf("the service's own identifiers (-want +got):\n%s", diff)
	}
	by := func(event audit.Event, object string, id uuid.UUID, detail string) audit.Entry {
		return audit.Entry{Actor: admin.User, Event: event, Object: object, ObjectID: id, Detail: detail}
	}
	tr.MustTold(t, &told, by(audit.DirectoryAdded, audit.ObjectUnit, unitID, ""), by(audit.DirectoryAdded, audit.ObjectUnit, northID, ""),
		by(audit.DirectoryAdded, audit.ObjectProfessional, doctorID, ""),
		by(audit.DirectorySynchronised, audit.ObjectUnit, uuid.Nil, "unidades=2 executantes=1 novos=3 alterados=0 desativados=0 reativados=0"))

	t.Run("Repeated", func(t *testing.T) {
		if again := tr.MustSynchronise(t, wholeService()); !again.Empty() {
			t.Errorf("got %+v, want nothing to do", again)
		}
		tr.MustTold(t, &told)
	})
	t.Run("Followed", func(t *testing.T) {
		changed := wholeService()
		changed.units[0].Name, changed.units[0].CarePoints[0].Name = "Sede", "Recepção"
		changed.professionals[0].Specialties = []authorization.ListedSpecialty{{ID: 7, Name: "Cardiologia"}, {ID: 3, Name: "Radiologia"}}
		changed.professionals[0].CouncilNumber, changed.professionals[0].State = "", "Sampa"
		done := tr.MustSynchronise(t, changed)
		want := []directory.Difference{{Field: directory.FieldName, Before: "Centro", After: "Sede"},
			{Field: directory.FieldCarePoint, Before: "Balcão 1", After: "Recepção"}}
		if diff := cmp.Diff(want, done.Units.Changes[0].Differences); diff != "" || len(done.Units.Changes) != 1 {
			t.Errorf("shown (-want +got):\n%s", diff)
		}
		_, professionals := tr.everything(t)
		want2 := wantProfessionals[0]
		want2.Specialties = []directory.Specialty{{ID: 7, Name: "Cardiologia", CBO: "225120"}, {ID: 3, Name: "Radiologia"}}
		if diff := cmp.Diff(want2, professionals[0]); diff != "" {
			t.Errorf("what the service does not say stays (-want +got):\n%s", diff)
		}
		done = tr.MustSynchronise(t, wholeService())
		gone := []directory.Difference{{Field: directory.FieldSpecialty, Before: "3 Radiologia"}}
		if diff := cmp.Diff(gone, done.Professionals.Changes[0].Differences); diff != "" {
			t.Errorf("a specialty that goes is shown (-want +got):\n%s", diff)
		}
	})
	t.Run("Registration", func(t *testing.T) {
		moved := wholeService()
		moved.professionals[0].Council, moved.professionals[0].CouncilNumber, moved.professionals[0].State = "COREN", "77", "RJ"
		moved.professionals[0].Name, moved.professionals[0].Specialties = "Elisa Prado", nil
		done := tr.MustSynchronise(t, moved)
		want := []directory.Difference{{Field: directory.FieldName, Before: "Elisa Monteverde", After: "Elisa Prado"},
			{Field: directory.FieldCouncil, Before: "CRM 104552 SP", After: "COREN 77 RJ"}}
		if diff := cmp.Diff(want, done.Professionals.Changes[0].Differences); diff != "" {
			t.Errorf("shown (-want +got):\n%s", diff)
		}
		tr.MustSynchronise(t, wholeService())
		if _, professionals := tr.everything(t); !cmp.Equal(wantProfessionals, professionals) {
			t.Errorf("got %+v, want %+v", professionals, wantProfessionals)
		}
	})
}

// What the service never listed stays as it is; what it listed once goes, and comes
// back with it.
func TestDirectory_Synchronise_Gone(t *testing.T) {
	ctx, tr := t.Context(), MustTrailed(t)
	own := uuid.MustParse("01970000-0000-7000-8000-0000000000f1")
	MustDo(t, tr.AddUnit(ctx, admin, directory.Unit{UID: own, Name: "Só nossa"}))
	MustDo(t, tr.AddUnit(ctx, admin, centro(directory.CarePoint{UID: pointA, Name: "Balcão 1", Active: true},
		directory.CarePoint{Name: "Nosso", Active: true})))
	ownDoctor := uuid.MustParse("01970000-0000-7000-8000-0000000000f2")
	MustDo(t, tr.AddProfessional(ctx, admin, directory.Professional{UID: ownDoctor, Name: "Só nosso"}))
	first := tr.MustSynchronise(t, wholeService())
	if diff := cmp.Diff([]string{"Só nossa"}, first.Units.Local) + cmp.Diff([]string{"Só nosso"}, first.Professionals.Local); diff != "" {
		t.Errorf("alone (-want +got):\n%s", diff)
	}
	less := wholeService()
	less.units, less.professionals = less.units[:1],
		append(less.professionals[:0:0], authorization.ListedProfessional{ID: nurseID.String(), Name: "Outra"})
	less.units[0].CarePoints = less.units[0].CarePoints[:1]
	gone := tr.MustSynchronise(t, less)
	if n := len(gone.Units.Changes); n != 2 || gone.Units.Changes[1].Event != audit.DirectoryDisabled ||
		gone.Professionals.Changes[1].Event != audit.DirectoryDisabled {
		t.Errorf("got %+v", gone)
	}
	if diff := cmp.Diff([]directory.Difference{{Field: directory.FieldCarePoint, Before: "Balcão 2"}},
		gone.Units.Changes[0].Differences); diff != "" {
		t.Errorf("a point that goes is shown (-want +got):\n%s", diff)
	}
	state := func() map[string]bool {
		active := map[string]bool{}
		units, professionals := tr.everything(t)
		for _, u := range units {
			active[u.Name] = u.Active
			for _, p := range u.CarePoints {
				active[p.Name] = p.Active
			}
		}
		for _, p := range professionals {
			active[p.Name] = p.Active
		}
		return active
	}
	want := map[string]bool{"Só nossa": true, "Só nosso": true, "Nosso": true, "Centro": true, "Balcão 1": true, "Balcão 2": false,
		"Norte": false, "Sala": true, "Elisa Monteverde": false, "Outra": true}
	if diff := cmp.Diff(want, state()); diff != "" {
		t.Errorf("active (-want +got):\n%s", diff)
	}
	if again := tr.MustSynchronise(t, less); !again.Empty() {
		t.Errorf("again: got %+v, want nothing to do", again)
	}
	t.Run("EmptyList", func(t *testing.T) {
		if c := tr.MustSynchronise(t, &lister{}); len(c.Units.Changes)+len(c.Professionals.Changes) != 0 {
			t.Errorf("got %+v: an empty list switches nothing off", c)
		}
	})
	t.Run("SwitchedOffHere", func(t *testing.T) {
		MustDo(t, tr.SwitchUnit(ctx, admin, unitID, false))
		tr.MustSynchronise(t, wholeService())
		want := map[string]bool{"Só nossa": true, "Só nosso": true, "Nosso": true, "Centro": false, "Balcão 1": true, "Balcão 2": true,
			"Norte": true, "Sala": true, "Elisa Monteverde": true, "Outra": false}
		if diff := cmp.Diff(want, state()); diff != "" {
			t.Errorf("what came back, and what an administrator switched off (-want +got):\n%s", diff)
		}
	})
}

// What one service listed says nothing about another: to that one it is ours alone.
func TestDirectory_Synchronise_OtherService(t *testing.T) {
	ctx, tr := t.Context(), MustTrailed(t)
	tr.MustSynchronise(t, wholeService())
	other := &lister{service: "https://outro:443", units: wholeService().units[1:]}
	done := tr.MustSynchronise(t, other)
	if len(done.Units.Changes)+len(done.Professionals.Changes) != 0 {
		t.Errorf("got %+v, want what the other service does not know left as it is", done)
	}
	if diff := cmp.Diff([]string{"Centro"}, done.Units.Local); diff != "" {
		t.Errorf("alone (-want +got):\n%s", diff)
	}
	units, professionals := tr.everything(t)
	if units[0].SyncState != directory.Local || units[0].CarePoints[0].SyncState != directory.Local ||
		units[1].SyncState != directory.Listed || professionals[0].SyncState != directory.Local {
		t.Errorf("got %+v and %+v", units, professionals)
	}
	for from, want := range map[*lister]bool{other: true, wholeService(): false} {
		if got, professionals, err := tr.Synchronised(ctx, from); got != want || professionals || err != nil {
			t.Errorf("%s: got %t, %t, error %v, want units %t", from.Service(), got, professionals, err, want)
		}
	}
}

// A failure leaves everything as it was, and so does a list that changed under the
// eyes of whoever agreed to it.
func TestDirectory_Synchronise_Refused(t *testing.T) {
	ctx, tr := t.Context(), MustTrailed(t)
	shown, err := tr.Compare(ctx, wholeService())
	MustDo(t, err)
	seen, err := shown.Fingerprint()
	MustDo(t, err)
	down := errors.New("down")
	changed := wholeService()
	changed.units[1].Name = "Outro"
	for name, c := range map[string]struct {
		from *lister
		trip bool
		want func(error) bool
	}{
		"UnitsFail": {&lister{unitsErr: down}, false, func(err error) bool { return errors.Is(err, down) }},
		"ProfessionalsFail": {&lister{units: wholeService().units, professionalsErr: down}, false,
			func(err error) bool { return errors.Is(err, down) }},
		"NeitherList": {&lister{unitsErr: errNoList, professionalsErr: errNoList}, false,
			func(err error) bool { return problem.Is(err, problem.NotFound) }},
		"Changed":    {changed, false, func(err error) bool { return problem.Is(err, problem.Conflict) }},
		"TrailFails": {wholeService(), true, func(err error) bool { return err != nil }},
	} {
		t.Run(name, func(t *testing.T) {
			tr.broken = c.trip
			defer func() { tr.broken = false }()
			if _, err := tr.Synchronise(ctx, admin, c.from, seen); !c.want(err) {
				t.Errorf("got %v", err)
			}
			if units, professionals := tr.everything(t); len(units)+len(professionals) != 0 {
				t.Errorf("got %v and %v kept", units, professionals)
			}
		})
	}
	t.Run("OneList", func(t *testing.T) {
		half := wholeService()
		half.professionalsErr = errNoList
		if c := tr.MustSynchronise(t, half); c.Professionals.Offered || len(c.Units.Changes) != 2 {
			t.Errorf("got %+v", c)
		}
	})
}

// What cannot be taken is told and left; the rest is taken.
func TestDirectory_Synchronise_Left(t *testing.T) {
	ctx, tr := t.Context(), MustTrailed(t)
	MustDo(t, tr.AddUnit(ctx, admin, centro(directory.CarePoint{UID: pointA, Name: "Balcão 1", Active: true})))
	odd := &lister{
		units: []authorization.ListedUnit{
			{ID: "17", Name: "Sem UUID"},
			{ID: northID.String(), Name: "Norte", CarePoints: []authorization.ListedCarePoint{{ID: pointA.String(), Name: "Alheio"},
				{ID: northID.String(), Name: "Ponto igual à unidade"}, {ID: pointB.String()}}},
			{ID: northID.String(), Name: "Norte de novo"},
			{ID: unitID.String()},
		},
		professionals: []authorization.ListedProfessional{{ID: doctorID.String(), Name: "Elisa", Council: "ABC", State: "XX",
			Specialties: []authorization.ListedSpecialty{{ID: 3, Name: "Radiologia", CBO: "x"}, {Name: "Sem número"},
				{ID: 3, Name: "Outra"}, {ID: 4}}}},
	}
	done := tr.MustSynchronise(t, odd)
	var reasons []string
	for _, l := range done.Skipped {
		reasons = append(reasons, l.Name+"|"+l.Reason)
	}
	want := []string{"Sem UUID|O identificador não é um UUID.",
		"Alheio|Este ponto de atendimento é de outra unidade no Guichê.", "|Informe o nome do ponto de atendimento.",
		"Norte de novo|O identificador aparece duas vezes.", "|Informe o nome da unidade.",
		"Elisa: Sem número|A especialidade não tem número.",
		"Elisa: Outra|O número da especialidade aparece duas vezes.", "Elisa:|Informe o nome da especialidade."}
	if diff := cmp.Diff(want, reasons); diff != "" {
		t.Errorf("left (-want +got):\n%s", diff)
	}
	units, professionals := tr.everything(t)
	if len(units) != 2 || units[0].Name != "Centro" || len(units[0].CarePoints) != 1 || len(units[1].CarePoints) != 1 {
		t.Errorf("got %+v, want what could be read, and what could not as it was", units)
	}
	wantDoctor := directory.Professional{UID: doctorID, Name: "Elisa", Active: true, SyncState: directory.Listed,
		Specialties: []directory.Specialty{{ID: 3, Name: "Radiologia"}}}
	if diff := cmp.Diff([]directory.Professional{wantDoctor}, professionals); diff != "" {
		t.Errorf("professionals (-want +got):\n%s", diff)
	}
	if again := tr.MustSynchronise(t, odd); !again.Empty() {
		t.Errorf("again: got %+v", again)
	}
}

// What was taken once stays as it is while the service lists it without what it takes: a care
// point and a specialty as well as a unit.
func TestDirectory_Synchronise_PartUnread(t *testing.T) {
	tr, from := MustTrailed(t), wholeService()
	from.professionals[0].Specialties = append(from.professionals[0].Specialties, authorization.ListedSpecialty{ID: 3, Name: "Radiologia"})
	tr.MustSynchronise(t, from)
	units, professionals := tr.everything(t)
	from.units[0].CarePoints[1].Name = ""
	from.professionals[0].Specialties[1].Name = " "
	done := tr.MustSynchronise(t, from)
	if len(done.Skipped) != 2 || !done.Empty() {
		t.Errorf("got %+v, want two that are told, and nothing to do", done)
	}
	nowUnits, nowProfessionals := tr.everything(t)
	if diff := cmp.Diff(units, nowUnits) + cmp.Diff(professionals, nowProfessionals); diff != "" {
		t.Errorf("before, after\n%s", diff)
	}
}
