package service

import (
	"context"
	"fmt"

	"guiche/internal/authorization"
	"guiche/internal/blob"

	"github.com/google/uuid"
)

// update commits what an operator told; action is the one that it answers, uuid.Nil
// for none. It returns the authorization as it is then.
func (s *Service) update(ctx context.Context, current LedgerAuthorization, credential Credential,
	u Update, action uuid.UUID,
) (authorization.Authorization, error) {
	before, a := current.Authorization, u.Authorization
	a.Number, a.GuideID, a.ProviderGuide, a.GuidePDF = before.Number, before.GuideID, before.ProviderGuide, ""
	steps, err := stepsTo(before.Status, a.Status)
	if err != nil {
		return before, err
	}
	ctx, hold := s.blobs.Hold(ctx)
	defer hold.End()
	d := Decision{Simulated: u.Simulated, Authorizations: []authorization.Authorization{a}}
	var answer blob.Info
	if answer, err = s.storeUpdate(ctx, current.Request, credential, d, action != uuid.Nil); err != nil {
		return before, err
	}
	err = s.store.AddUpdate(ctx, UpdateEntry{
		GuideID: uuid.MustParse(before.GuideID), Before: before.Status, Path: steps, Authorization: d.Authorizations[0],
		At: s.clock(), Actor: credential.Operator, Due: s.nextPoll(credential, a.Status, u.PollAfter, 0),
		ActionID: action, Answer: answer,
	})
	s.wake()
	return d.Authorizations[0], err
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
