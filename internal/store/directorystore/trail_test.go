package directorystore_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/directory"
	"guiche/internal/permission"
	"guiche/internal/problem"
	"guiche/internal/store/auditlog"
	"guiche/internal/store/directorystore"
	"guiche/internal/store/engine"
	"guiche/internal/store/storetest"
	"guiche/migrations"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"
)

var admin = permission.Actor{User: uuid.MustParse("01970000-0000-7000-8000-0000000000aa"),
	Roles: []permission.Role{permission.Administration}}

// trailed is the directory with its audit trail.
type trailed struct {
	*directory.Directory
	log    *auditlog.Log
	broken bool   // the trail takes no more entries
	noted  func() // called when it took one
}

// Append implements directorystore.Trail.
func (tr *trailed) Append(ctx context.Context, tx *engine.Tx, e audit.Entry) error {
	if tr.broken {
		return errors.New("the trail is full")
	}
	err := tr.log.Append(ctx, tx, e)
	if tr.noted != nil {
		tr.noted()
	}
	return err
}

func MustTrailed(tb testing.TB) *trailed {
	tb.Helper()
	db := storetest.Open(tb, migrations.Desk, nil)
	tr := &trailed{log: auditlog.New(db, audit.Key{1})}
	tr.Directory = directory.New(directorystore.New(db, tr))
	return tr
}

// MustTold checks the entries since the last call, oldest first.
func (tr *trailed) MustTold(tb testing.TB, told *int, want ...audit.Entry) {
	tb.Helper()
	links, err := tr.log.List(context.Background(), auditlog.Filter{Limit: 500})
	MustDo(tb, err)
	slices.Reverse(links)
	var got []audit.Entry
	for _, l := range links[*told:] {
		got = append(got, l.Entry)
	}
	*told = len(links)
	if diff := cmp.Diff(got, want, cmpopts.IgnoreFields(audit.Entry{}, "At")); diff != "" {
		tb.Errorf("trail: got, want\n%s", diff)
	}
}

func TestDirectory_UnitTrail(t *testing.T) {
	ctx, tr, told := t.Context(), MustTrailed(t), 0
	entry := func(e audit.Event) audit.Entry {
		return audit.Entry{Actor: admin.User, Event: e, Object: audit.ObjectUnit, ObjectID: unitID}
	}
	point := directory.CarePoint{UID: pointA, Name: "Balcão 1", Active: true}
	MustDo(t, tr.AddUnit(ctx, admin, centro(point)))
	tr.MustTold(t, &told, entry(audit.DirectoryAdded))
	MustDo(t, tr.ChangeUnit(ctx, admin, centro(point), ""))
	tr.MustTold(t, &told) // nothing changed
	MustDo(t, tr.ChangeUnit(ctx, admin, directory.Unit{UID: unitID, Name: "Sede", CarePoints: []directory.CarePoint{point}}, ""))
	tr.MustTold(t, &told, entry(audit.DirectoryChanged))
	MustDo(t, tr.SwitchUnit(ctx, admin, unitID, false))
	MustDo(t, tr.SwitchUnit(ctx, admin, unitID, false))
	MustDo(t, tr.SwitchUnit(ctx, admin, unitID, true))
	tr.MustTold(t, &told, entry(audit.DirectoryDisabled), entry(audit.DirectoryEnabled))
	if u, err := tr.Unit(ctx, unitID); err != nil || !u.Active || u.Name != "Sede" {
		t.Errorf("got %+v, %v", u, err)
	}
	t.Run("ErrTaken", func(t *testing.T) {
		if err := tr.AddUnit(ctx, admin, centro()); len(problem.FieldsOf(err)) != 1 || problem.FieldsOf(err)[0].Path != "id" {
			t.Errorf("got %v, want a problem of id", err)
		}
	})
	t.Run("ErrPointOfAnotherUnit", func(t *testing.T) {
		err := tr.AddUnit(ctx, admin, directory.Unit{Name: "Outra", CarePoints: []directory.CarePoint{point}})
		if f := problem.FieldsOf(err); len(f) != 1 || f[0].Path != "pontosAtendimento[0].id" {
			t.Errorf("got %v, want a problem of the point", err)
		}
	})
	t.Run("ErrNotFound", func(t *testing.T) {
		for _, err := range []error{tr.SwitchUnit(ctx, admin, pointA, false),
			tr.ChangeUnit(ctx, admin, directory.Unit{UID: pointA, Name: "x"}, ""),
			tr.ChangeProfessional(ctx, admin, directory.Professional{UID: pointA, Name: "x"}, ""),
			tr.ChangeProcedure(ctx, admin, directory.Procedure{Code: "99999999", Name: "x"}, ""),
			tr.SetCredential(ctx, admin, directory.Credential{UID: pointA}, "")} {
			if !problem.Is(err, problem.NotFound) {
				t.Errorf("got %v, want not found", err)
			}
		}
	})
	tr.MustTold(t, &told) // what failed is not told
}

