package service_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"guiche/internal/service"

	"github.com/google/uuid"
)

// unreadable is a store whose requests and authorizations cannot be read for a
// while.
type unreadable struct {
	service.Store
	now *atomic.Bool
}

var errDisk = errors.New("the disk failed")

func (u unreadable) Request(ctx context.Context, id uuid.UUID) (service.LedgerRequest, error) {
	if u.now.Load() {
		return service.LedgerRequest{}, errDisk
	}
	return u.Store.Request(ctx, id)
}

func (u unreadable) LedgerAuthorization(ctx context.Context, guideID uuid.UUID) (service.LedgerAuthorization, error) {
	if u.now.Load() {
		return service.LedgerAuthorization{}, errDisk
	}
	return u.Store.LedgerAuthorization(ctx, guideID)
}

// TestService_WorkStaysDue: what could not be read when it was due is asked later.
func TestService_WorkStaysDue(t *testing.T) {
	for name, begin := range map[string]func(e *env) (guideID string){
		"Accepted": func(e *env) string { return e.Accept("0310004512063345", nil).Data()["guiaId"].(string) },
		"Followed": func(e *env) string { id, _ := e.MustAuthorize("999903000000"); return id },
	} {
		t.Run(name, func(t *testing.T) {
			e := MustEnv(t, limits{})
			var trouble atomic.Bool
			e.WrapStore = func(s service.Store) service.Store { return unreadable{s, &trouble} }
			e.Restart()
			id := begin(e)
			for _, on := range []bool{true, false} {
				trouble.Store(on)
				e.Clock.Move(time.Hour)
				e.RunDue()
			}
			e.StandsAt(id, "A")
		})
	}
}

// TestService_Work_Slots: no more is taken than can be asked at once; the rest stays
// due for whoever comes next.
func TestService_Work_Slots(t *testing.T) {
	e := MustEnv(t, limits{Service: service.Limits{OperatorCalls: 1}})
	reached, release := make(chan struct{}, 2), make(chan struct{})
	e.Operator.Before(func(context.Context, service.OperatorRequest) error { reached <- struct{}{}; <-release; return nil })
	for _, card := range []string{"1", "2"} {
		e.Accept(card, nil)
	}
	waiting := func(what string) {
		t.Helper()
		if due, _, err := e.Store().Due(t.Context(), e.Clock.Now()); err != nil || len(due) != 1 {
			t.Errorf("%s: due at %d credentials, %v, want the second request still to be due", what, len(due), err)
		}
	}
	done := make(chan error)
	go func() { done <- e.Service.RunDue(context.WithoutCancel(t.Context())) }()
	<-reached
	waiting("the first is being asked about")
	e.RunDue()
	waiting("somebody else looked")
	close(release)
	if err := <-done; err != nil {
		t.Error(err)
	}
	if due, _, err := e.Store().Due(t.Context(), e.Clock.Now()); err != nil || len(due) != 0 || e.Operator.Authorized.Load() != 2 {
		t.Errorf("afterwards: %d due, %v, asked %d times, want twice", len(due), err, e.Operator.Authorized.Load())
	}
}
