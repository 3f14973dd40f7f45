package service

import (
	"context"
	"fmt"

	"guiche/internal/authorization"
	"guiche/internal/retry"

	"github.com/google/uuid"
)

// update commits what an operator told; action is the one that it answers, uuid.Nil
// for none.
func (s *Service) update(current LedgerAuthorization, credential Credential, u Update, action uuid.UUID) error {
	before, a := current.Authorization, u.Authorization
	a.Number, a.GuideID, a.ProviderGuide, a.GuidePDF = before.Number, before.GuideID, before.ProviderGuide, ""
	steps, err := stepsTo(before.Status, a.Status)
	if err != nil {
		return err
	}
	entry := UpdateEntry{
		GuideID: uuid.MustParse(before.GuideID), Before: before.Status, Path: steps, Authorization: a,
		Actor: credential.Operator, Due: s.nextPoll(credential, a.Status, u.PollAfter, 0), ActionID: action,
	}
	err = retry.Commit(s.base, func(ctx context.Context) error {
		return s.addUpdate(ctx, entry, current.Request, credential, u.Simulated)
	})
	s.wake()
	return err
}

// addUpdate stores an update as it will go over the wire and commits it.
func (s *Service) addUpdate(ctx context.Context, e UpdateEntry, r LedgerRequest, credential Credential, simulated bool) (err error) {
	ctx, hold := s.blobs.Hold(ctx)
	defer hold.End()
	d := Decision{Simulated: simulated, Authorizations: []authorization.Authorization{e.Authorization}}
	if e.Answer, err = s.storeUpdate(ctx, r, credential, d, e.ActionID != uuid.Nil); err != nil {
		return err
	}
	e.At, e.Authorization = s.clock(), d.Authorizations[0]
	return s.store.AddUpdate(ctx, e)
}

// stepsTo returns the statuses on the way from one to another. Biometrics may turn
// out to be invalid again, which is no step.
func stepsTo(before, after authorization.Status) ([]authorization.Status, error) {
	if before == authorization.InvalidBiometrics && after == before {
		return nil, nil
	}
	steps := path(before, after)
	if steps == nil {
		return nil, errTransition
	}
	return steps, nil
}

// errTransition is an update whose status row 19 does not lead to.
var errTransition = fmt.Errorf("%w: its status does not follow", errDecision)

// openAuthorization is what an operator is told of an authorization.
func (s *Service) openAuthorization(current LedgerAuthorization, credential Credential) OpenAuthorization {
	return OpenAuthorization{
		OperatorRequest: s.operatorRequest(current.Request, credential),
		Authorization:   current.Authorization, Since: current.Since.In(s.zone),
	}
}
