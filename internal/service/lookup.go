package service

import (
	"context"
	"errors"
	"fmt"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// Found is what is known of a request: its authorizations as they are now, and the
// operator's errors about it as a whole. Neither means that it never arrived.
type Found struct {
	Authorizations []authorization.Authorization
	Errors         []authorization.AnswerError
}

// FindByGuide looks a request of a profile up by its guiaPrestador (row 18). One
// that arrived and has no answer yet is refused as in a repetition.
func (s *Service) FindByGuide(ctx context.Context, profile uuid.UUID, number string) (Found, error) {
	request, err := s.store.RequestByGuide(ctx, profile, number)
	if problem.Is(err, problem.NotFound) {
		return Found{}, nil
	}
	if err != nil {
		return Found{}, err
	}
	if request.GuideID != uuid.Nil && request.Answer == "" {
		return Found{Authorizations: []authorization.Authorization{undecided(request)}}, nil
	}
	if s.inflight.active(request.ID) {
		return Found{}, errBusy()
	}
	if request, err = s.settle(ctx, request.ID); err != nil {
		return Found{}, err
	}
	if _, err := answerOf(request, true); err != nil {
		return Found{}, err
	}
	entries, err := s.store.Authorizations(ctx, request.ID)
	return Found{Authorizations: entries, Errors: request.Errors}, err
}

// Authorization returns an authorization of a profile as it is now (row 18),
// ErrNoAuthorization for none.
func (s *Service) Authorization(ctx context.Context, profile, guideID uuid.UUID) (authorization.Authorization, error) {
	found, err := s.store.Authorization(ctx, profile, guideID)
	if problem.Is(err, problem.NotFound) {
		found, err = s.acceptedAuthorization(ctx, profile, guideID)
	}
	if problem.Is(err, problem.NotFound) {
		return found, ErrNoAuthorization
	}
	return found, err
}

// acceptedAuthorization returns an authorization whose request was accepted and
// not decided yet; one that was decided since the look before is looked up again.
func (s *Service) acceptedAuthorization(ctx context.Context, profile, guideID uuid.UUID) (authorization.Authorization, error) {
	request, err := s.store.RequestByGuideID(ctx, profile, guideID)
	if err != nil {
		return authorization.Authorization{}, err
	}
	if request.Answer == "" {
		return undecided(request), nil
	}
	return s.store.Authorization(ctx, profile, guideID)
}

// settle returns a request that is no longer in flight here. One without an answer
// was interrupted, or its operator failed: the operator is asked what became of it,
// never to decide again. Once nobody can be asking any more, an interrupted one
// counts as a failure of unknown outcome.
func (s *Service) settle(ctx context.Context, id uuid.UUID) (LedgerRequest, error) {
	request, err := s.store.Request(ctx, id)
	if err != nil || request.Answer != "" {
		return request, err
	}
	credential, err := s.store.Credential(ctx, request.Request.CredentialID)
	if err != nil {
		return request, err
	}
	operator, ok := s.operators[credential.Operator]
	if !ok {
		return request, nil
	}
	if request.Failure == "" && s.overdue(request.ReceivedAt, credential) {
		s.failed(request, credential, errInterrupted)
	}
	s.lookUp(ctx, request, credential, operator)
	return s.store.Request(ctx, id)
}

// lookUp asks the operator what became of a request and commits an answer. What
// stays unknown stays as it is.
func (s *Service) lookUp(ctx context.Context, r LedgerRequest, credential Credential, operator Operator) {
	release := s.calls.acquire(ctx, credential.ID, s.limits.BusyWait, r.Request.PatientPresent)
	if release == nil {
		return
	}
	_, err := s.decide(ctx, r, credential, operator.LookUp, release)
	if err != nil && !errors.Is(err, ErrNotKnown) {
		s.logger.Warn("look-up failed", "request", r.ID, "cause", err)
	}
}

// errInterrupted is the failure of what a process left behind when it ended.
var errInterrupted = fmt.Errorf("service: interrupted before an answer was stored: %w", context.DeadlineExceeded)

// overdue reports whether no process can still be asking for what came at a time.
func (s *Service) overdue(since time.Time, c Credential) bool {
	return s.clock().Sub(since) > s.operatorTime(c)+s.limits.BusyWait
}