func TestDirectory_NoChangeWithoutItsEntry(t *testing.T) {
	ctx, tr := t.Context(), MustTrailed(t)
	MustDo(t, tr.AddUnit(ctx, admin, centro()))
	tr.broken = true
	if err := tr.SwitchUnit(ctx, admin, unitID, false); err == nil {
		t.Error("an act whose entry cannot be written succeeded")
	}
	if err := tr.PutUnits(ctx, directory.Unit{UID: doctorID, Name: "Outra", Active: true}); err == nil {
		t.Error("an import whose entry cannot be written succeeded")
	}
	units, err := tr.Units(ctx)
	MustDo(t, err)
	if len(units) != 1 {
		t.Errorf("got %+v, want what was there before", units)
	}
}

func TestDirectory_OtherTrails(t *testing.T) {
	ctx, tr, told := t.Context(), MustTrailed(t), 0
	doctor := directory.Professional{UID: doctorID, Name: "Elisa", Specialties: []directory.Specialty{{ID: 2, Name: "B"}, {ID: 1, Name: "A"}}}
	MustDo(t, tr.AddProfessional(ctx, admin, doctor))
	MustDo(t, tr.ChangeProfessional(ctx, admin, doctor, ""))
	MustDo(t, tr.SwitchProfessional(ctx, admin, doctorID, false))
	about := func(e audit.Event, object string, id uuid.UUID) audit.Entry {
		return audit.Entry{Actor: admin.User, Event: e, Object: object, ObjectID: id}
	}
	tr.MustTold(t, &told, about(audit.DirectoryAdded, audit.ObjectProfessional, doctorID),
		about(audit.DirectoryDisabled, audit.ObjectProfessional, doctorID))

	MustDo(t, tr.PutCredential(ctx, directory.Credential{UID: planID, Name: "Vale Sereno", Active: true}))
	told++ // the import's own entry
	MustDo(t, tr.SetCredential(ctx, admin, directory.Credential{UID: planID, Name: "not taken over", Biometrics: true,
		BiometricsHow: " No leitor. "}, ""))
	tr.MustTold(t, &told, about(audit.DirectoryChanged, audit.ObjectCredential, planID))
	c, err := tr.Credential(ctx, planID)
	MustDo(t, err)
	if c.Name != "Vale Sereno" || !c.Biometrics || c.BiometricsHow != "No leitor." || !c.Active {
		t.Errorf("got %+v", c)
	}

	MustDo(t, tr.AddProcedure(ctx, admin, directory.Procedure{Code: "4.01", Name: "Exame"}))
	MustDo(t, tr.ChangeProcedure(ctx, admin, directory.Procedure{Code: "4.01", Name: "Outro exame"}, ""))
	links, err := tr.log.List(ctx, auditlog.Filter{Limit: 2})
	MustDo(t, err)
	if links[0].Entry.ObjectID == uuid.Nil || links[0].Entry.ObjectID != links[1].Entry.ObjectID {
		t.Errorf("a procedure goes by %v and %v", links[0].Entry.ObjectID, links[1].Entry.ObjectID)
	}
	if err := tr.log.Verify(ctx); err != nil {
		t.Errorf("chain: %v", err)
	}
}

