package simulated

import (
	"context"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/service"
)

var (
	_ service.StatusPoller     = (*Operator)(nil)
	_ service.AttachmentTaker  = (*Operator)(nil)
	_ service.BiometricChecker = (*Operator)(nil)
	_ service.Canceller        = (*Operator)(nil)
)

// cancelDelay is how long a cancelling takes where the rule says nothing.
const cancelDelay = Delay(5 * time.Second)

// next returns what follows a status by the rule: from a status on which a person
// acts, what follows the act. ok is false where the status stays.
func (e Entry) next(s authorization.Status) (step Step, ok bool) {
	if step, ok = e.Next[s]; ok {
		return step, true
	}
	switch s {
	case authorization.AwaitingAttachment:
		return Step{Status: authorization.UnderAnalysis}, true
	case authorization.AwaitingBiometrics, authorization.InvalidBiometrics:
		return Step{Status: authorization.Authorized}, true
	case authorization.AwaitingCancellation:
		return Step{Status: authorization.Cancelled, After: cancelDelay}, true
	}
	return Step{}, false
}

// acted are the statuses that last until a person acts.
var acted = map[authorization.Status]bool{
	authorization.AwaitingAttachment: true, authorization.AwaitingBiometrics: true, authorization.InvalidBiometrics: true,
}

// wait returns how long a status lasts by itself; 0 is until something else
// happens.
func (e Entry) wait(s authorization.Status) time.Duration {
	step, ok := e.next(s)
	if !ok || acted[s] {
		return 0
	}
	return max(time.Duration(step.After), time.Millisecond)
}

// entry is the rule's part about an authorization.
func (o *Operator) entry(at service.OpenAuthorization) Entry {
	entries := o.outcome(at.OperatorRequest).Authorizations
	if i := at.Authorization.Number - 1; i >= 0 && i < len(entries) {
		return entries[i]
	}
	return Entry{}
}

// become is the authorization after a step, and when to ask again.
func (o *Operator) become(e Entry, step Step, at service.OpenAuthorization) service.Update {
	changed := Entry{Status: step.Status, Procedures: e.Procedures, Justification: step.Justification, Errors: step.Errors,
		SenhaDays: e.SenhaDays}
	a := o.authorization(changed, at.OperatorRequest, at.Authorization.Number-1)
	return service.Update{Simulated: true, Authorization: a, PollAfter: e.wait(step.Status)}
}

// PollStatus implements service.StatusPoller: a status changes once its time is over.
func (o *Operator) PollStatus(_ context.Context, at service.OpenAuthorization) (service.Update, error) {
	e := o.entry(at)
	wait := e.wait(at.Authorization.Status)
	if wait == 0 {
		return service.Update{Simulated: true}, nil
	}
	if left := wait - o.clock().Sub(at.Since); left > 0 {
		return service.Update{Simulated: true, PollAfter: left}, nil
	}
	step, _ := e.next(at.Authorization.Status)
	return o.become(e, step, at), nil
}

// AddAttachments implements service.AttachmentTaker.
func (o *Operator) AddAttachments(ctx context.Context, at service.OpenAuthorization, _ []authorization.Attachment) (service.Update, error) {
	return o.act(ctx, at)
}

// CheckBiometrics implements service.BiometricChecker.
func (o *Operator) CheckBiometrics(ctx context.Context, at service.OpenAuthorization, _ []service.Capture) (service.Update, error) {
	return o.act(ctx, at)
}

// act is what follows when a person did what the status waits for.
func (o *Operator) act(ctx context.Context, at service.OpenAuthorization) (service.Update, error) {
	if err := o.await(ctx, o.outcome(at.OperatorRequest)); err != nil {
		return service.Update{}, err
	}
	e := o.entry(at)
	step, ok := e.next(at.Authorization.Status)
	if !ok {
		return service.Update{Simulated: true}, nil
	}
	return o.become(e, step, at), nil
}

// Cancel implements service.Canceller. The authorization keeps what it said.
func (o *Operator) Cancel(_ context.Context, at service.OpenAuthorization, _ string) (service.Update, error) {
	a := at.Authorization
	a.Status = authorization.AwaitingCancellation
	return service.Update{Simulated: true, Authorization: a, PollAfter: o.entry(at).wait(a.Status)}, nil
}

// await waits as the rule says, and fails when it says so.
func (o *Operator) await(ctx context.Context, then Outcome) error {
	if then.Delay > 0 {
		if err := o.sleep(ctx, time.Duration(then.Delay)); err != nil {
			return err
		}
	}
	if then.Fails {
		return errFailure
	}
	return nil
}
