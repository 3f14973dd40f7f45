package service

import (
	"context"
	"errors"
	"fmt"
	"time"

	"guiche/internal/blob"
	"guiche/internal/problem"
)

// ask has the operator decide and commits what came of it. It runs apart from the
// request: a caller that hangs up changes nothing.
func (s *Service) ask(record Record, credential Credential, operator Operator, leave func()) {
	defer s.flights.end(record.ID)
	err := s.decide(s.base, record, credential, operator.Authorize, leave)
	if err != nil {
		s.failed(record, credential, err)
	}
}

// lookUp asks the operator what became of a request and commits an answer. What
// stays unknown stays as it is.
func (s *Service) lookUp(ctx context.Context, record Record, credential Credential, operator Operator) {
	leave := s.calls.take(ctx, credential.ID, s.limits.BusyWait)
	if leave == nil {
		return
	}
	err := s.decide(ctx, record, credential, operator.LookUp, leave)
	if err != nil && !errors.Is(err, ErrNotKnown) {
		s.logger.Warn("look-up failed", "request", record.ID, "cause", err)
	}
}

// decide calls an operator in the time of its credential and commits its decision;
// the error is the operator's. One that cannot be used counts as a failure of its.
func (s *Service) decide(ctx context.Context, record Record, credential Credential,
	call func(context.Context, OperatorRequest) (Decision, error), leave func(),
) error {
	ctx, cancel := s.operatorContext(ctx, credential)
	defer cancel()
	decision, err := within(ctx, leave, func(ctx context.Context) (Decision, error) {
		return call(ctx, s.operatorRequest(record, credential))
	})
	if err == nil {
		err = decision.Check()
	}
	if err != nil {
		return err
	}
	err = s.answered(context.WithoutCancel(ctx), record, credential, decision)
	if err != nil && !problem.Is(err, problem.Conflict) { // another look-up was faster
		s.logger.Error("answer not stored", "request", record.ID, "cause", err)
	}
	return nil
}

func (s *Service) operatorContext(ctx context.Context, c Credential) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, s.operatorTime(c))
}

// operatorTime is how long an operator may take.
func (s *Service) operatorTime(c Credential) time.Duration {
	if c.Timeout > 0 {
		return c.Timeout
	}
	return s.limits.OperatorTimeout
}

// errInterrupted is the failure of what a process left behind when it ended.
var errInterrupted = fmt.Errorf("service: interrupted before an answer was stored: %w", context.DeadlineExceeded)

// overdue reports whether no process can still be asking for what came at a time.
func (s *Service) overdue(since time.Time, c Credential) bool {
	return s.clock().Sub(since) > s.operatorTime(c)+s.limits.BusyWait
}

// failureCode is how the ledger names a failure of an operator.
func failureCode(cause error) string {
	if errors.Is(cause, context.DeadlineExceeded) {
		return codeOperatorTimeout
	}
	return codeOperatorFailed
}

// failed commits a failure whose outcome nobody knows. Without that commit the
// request counts as interrupted, which leads to the same look-up.
func (s *Service) failed(record Record, credential Credential, cause error) {
	code := failureCode(cause)
	s.logger.Warn("operator failed", "request", record.ID, "operator", credential.Operator, "code", code, "cause", cause)
	err := s.store.AddFailure(context.WithoutCancel(s.base), Failed{RequestID: record.ID, At: s.clock(), Operator: credential.Operator, Code: code})
	if err != nil {
		s.logger.Error("failure not stored", "request", record.ID, "cause", err)
	}
}

// answered draws the guides, stores the answer as it will go over the wire and
// commits both, with what is to be asked later.
func (s *Service) answered(ctx context.Context, record Record, credential Credential, d Decision) error {
	s.complete(&d, record)
	drawn := s.drawGuides(ctx, record, credential, d)
	info, err := drawn.beside(d.Authorizations, func() (blob.Info, error) { return s.storeAnswer(ctx, d, drawn) })
	if err != nil {
		return fmt.Errorf("service: store answer: %w", err)
	}
	err = s.store.AddAnswer(ctx, Answered{
		RequestID: record.ID, At: s.clock(), Operator: credential.Operator, Decision: d, Answer: info, Due: s.firstFollow(credential, d),
	})
	s.wake()
	return err
}
