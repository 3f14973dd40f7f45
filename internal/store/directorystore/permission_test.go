package directorystore_test

import (
	"testing"

	"guiche/internal/directory"
	"guiche/internal/permission"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// TestDirectory_Forbidden: only whoever manages the directory changes it.
func TestDirectory_Forbidden(t *testing.T) {
	tr := MustTrailed(t)
	credentials := &source{}
	for name, by := range map[string]permission.Actor{
		"Reception": {User: uuid.New(), Roles: []permission.Role{permission.Reception, permission.Supervision}}, "Nobody": {},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, id := t.Context(), uuid.New()
			_, asked := tr.AskCredentials(ctx, by, credentials)
			_, synchronised := tr.Synchronise(ctx, by, wholeService(), "")
			for what, err := range map[string]error{
				"AskCredentials": asked, "Synchronise": synchronised,
				"AddUnit":            tr.AddUnit(ctx, by, centro()),
				"ChangeUnit":         tr.ChangeUnit(ctx, by, centro(), ""),
				"SwitchUnit":         tr.SwitchUnit(ctx, by, id, false),
				"AddProfessional":    tr.AddProfessional(ctx, by, directory.Professional{UID: id, Name: "Elisa"}),
				"ChangeProfessional": tr.ChangeProfessional(ctx, by, directory.Professional{UID: id, Name: "Elisa"}, ""),
				"SwitchProfessional": tr.SwitchProfessional(ctx, by, id, false),
				"AddProcedure":       tr.AddProcedure(ctx, by, directory.Procedure{Code: "40316521", Name: "TSH"}),
				"ChangeProcedure":    tr.ChangeProcedure(ctx, by, directory.Procedure{Code: "40316521", Name: "TSH"}, ""),
				"SwitchProcedure":    tr.SwitchProcedure(ctx, by, "40316521", false),
				"SetCredential":      tr.SetCredential(ctx, by, directory.Credential{UID: id}, ""),
				"SwitchCredential":   tr.SwitchCredential(ctx, by, id, false),
			} {
				if !problem.Is(err, problem.Forbidden) {
					t.Errorf("%s: got %v, want Forbidden", what, err)
				}
			}
		})
	}
}
