package service

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"sync"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/blob"
	"guiche/internal/problem"
	"guiche/internal/retry"

	"github.com/google/uuid"
)

// askNow commits a new request once there is a slot at its operator, has the
// operator decide and returns what the ledger says then. When an equal request came
// first, that one is returned.
func (s *Service) askNow(ctx context.Context, o order) (earlier *LedgerRequest, answer Answer, err error) {
	release := s.calls.acquire(ctx, o.credential.ID, s.limits.BusyWait, o.entry.Request.PatientPresent)
	if release == nil {
		return nil, answer, errCrowded()
	}
	s.inflight.begin(o.entry.ID)
	r, fresh, err := s.store.Receive(ctx, o.entry)
	if err != nil || !fresh {
		release()
		s.inflight.end(o.entry.ID)
		return &r, answer, err
	}
	r.professional = &o.named.Professional
	asked := make(chan Answer, 1)
	s.working.Go(func() { asked <- s.ask(r, o.credential, o.operator, release) })
	select {
	case answer = <-asked:
	case <-ctx.Done():
	}
	if answer.Blob == "" {
		r, err := s.store.Request(ctx, r.ID)
		if err != nil {
			return nil, answer, problem.AfterAct(err)
		}
		answer, err = answerOf(r, false)
		return nil, answer, err
	}
	return nil, answer, nil
}

// ask has the operator decide and commits what came of it; it returns the answer, if it
// was the first to commit one. It runs apart from the request: a caller that hangs up
// changes nothing.
func (s *Service) ask(r LedgerRequest, credential Credential, operator Operator, release func()) Answer {
	defer s.inflight.end(r.ID)
	answer, err := s.decide(s.base, r, credential, operator.Authorize, release)
	if err != nil {
		s.failed(r, credential, err)
	}
	return answer
}

// decide calls an operator in the time of its credential and commits its decision, which
// it returns as an answer; the error is the operator's. A decision that cannot be used
// counts as a failure.
func (s *Service) decide(ctx context.Context, r LedgerRequest, credential Credential,
	call func(context.Context, OperatorRequest) (Decision, error), release func(),
) (answer Answer, err error) {
	ctx, cancel := s.operatorContext(ctx, credential)
	defer cancel()
	decision, err := within(ctx, release, func(ctx context.Context) (Decision, error) {
		return call(ctx, s.operatorRequest(r, credential))
	})
	if err == nil {
		err = decision.Check()
	}
	if err != nil {
		return answer, err
	}
	err = retry.Commit(s.base, func(ctx context.Context) error {
		answer, err = s.answered(ctx, r, credential, decision)
		return err
	})
	if err != nil && !problem.Is(err, problem.Conflict) { // another look-up was faster
		s.logger.Error("answer not stored", "request", r.ID, "cause", err)
	}
	return answer, nil
}

