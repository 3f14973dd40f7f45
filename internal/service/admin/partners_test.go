package admin_test

import (
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
