package service_test

import (
	"context"
	"testing"

	"guiche/internal/authorization"
	"guiche/internal/problem"
	"guiche/internal/service"

	"github.com/google/uuid"
)

// decidedMeanwhile is a store in which a request is decided right after it was
// looked up in vain.
type decidedMeanwhile struct {
	service.Store
	looked bool
}

func (s *decidedMeanwhile) Authorization(ctx context.Context, profile, guideID uuid.UUID) (authorization.Authorization, error) {
	if !s.looked {
		s.looked = true
		return authorization.Authorization{}, problem.New(problem.NotFound, "")
	}
	return s.Store.Authorization(ctx, profile, guideID)
}

func TestService_LookUpWhileDeciding(t *testing.T) {
	e := MustEnv(t, limits{})
	id := e.Submit(body(nil), nil).Data()["guiaId"].(string)
	e.Must(e.Service.RunDue(t.Context()))
	e.Close()
	e.WrapStore = func(s service.Store) service.Store { return &decidedMeanwhile{Store: s} }
	e.Open()
	if got := e.Get(guidePath(id)).Data(); got["statusAutorizacao"] != "A" || got["guiaId"] != id {
		t.Errorf("got status %v of guide %v, want A of %s", got["statusAutorizacao"], got["guiaId"], id)
	}
}