func TestDirectory_ImportTrail(t *testing.T) {
	ctx, tr, told := t.Context(), MustTrailed(t), 0
	procedures := []directory.Procedure{{Code: "1", Name: "A", Active: true}, {Code: "2", Name: "B", Active: true}}
	imported := func(detail string) audit.Entry {
		return audit.Entry{Event: audit.DirectoryImported, Object: audit.ObjectProcedure, Detail: detail}
	}
	MustDo(t, tr.PutProcedures(ctx, procedures...))
	tr.MustTold(t, &told, imported("novos=2 alterados=0"))
	MustDo(t, tr.PutProcedures(ctx, procedures...))
	MustDo(t, tr.PutProcedures(ctx))
	tr.MustTold(t, &told)
	procedures[0].Name = "C"
	MustDo(t, tr.PutProcedures(ctx, procedures...))
	tr.MustTold(t, &told, imported("novos=0 alterados=1"))
}

// source is a service that lists credentials.
type source struct {
	list []authorization.Credential
	err  error
	text string
}

func (s *source) SearchCredentials(_ context.Context, text string) ([]authorization.Credential, error) {
	s.text = text
	return s.list, s.err
}

func TestDirectory_AskCredentials(t *testing.T) {
	ctx, tr, told := t.Context(), MustTrailed(t), 0
	from := &source{text: "x", list: []authorization.Credential{{ID: planID.String(), Name: "Vale Sereno", Biometrics: true},
		{ID: "no identifier"}}}
	asked := audit.Entry{Actor: admin.User, Event: audit.DirectoryRefreshed, Object: audit.ObjectCredential, Detail: "credenciais=2"}
	n, err := tr.AskCredentials(ctx, admin, from)
	if n != 2 || err != nil || from.text != "" {
		t.Fatalf("got %d, %v; asked for %q", n, err, from.text)
	}
	tr.MustTold(t, &told, audit.Entry{Actor: admin.User, Event: audit.DirectoryAdded, Object: audit.ObjectCredential, ObjectID: planID}, asked)
	_, err = tr.AskCredentials(ctx, admin, from)
	MustDo(t, err)
	tr.MustTold(t, &told, asked)
	t.Run("SeenByTheProgram", func(t *testing.T) {
		from.list[0].Name = "Vale Sereno Saúde"
		MustDo(t, tr.SeeCredentials(ctx, from.list))
		tr.MustTold(t, &told, audit.Entry{Event: audit.DirectoryChanged, Object: audit.ObjectCredential, ObjectID: planID})
	})
	t.Run("Offered", func(t *testing.T) {
		MustDo(t, tr.SetCredential(ctx, admin, directory.Credential{UID: planID}, ""))
		got, err := tr.Offered(ctx, from.list)
		if err != nil || len(got) != 2 || got[0].Biometrics {
			t.Errorf("got %+v, %v; want the desk's own setting", got, err)
		}
		MustDo(t, tr.SwitchCredential(ctx, admin, planID, false))
		if got, err = tr.Offered(ctx, from.list); err != nil || len(got) != 1 || got[0].ID == planID.String() {
			t.Errorf("got %+v, %v; want it left out", got, err)
		}
	})
	t.Run("ErrService", func(t *testing.T) {
		from.err = problem.New(problem.Unavailable, "Fora do ar.")
		if _, err := tr.AskCredentials(ctx, admin, from); !problem.Is(err, problem.Unavailable) {
			t.Errorf("got %v, want the service's error", err)
		}
	})
}
