package directorystore_test

import (
	"testing"

	"guiche/internal/directory"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
)

// TestStore_Own: whoever changes what was read changes it for nobody else.
func TestStore_Own(t *testing.T) {
	ctx, r := t.Context(), MustDirectory(t)
	unit := directory.Unit{UID: uuid.New(), Name: "Centro", Active: true,
		CarePoints: []directory.CarePoint{{UID: uuid.New(), Name: "Balcão", Active: true}}}
	professional := directory.Professional{UID: uuid.New(), Name: "Elisa Monte", Council: "CRM", CouncilNumber: "1", State: "SP", Active: true,
		Specialties: []directory.Specialty{{ID: 1, Name: "Radiologia"}}}
	MustDo(t, r.PutUnits(ctx, unit))
	MustDo(t, r.PutProfessionals(ctx, professional))
	for range 2 {
		units, err := r.ListUnits(ctx, "")
		MustDo(t, err)
		professionals, err := r.ListProfessionals(ctx, "")
		MustDo(t, err)
		u, err := r.Unit(ctx, unit.UID)
		MustDo(t, err)
		p, err := r.Professional(ctx, professional.UID)
		MustDo(t, err)
		if diff := cmp.Diff([]directory.Unit{unit, unit}, append(units, u)); diff != "" {
			t.Errorf("units, wanted and got:\n%s", diff)
		}
		if diff := cmp.Diff([]directory.Professional{professional, professional}, append(professionals, p)); diff != "" {
			t.Errorf("professionals, wanted and got:\n%s", diff)
		}
		for _, points := range [][]directory.CarePoint{units[0].CarePoints, u.CarePoints} {
			points[0].Name, points[0].SyncState = "Outro", directory.Unlisted
		}
		for _, specialties := range [][]directory.Specialty{professionals[0].Specialties, p.Specialties} {
			specialties[0].Name = "Outra"
		}
	}
}