// operatorRequest is what an operator is told of a request.
func (s *Service) operatorRequest(r LedgerRequest, credential Credential) OperatorRequest {
	return OperatorRequest{ID: r.ID, ReceivedAt: r.ReceivedAt.In(s.zone), Credential: credential, Request: r.Request}
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

// answered draws the guides, stores the answer as it will go over the wire and
// commits both, with what is to be asked later. There is no answer unless it was committed.
func (s *Service) answered(ctx context.Context, r LedgerRequest, credential Credential, d Decision) (Answer, error) {
	complete(&d, r)
	ctx, hold := s.blobs.Hold(ctx)
	defer hold.End()
	batch := new(blob.Batch)
	ctx = batch.In(ctx) // AddAnswer waits for the disk, once for all
	answer, err := s.storeDecision(ctx, r, credential, d)
	if err != nil {
		return Answer{}, err
	}
	due, later := make([]time.Time, len(d.Authorizations)), false
	for i, a := range d.Authorizations {
		due[i] = s.nextPoll(credential, a.Status, d.PollAfter, 0)
		later = later || !due[i].IsZero()
	}
	err = s.store.AddAnswer(ctx, AnswerEntry{
		RequestID: r.ID, At: s.clock(), Operator: credential.Operator, Decision: d,
		Answer: blob.Info{Ref: answer.Blob, Size: answer.Size}, Text: answer.Text, Due: due,
	})
	if err != nil {
		return Answer{}, err
	}
	if later {
		s.wake()
	}
	if answer.Content == nil {
		answer.Content = batch.Content(answer.Blob)
	}
	return answer, nil
}

// complete fills in what is the service's own in a decision.
func complete(d *Decision, r LedgerRequest) {
	if r.GuideID != uuid.Nil && len(d.Authorizations) == 0 {
		// The guiaId of what was accepted was given away, so it is denied.
		a := undecided(r)
		a.Success, a.Status, a.Errors = false, authorization.Denied, d.Errors
		d.Authorizations = []authorization.Authorization{a}
	}
	entries := make([]authorization.Authorization, len(d.Authorizations))
	for i, a := range d.Authorizations {
		a.Number, a.GuideID = i+1, uuid.Must(uuid.NewV7()).String()
		if i == 0 && r.GuideID != uuid.Nil {
			a.GuideID = r.GuideID.String()
		}
		a.ProviderGuide, a.GuidePDF = r.Request.ProviderGuide, ""
		entries[i] = a
	}
	d.Authorizations = entries
}

// nextPoll returns when an operator is asked how an authorization of a status
// stands, the zero time for never. operatorPause is what it asks for, 0 for none.
func (s *Service) nextPoll(credential Credential, status authorization.Status, operatorPause time.Duration, tries int) time.Time {
	if _, ok := s.operators[credential.Operator].(StatusPoller); !ok {
		return time.Time{}
	}
	if wait, ok := pollAfter(status, operatorPause, tries); ok {
		return s.clock().Add(wait)
	}
	return time.Time{}
}

// wake has Work look at once.
func (s *Service) wake() {
	select {
	case s.woken <- struct{}{}:
	default:
	}
}

// failed commits a failure whose outcome nobody knows. Without that commit the
// request counts as interrupted, which leads to the same look-up.
func (s *Service) failed(r LedgerRequest, credential Credential, cause error) {
	reason := failureOf(cause)
	s.logger.Warn("operator failed", "request", r.ID, "operator", credential.Operator, "code", string(reason), "cause", cause)
	entry := FailureEntry{RequestID: r.ID, At: s.clock(), Operator: credential.Operator, Reason: reason}
	err := retry.Commit(s.base, func(ctx context.Context) error { return s.store.AddFailure(ctx, entry) })
	if err != nil {
		s.logger.Error("failure not stored", "request", r.ID, "cause", err)
	}
}

// failureOf is how the ledger names a failure of an operator.
func failureOf(cause error) Reason {
	if errors.Is(cause, context.DeadlineExceeded) {
		return OperatorTimeout
	}
	return OperatorFailed
}

// within runs a call to an operator and stops waiting for it when ctx ends; the
// slot is taken until the call really is over. A panic is an error.
func within[T any](ctx context.Context, release func(), call func(context.Context) (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		defer release()
		var o outcome
		defer func() {
			if cause := recover(); cause != nil {
				o.err = panicError(cause)
			}
			done <- o
		}()
		o.value, o.err = call(ctx)
		o.err = withoutAddress(o.err)
	}()
	select {
	case o := <-done:
		return o.value, o.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

// withoutAddress is an operator's error as it may be logged: an address of net/url
// may carry a card in its query.
func withoutAddress(err error) error {
	var asked *url.Error
	if errors.As(err, &asked) {
		return fmt.Errorf("%s: %w", asked.Op, asked.Err)
	}
	return err
}

// inflight are the requests and authorizations about which this process is asking
// an operator right now, so that equal requests can wait for the one answer. What
// must survive the process is in the ledger.
type inflight struct {
	mu   sync.Mutex
	ends map[uuid.UUID]chan struct{}
}

// begin notes a request before it is committed: whoever finds it in the ledger
// finds it here too. Its id is new, so that no other can be under way.
func (f *inflight) begin(id uuid.UUID) { f.try(id) }

// enter begins once no other with the same id is under way, false when limit or ctx
// ended first. A limit of 0 does not wait.
func (f *inflight) enter(ctx context.Context, id uuid.UUID, limit time.Duration) bool {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for !f.try(id) {
		if !f.wait(ctx, id, 0) {
			return false
		}
	}
	return true
}

// try begins unless one with the same id is under way.
func (f *inflight) try(id uuid.UUID) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, busy := f.ends[id]; busy {
		return false
	}
	if f.ends == nil {
		f.ends = map[uuid.UUID]chan struct{}{}
	}
	f.ends[id] = make(chan struct{})
	return true
}

// end lets the waiting go on.
func (f *inflight) end(id uuid.UUID) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if ended, ok := f.ends[id]; ok {
		close(ended)
		delete(f.ends, id)
	}
}

// active reports whether there is one with the id.
func (f *inflight) active(id uuid.UUID) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	_, ok := f.ends[id]
	return ok
}

// wait returns once there is none with the id, false when limit or ctx ended first.
// No limit is 0.
func (f *inflight) wait(ctx context.Context, id uuid.UUID, limit time.Duration) bool {
	f.mu.Lock()
	ended, ok := f.ends[id]
	f.mu.Unlock()
	if !ok {
		return true
	}
	if limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	select {
	case <-ended:
		return true
	case <-ctx.Done():
		return false
	}
}
