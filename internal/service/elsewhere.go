package service

import (
	"context"
	"time"

	"github.com/google/uuid"
)

// Pauses between two looks at what another process may be doing.
const (
	elsewhereFirst = 20 * time.Millisecond
	elsewhereLast  = 500 * time.Millisecond
)

// awaitElsewhere waits, for as long as for one of this process, until the ledger says what came
// of a request about which another process may be asking its operator. What a process left
// behind that ended looks the same: after the wait it is looked up, which asks for no decision.
func (s *Service) awaitElsewhere(ctx context.Context, id uuid.UUID) error {
	return s.await(ctx, func(ctx context.Context) (bool, error) {
		r, err := s.store.Request(ctx, id)
		if err != nil || r.Answer != "" || r.Failure != "" {
			return true, err
		}
		credential, err := s.store.Credential(ctx, r.Request.CredentialID)
		return err != nil || s.overdue(r.ReceivedAt, credential), err
	})
}

// awaitAction is awaitElsewhere for an action, which it returns as the ledger has it then.
func (s *Service) awaitAction(a Action, credential Credential) (Action, error) {
	err := s.await(s.base, func(ctx context.Context) (over bool, err error) {
		a, err = s.store.Action(ctx, a.ID)
		return err != nil || a.Answer != "" || a.Failure != "" || s.overdue(a.ReceivedAt, credential), err
	})
	return a, err
}

// await looks until it is over or BusyWait is. Nobody else can be at work where the store is not
// shared.
func (s *Service) await(ctx context.Context, over func(context.Context) (bool, error)) error {
	if !s.shared {
		return nil
	}
	end := time.After(s.limits.BusyWait)
	for pause := elsewhereFirst; ; pause = min(2*pause, elsewhereLast) {
		if done, err := over(ctx); done || err != nil {
			return err
		}
		select {
		case <-time.After(pause):
		case <-end:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
