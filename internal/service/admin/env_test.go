package admin_test

import (
	"testing"

	"guiche/internal/service/servicetest"
)

// What every environment knows.
var (
	strictID       = servicetest.StrictID
	unitID         = servicetest.UnitID
	pointID        = servicetest.PointID
	professionalID = servicetest.ProfessionalID
	start          = servicetest.Start
)

const (
	specialtyID    = servicetest.SpecialtyID
	authorizePath  = servicetest.AuthorizePath
	someAttachment = servicetest.SomeAttachment
	someCapture    = servicetest.SomeCapture
	someReason     = servicetest.SomeReason
)

type (
	limits = servicetest.Limits
	reply  = servicetest.Reply
)

// env is the service behind a real HTTP server.
type env struct {
	*servicetest.Env
	tb testing.TB
}

func MustEnv(tb testing.TB, l limits) *env {
	tb.Helper()
	return &env{servicetest.MustEnv(tb, l), tb}
}

func body(changes map[string]any) string { return servicetest.Body(changes) }

func checkRefusal(t *testing.T, r reply, status int) {
	t.Helper()
	servicetest.CheckRefusal(t, r, status)
}
