package service

import (
	"context"
	"errors"
	"sync"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// Work asks operators what is due, again and again until ctx ends. What it was
// about to ask when the process ended is asked by the next one.
func (s *Service) Work(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		case <-s.woken:
		}
		next, err := s.startDue(ctx, &s.working)
		if err != nil && ctx.Err() == nil {
			s.logger.Error("work not started", "cause", err)
		}
		timer.Reset(s.pause(next, err))
	}
}

// workPause is how long work may be due before that is seen here, where another process brought it
// or the clock leapt: a timer of its own goes on at the pace of before.
const workPause = 2 * time.Second

func (s *Service) pause(next time.Time, err error) time.Duration {
	if err != nil || next.IsZero() {
		return workPause
	}
	return max(0, min(workPause, next.Sub(s.clock())))
}

// RunDue asks what is due now and returns when all of it is done.
func (s *Service) RunDue(ctx context.Context) error {
	for {
		var started counted
		if _, err := s.startDue(ctx, &started); err != nil {
			return err
		}
		started.wait.Wait()
		if started.n == 0 {
			return nil
		}
	}
}

// counted counts what was started.
type counted struct {
	wait sync.WaitGroup
	n    int
}

// Go implements the group of startDue.
func (c *counted) Go(f func()) { c.n++; c.wait.Go(f) }

// startDue starts what is due, for each credential as much as it has slots left,
// and returns when the next work is due.
func (s *Service) startDue(ctx context.Context, group interface{ Go(func()) }) (time.Time, error) {
	credentials, next, err := s.store.Due(ctx, s.clock())
	if err != nil {
		return next, err
	}
	for _, id := range credentials {
		if err := s.startCredential(ctx, id, group); err != nil {
			return next, err
		}
	}
	return next, nil
}

// claimMargin is how much longer than its operator's time a task stays claimed.
const claimMargin = 5 * time.Second

func (s *Service) startCredential(ctx context.Context, id uuid.UUID, group interface{ Go(func()) }) error {
	free := s.background.free(id)
	if free == 0 {
		return nil
	}
	credential, err := s.store.Credential(ctx, id)
	if err != nil {
		return err
	}
	now := s.clock()
	tasks, err := s.store.Claim(ctx, id, now, now.Add(s.operatorTime(credential)+claimMargin), free)
	if err != nil {
		return err
	}
	for _, t := range tasks {
		release := s.background.acquire(ctx, id, 0, false)
		if release == nil {
			return nil // the claim ends by itself
		}
		group.Go(func() {
			defer s.wake()
			if err := s.runTask(ctx, t, credential, release); err != nil {
				s.logger.Error("work not done", "request", t.RequestID, "cause", err)
			}
		})
	}
	return nil
}

// runTask asks an operator and sees to it that the slot is released.
func (s *Service) runTask(ctx context.Context, t Task, credential Credential, release func()) error {
	operator, ok := s.operators[credential.Operator]
	switch {
	case !ok:
		release()
		return s.store.Postpone(ctx, t, s.clock().Add(backOff(t.Tries)))
	case t.GuideID == uuid.Nil:
		return s.decideAccepted(ctx, t, credential, operator, release)
	}
	return s.pollTask(ctx, t, credential, operator, release)
}

// decideAccepted has the operator decide on an accepted request, once; from then
// on it is only looked up.
func (s *Service) decideAccepted(ctx context.Context, t Task, credential Credential, operator Operator, release func()) error {
	request, err := s.store.Request(ctx, t.RequestID)
	if err != nil {
		release()
		return err // the claim ends by itself
	}
	if request.Answer != "" {
		release()
		return s.store.Drop(ctx, t)
	}
	first, err := s.store.BeginAsking(ctx, t.RequestID, s.clock())
	if err != nil {
		release()
		return err
	}
	if !first {
		_, err := s.decide(ctx, request, credential, operator.LookUp, release)
		return s.afterTry(ctx, t, request.ReceivedAt, err)
	}
	if _, err := s.decide(s.base, request, credential, operator.Authorize, release); err != nil {
		s.failed(request, credential, err)
		return s.afterTry(ctx, t, request.ReceivedAt, err)
	}
	return nil
}

// afterTry puts off what brought nothing; after a month nobody asks any more.
func (s *Service) afterTry(ctx context.Context, t Task, since time.Time, cause error) error {
	ctx = context.WithoutCancel(ctx)
	switch now := s.clock(); {
	case cause == nil:
		return nil
	case now.Sub(since) > pollFor:
		return s.store.GiveUp(ctx, t, now)
	default:
		return s.store.Postpone(ctx, t, now.Add(backOff(t.Tries)))
	}
}

// pollTask asks how an authorization stands.
func (s *Service) pollTask(ctx context.Context, t Task, credential Credential, operator Operator, release func()) error {
	poller, ok := operator.(StatusPoller)
	current, err := s.store.LedgerAuthorization(ctx, t.GuideID)
	if err != nil {
		release()
		return err // the claim ends by itself
	}
	if !ok || current.Authorization.Status.Info().Final {
		release()
		return s.store.Drop(ctx, t)
	}
	if now := s.clock(); now.Sub(current.Since) > pollFor {
		release()
		return s.store.GiveUp(ctx, t, now)
	}
	if !s.inflight.enter(ctx, t.GuideID, 0) {
		release()
		return nil // a partner is changing it just now; the claim ends by itself
	}
	defer s.inflight.end(t.GuideID)
	return s.poll(ctx, t, current, credential, poller, release)
}

func (s *Service) poll(ctx context.Context, t Task, current LedgerAuthorization, credential Credential, poller StatusPoller,
	release func()) error {
	asking, cancel := s.operatorContext(ctx, credential)
	defer cancel()
	update, err := within(asking, release, func(ctx context.Context) (Update, error) {
		return poller.PollStatus(ctx, s.openAuthorization(current, credential))
	})
	if err == nil {
		err = update.Check()
	}
	before, after := current.Authorization.Status, update.Authorization.Status
	switch {
	case err != nil:
		s.logger.Warn("operator not followed", "request", t.RequestID, "code", string(failureOf(err)), "cause", err)
		return s.afterTry(ctx, t, current.Since, err)
	case after == "" || after == before:
		return s.nothingNew(ctx, t, credential, before, update.PollAfter)
	}
	err = s.update(current, credential, update, uuid.Nil)
	if errors.Is(err, errTransition) {
		s.logger.Warn("operator goes no way of row 19", "request", t.RequestID, "before", string(before), "after", string(after))
		return s.afterTry(ctx, t, current.Since, err)
	}
	if problem.Is(err, problem.Conflict) {
		return nil // it moved meanwhile, and with it the task
	}
	return err
}

func (s *Service) nothingNew(ctx context.Context, t Task, credential Credential, status authorization.Status,
	operatorPause time.Duration) error {
	if due := s.nextPoll(credential, status, operatorPause, t.Tries+1); !due.IsZero() {
		return s.store.Postpone(ctx, t, due)
	}
	return s.store.Drop(ctx, t)
}
