package deskstore_test

import (
	"strings"
	"testing"

	"guiche/internal/desk"
	"guiche/internal/store/caselist"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// TestStore_Submit_Values: what cases are filtered by is read as the last submission left it,
// however often it was read before.
func TestStore_Submit_Values(t *testing.T) {
	e := mustEnv(t)
	names := func() string {
		t.Helper()
		var all []string
		MustDo(t, e.db.Read(t.Context(), func(tx *engine.Tx) error {
			values, err := caselist.ReadValues(t.Context(), tx)
			all = nil
			for _, v := range values {
				all = append(all, v.Name)
			}
			return err
		}))
		return strings.Join(all, ", ")
	}
	for _, step := range []struct {
		change func(*desk.Submission)
		want   string
	}{
		{func(*desk.Submission) {}, "Ana Prado, Centro, Vale Sereno"},
		{func(*desk.Submission) {}, "Ana Prado, Centro, Vale Sereno"},
		{func(s *desk.Submission) { s.Request.UnitID, s.Names.Unit = praia, "Praia" }, "Ana Prado, Centro, Praia, Vale Sereno"},
		{func(s *desk.Submission) { s.Names.Unit = "Centro Velho" }, "Ana Prado, Centro Velho, Praia, Vale Sereno"},
		{func(s *desk.Submission) { s.Request.CredentialID, s.Names.Credential = uuid.UUID{7}, "Boa Guarida" },
			"Ana Prado, Boa Guarida, Centro, Praia, Vale Sereno"},
		{func(s *desk.Submission) { s.Sender = bia }, "Ana Prado, Bia Nunes, Boa Guarida, Centro, Praia, Vale Sereno"},
		{func(s *desk.Submission) { s.Sender.Name = "Zilda Prado" }, "Bia Nunes, Boa Guarida, Centro, Praia, Vale Sereno, Zilda Prado"},
	} {
		e.submit(t, step.change)
		for range 2 {
			if got := names(); got != step.want {
				t.Errorf("got %s, want %s", got, step.want)
			}
		}
	}
}
