package service

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// Task is something that an operator is still to be asked: what it decides about
// a request that was accepted (row 16), or how an authorization stands (row 19).
type Task struct {
	RequestID uuid.UUID
	GuideID   uuid.UUID // uuid.Nil: the request itself is to be decided
	Tries     int       // that brought nothing new
}

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

// workPause is how long the database may know of work before it is seen here.
const workPause = 30 * time.Second

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

func (c *counted) Go(f func()) { c.n++; c.wait.Go(f) }

// wake has Work look at once.
func (s *Service) wake() {
	select {
	case s.woken <- struct{}{}:
	default:
	}
}

// startDue starts what is due, for each credential as much as it has places left,
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
	free := s.chores.free(id)
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
		leave := s.chores.take(ctx, id, 0)
		if leave == nil {
			return nil // the claim ends by itself
		}
		group.Go(func() {
			defer s.wake()
			if err := s.runTask(ctx, t, credential, leave); err != nil {
				s.logger.Error("work not done", "request", t.RequestID, "cause", err)
			}
		})
	}
	return nil
}

// runTask asks an operator; it sees to it that the place is left.
func (s *Service) runTask(ctx context.Context, t Task, credential Credential, leave func()) error {
	operator, ok := s.operators[credential.Operator]
	switch {
	case !ok:
		leave()
		return s.store.Postpone(ctx, t, s.clock().Add(backOff(t.Tries)))
	case t.GuideID == uuid.Nil:
		return s.decideAccepted(ctx, t, credential, operator, leave)
	}
	return s.followTask(ctx, t, credential, operator, leave)
}

// decideAccepted has the operator decide on an accepted request, once; from then
// on it is only looked up.
func (s *Service) decideAccepted(ctx context.Context, t Task, credential Credential, operator Operator, leave func()) error {
	record, err := s.store.Record(ctx, t.RequestID)
	if err != nil {
		leave()
		return err // the claim ends by itself
	}
	if record.Answer != "" {
		leave()
		return s.store.Drop(ctx, t)
	}
	first, err := s.store.BeginAsking(ctx, t.RequestID, s.clock())
	if err != nil {
		leave()
		return err
	}
	if !first {
		err := s.decide(ctx, record, credential, operator.LookUp, leave)
		return s.afterTry(ctx, t, record.ReceivedAt, err)
	}
	if err := s.decide(s.base, record, credential, operator.Authorize, leave); err != nil {
		s.failed(record, credential, err)
		return s.afterTry(ctx, t, record.ReceivedAt, err)
	}
	return nil
}

// afterTry puts off what brought nothing; after a month nobody asks any more.
func (s *Service) afterTry(ctx context.Context, t Task, since time.Time, cause error) error {
	ctx = context.WithoutCancel(ctx)
	switch now := s.clock(); {
	case cause == nil:
		return nil
	case now.Sub(since) > followFor:
		return s.store.Drop(ctx, t)
	default:
		return s.store.Postpone(ctx, t, now.Add(backOff(t.Tries)))
	}
}

// firstFollow says when the operator is first asked about each authorization of a
// decision, the zero time for never.
func (s *Service) firstFollow(credential Credential, d Decision) []time.Time {
	due := make([]time.Time, len(d.Authorizations))
	for i, a := range d.Authorizations {
		due[i] = s.nextFollow(credential, a.Status, d.Again, 0)
	}
	return due
}

// nextFollow returns when an operator is asked about a status, the zero time for
// never.
func (s *Service) nextFollow(credential Credential, status authorization.Status, told time.Duration, tries int) time.Time {
	if _, ok := s.operators[credential.Operator].(Follower); !ok {
		return time.Time{}
	}
	if wait, ok := followAfter(status, told, tries); ok {
		return s.clock().Add(wait)
	}
	return time.Time{}
}

// followTask asks how an authorization stands.
func (s *Service) followTask(ctx context.Context, t Task, credential Credential, operator Operator, leave func()) error {
	follower, ok := operator.(Follower)
	stood, err := s.store.Stood(ctx, t.GuideID)
	if err != nil {
		leave()
		return err // the claim ends by itself
	}
	if !ok || stood.Authorization.Status.Info().Final || s.clock().Sub(stood.Since) > followFor {
		leave()
		return s.store.Drop(ctx, t)
	}
	if !s.flights.enter(ctx, t.GuideID, 0) {
		leave()
		return nil // a partner is changing it just now; the claim ends by itself
	}
	defer s.flights.end(t.GuideID)
	return s.follow(ctx, t, stood, credential, follower, leave)
}

func (s *Service) follow(ctx context.Context, t Task, stood Stood, credential Credential, follower Follower, leave func()) error {
	asking, cancel := s.operatorContext(ctx, credential)
	defer cancel()
	update, err := within(asking, leave, func(ctx context.Context) (Update, error) {
		return follower.Follow(ctx, s.standing(stood, credential))
	})
	if err == nil {
		err = update.Check()
	}
	before, after := stood.Authorization.Status, update.Authorization.Status
	switch {
	case err != nil:
		s.logger.Warn("operator not followed", "request", t.RequestID, "code", failureCode(err), "cause", err)
		return s.afterTry(ctx, t, stood.Since, err)
	case after == "" || after == before:
		return s.nothingNew(ctx, t, credential, before, update.Again)
	}
	_, err = s.update(context.WithoutCancel(ctx), stood, credential, update, nil)
	if errors.Is(err, errLife) {
		s.logger.Warn("operator goes no way of row 19", "request", t.RequestID, "before", string(before), "after", string(after))
		return s.afterTry(ctx, t, stood.Since, err)
	}
	if problem.Is(err, problem.Conflict) {
		return nil // it moved meanwhile, and with it the task
	}
	return err
}

func (s *Service) nothingNew(ctx context.Context, t Task, credential Credential, status authorization.Status, told time.Duration) error {
	if due := s.nextFollow(credential, status, told, t.Tries+1); !due.IsZero() {
		return s.store.Postpone(ctx, t, due)
	}
	return s.store.Drop(ctx, t)
}

// standing is what an operator is told of an authorization.
func (s *Service) standing(stood Stood, credential Credential) Standing {
	return Standing{OperatorRequest: s.operatorRequest(stood.Record, credential), Authorization: stood.Authorization, Since: stood.Since.In(s.zone)}
}

// errLife is an update that no way of row 19 leads to.
var errLife = fmt.Errorf("%w: its status does not follow", errDecision)
