package directorystore_test

import (
	"testing"

	"guiche/internal/directory"
	"guiche/internal/problem"
)

// TestDirectory_UnitNames: in the form a unit is told from others by its name alone.
func TestDirectory_UnitNames(t *testing.T) {
	ctx, tr := t.Context(), MustTrailed(t)
	green, annex := directory.Unit{UID: unitID, Name: "Água Verde"}, directory.Unit{UID: doctorID, Name: "Anexo"}
	MustDo(t, tr.AddUnit(ctx, admin, green))
	MustDo(t, tr.AddUnit(ctx, admin, annex))
	refused := func(t *testing.T, err error) {
		t.Helper()
		if f := problem.FieldsOf(err); len(f) != 1 || f[0].Path != "nome" || f[0].Message != "Já existe uma unidade com este nome." {
			t.Errorf("got %v, want a problem of the name", err)
		}
	}
	t.Run("ErrAdd", func(t *testing.T) {
		refused(t, tr.AddUnit(ctx, admin, directory.Unit{Name: " AGUA   verde"}))
	})
	t.Run("ErrUnseenCharacters", func(t *testing.T) {
		refused(t, tr.AddUnit(ctx, admin, directory.Unit{Name: "\ufeffÁgua\u200b Ver\u00adde\u202c"}))
		if f := problem.FieldsOf(tr.AddUnit(ctx, admin, directory.Unit{Name: "\u200b\u202e"})); len(f) != 1 || f[0].Code != "obrigatorio" {
			t.Errorf("a name of nothing to be seen: got %v", f)
		}
	})
	t.Run("ErrRename", func(t *testing.T) {
		refused(t, tr.ChangeUnit(ctx, admin, directory.Unit{UID: annex.UID, Name: "agua verde"}, ""))
	})
	t.Run("OwnSpelling", func(t *testing.T) {
		MustDo(t, tr.ChangeUnit(ctx, admin, directory.Unit{UID: green.UID, Name: "ÁGUA VERDE"}, ""))
	})
	t.Run("ErrReactivate", func(t *testing.T) {
		MustDo(t, tr.SwitchUnit(ctx, admin, green.UID, false))
		MustDo(t, tr.ChangeUnit(ctx, admin, directory.Unit{UID: annex.UID, Name: "Água Verde"}, ""))
		refused(t, tr.SwitchUnit(ctx, admin, green.UID, true))
		MustDo(t, tr.ChangeUnit(ctx, admin, annex, ""))
		MustDo(t, tr.SwitchUnit(ctx, admin, green.UID, true))
	})
	t.Run("AsTheServiceHasIt", func(t *testing.T) {
		twin := directory.Unit{UID: pointA, Name: "Água Verde", Active: true}
		MustDo(t, tr.PutUnits(ctx, twin))
		twin.Phone = "(41) 3333-4444"
		MustDo(t, tr.ChangeUnit(ctx, admin, twin, ""))
	})
}

// TestDirectory_PointNames: in the form a care point is told from others of its unit by its name alone.
func TestDirectory_PointNames(t *testing.T) {
	ctx, tr := t.Context(), MustTrailed(t)
	desk := directory.CarePoint{UID: pointA, Name: "Recepção", Active: true}
	lab := directory.CarePoint{UID: pointB, Name: "recepcao", Active: true}
	off := func(p directory.CarePoint) directory.CarePoint { p.Active = false; return p }
	unit := func(points ...directory.CarePoint) directory.Unit {
		return directory.Unit{UID: unitID, Name: "Centro", Active: true, CarePoints: points}
	}
	change := func(points ...directory.CarePoint) error { return tr.ChangeUnit(ctx, admin, unit(points...), "") }
	refused := func(what string, err error, path string) {
		t.Helper()
		if f := problem.FieldsOf(err); len(f) != 1 || f[0].Path != path || f[0].Message != "Já existe um ponto com este nome nesta unidade." {
			t.Errorf("%s: got %v, want a problem of %s", what, err, path)
		}
	}
	refused("new unit", tr.AddUnit(ctx, admin, unit(directory.CarePoint{Name: "Coleta", Active: true},
		directory.CarePoint{Name: "\u200bCOLÉTA ", Active: true})), "pontosAtendimento[1].nome")
	MustDo(t, tr.AddUnit(ctx, admin, unit(desk)))
	refused("new point before the one that is there", change(lab, desk), "pontosAtendimento[0].nome")
	refused("new point of a form without the one that is there", change(lab), "pontosAtendimento[0].nome")
	MustDo(t, change(desk, off(lab)))
	refused("in use again", change(desk, lab), "pontosAtendimento[1].nome")
	MustDo(t, change(off(desk), lab))

	MustDo(t, tr.PutUnits(ctx, unit(desk, lab))) // as a service may have them
	kept := unit(desk, lab)
	kept.Phone = "(41) 3333-4444"
	MustDo(t, tr.ChangeUnit(ctx, admin, kept, ""))
	refused("a third", change(desk, lab, directory.CarePoint{Name: "Recepção", Active: true}), "pontosAtendimento[2].nome")
}

// TestDirectory_PastedProcedure: hyphens that a page was broken at do not hide a procedure.
func TestDirectory_PastedProcedure(t *testing.T) {
	ctx, tr := t.Context(), MustTrailed(t)
	MustDo(t, tr.AddProcedure(ctx, admin, directory.Procedure{Code: "40304361", Name: "Hemo\u00adgrama com\u00adpleto",
		Aliases: []string{"\u00ad"}}))
	found, err := tr.SearchProcedures(ctx, "hemograma completo", 5)
	if err != nil || len(found) != 1 || found[0].Name != "Hemograma completo" || len(found[0].Aliases) != 0 {
		t.Errorf("got %+v, %v", found, err)
	}
}

// TestDirectory_PartsByName: the form offers care points and specialties as a person looks for
// them, whatever accents they have.
func TestDirectory_PartsByName(t *testing.T) {
	ctx, tr := t.Context(), MustTrailed(t)
	MustDo(t, tr.AddUnit(ctx, admin, directory.Unit{UID: unitID, Name: "Sede", CarePoints: []directory.CarePoint{
		{Name: "Sala 1", Active: true}, {Name: " bal\u00adcão\t", Active: true}, {Name: "Área de coleta", Active: true}}}))
	u, err := tr.Unit(ctx, unitID)
	if err != nil || len(u.CarePoints) != 3 || u.CarePoints[0].Name != "Área de coleta" || u.CarePoints[1].Name != "balcão" {
		t.Errorf("got %+v, %v", u.CarePoints, err)
	}
	MustDo(t, tr.AddProfessional(ctx, admin, directory.Professional{UID: doctorID, Name: "Elisa", Specialties: []directory.Specialty{
		{ID: 1, Name: "Pediatria"}, {ID: 2, Name: "Órtese e prótese"}}}))
	p, err := tr.Professional(ctx, doctorID)
	if err != nil || len(p.Specialties) != 2 || p.Specialties[0].ID != 2 {
		t.Errorf("got %+v, %v", p.Specialties, err)
	}
}
