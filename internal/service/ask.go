package service

import (
	"context"
	"errors"
	"fmt"

	"guiche/internal/problem"
)

// ask has the operator decide and commits what came of it. It runs apart from the
// request: a caller that hangs up changes nothing.
func (s *Service) ask(record Record, credential Credential, operator Operator) {
	defer s.flights.end(record.ID)
	ctx, cancel := s.operatorContext(s.base, credential)
	decision, err := decide(ctx, operator.Authorize, s.operatorRequest(record, credential))
	cancel()
	if err != nil {
		s.failed(record, credential, err)
		return
	}
	if err := s.answered(context.WithoutCancel(ctx), record, credential, decision); err != nil {
		s.logger.Error("answer not stored", "request", record.ID, "cause", err)
	}
}

// lookUp asks the operator what became of a request and commits an answer. What
// stays unknown stays as it is.
func (s *Service) lookUp(ctx context.Context, record Record, credential Credential, operator Operator) {
	ctx, cancel := s.operatorContext(ctx, credential)
	defer cancel()
	decision, err := decide(ctx, operator.LookUp, s.operatorRequest(record, credential))
	if err == nil {
		err = s.answered(context.WithoutCancel(ctx), record, credential, decision)
	}
	if err != nil && !errors.Is(err, ErrNotKnown) && !problem.Is(err, problem.Conflict) {
		s.logger.Warn("look-up failed", "request", record.ID, "cause", err)
	}
}

func (s *Service) operatorContext(ctx context.Context, c Credential) (context.Context, context.CancelFunc) {
	limit := c.Timeout
	if limit == 0 {
		limit = s.limits.OperatorTimeout
	}
	return context.WithTimeout(ctx, limit)
}

// decide calls an operator; its panic is an error, and so is a decision that
// cannot be used.
func decide(ctx context.Context, call func(context.Context, OperatorRequest) (Decision, error), r OperatorRequest) (d Decision, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = panicError(cause)
		}
	}()
	if d, err = call(ctx, r); err == nil {
		err = d.check()
	}
	return d, err
}

// failed commits a failure whose outcome nobody knows. Without that commit the
// request counts as interrupted, which leads to the same look-up.
func (s *Service) failed(record Record, credential Credential, cause error) {
	code := codeOperatorFailed
	if errors.Is(cause, context.DeadlineExceeded) {
		code = codeOperatorTimeout
	}
	s.logger.Warn("operator failed", "request", record.ID, "operator", credential.Operator, "code", code, "cause", cause)
	err := s.store.AddFailure(context.WithoutCancel(s.base), Failed{RequestID: record.ID, At: s.clock(), Operator: credential.Operator, Code: code})
	if err != nil {
		s.logger.Error("failure not stored", "request", record.ID, "cause", err)
	}
}

// answered draws the guides, stores the answer as it will go over the wire and
// commits both.
func (s *Service) answered(ctx context.Context, record Record, credential Credential, d Decision) error {
	s.complete(&d, record)
	aggregated := s.drawGuides(ctx, record, credential, d)
	info, err := s.storeAnswer(ctx, d, aggregated)
	if err != nil {
		return fmt.Errorf("service: store answer: %w", err)
	}
	return s.store.AddAnswer(ctx, Answered{RequestID: record.ID, At: s.clock(), Operator: credential.Operator, Decision: d, Answer: info})
}
