package servicetest

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"guiche/internal/authorization"
	"guiche/internal/service"
)

// Operator is an operator that counts how often it is asked and decides as the one
// inside it.
type Operator struct {
	service.Operator
	Authorized, LookedUp, Polled, Acted atomic.Int64

	mu     sync.Mutex
	before func(ctx context.Context, r service.OperatorRequest) error // runs before Authorize decides
	last   service.OperatorRequest

	Attached    []authorization.Attachment
	Captured    []service.Capture
	Reason      string
	Eligibility service.EligibilityRequest
}

// Authorize implements service.Operator.
func (o *Operator) Authorize(ctx context.Context, r service.OperatorRequest) (service.Decision, error) {
	o.Authorized.Add(1)
	o.mu.Lock()
	o.last = r
	before := o.before
	o.mu.Unlock()
	if before != nil {
		if err := before(ctx, r); err != nil {
			return service.Decision{}, err
		}
	}
	return o.Operator.Authorize(ctx, r)
}

// LookUp implements service.Operator.
func (o *Operator) LookUp(ctx context.Context, r service.OperatorRequest) (service.Decision, error) {
	o.LookedUp.Add(1)
	return o.Operator.LookUp(ctx, r)
}

// Told is what it was asked to decide last.
func (o *Operator) Told() service.OperatorRequest {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.last
}

var errNotOffered = errors.New("the operator behind it cannot do that")

// PollStatus implements service.StatusPoller.
func (o *Operator) PollStatus(ctx context.Context, at service.OpenAuthorization) (service.Update, error) {
	o.Polled.Add(1)
	if f, ok := o.Operator.(service.StatusPoller); ok {
		return f.PollStatus(ctx, at)
	}
	return service.Update{}, errNotOffered
}

// AddAttachments implements service.AttachmentTaker.
func (o *Operator) AddAttachments(ctx context.Context, at service.OpenAuthorization,
	added []authorization.Attachment) (service.Update, error) {
	o.mu.Lock()
	o.Attached = added
	o.mu.Unlock()
	return o.act(ctx, at, func() (service.Update, error) {
		if t, ok := o.Operator.(service.AttachmentTaker); ok {
			return t.AddAttachments(ctx, at, added)
		}
		return service.Update{}, errNotOffered
	})
}

// CheckBiometrics implements service.BiometricChecker.
func (o *Operator) CheckBiometrics(ctx context.Context, at service.OpenAuthorization, captures []service.Capture) (service.Update, error) {
	o.mu.Lock()
	o.Captured = captures
	o.mu.Unlock()
	return o.act(ctx, at, func() (service.Update, error) {
		if t, ok := o.Operator.(service.BiometricChecker); ok {
			return t.CheckBiometrics(ctx, at, captures)
		}
		return service.Update{}, errNotOffered
	})
}

// Cancel implements service.Canceller.
func (o *Operator) Cancel(ctx context.Context, at service.OpenAuthorization, reason string) (service.Update, error) {
	o.mu.Lock()
	o.Reason = reason
	o.mu.Unlock()
	return o.act(ctx, at, func() (service.Update, error) {
		if t, ok := o.Operator.(service.Canceller); ok {
			return t.Cancel(ctx, at, reason)
		}
		return service.Update{}, errNotOffered
	})
}

// act counts an act and does what before says first.
func (o *Operator) act(ctx context.Context, at service.OpenAuthorization, then func() (service.Update, error)) (service.Update, error) {
	o.Acted.Add(1)
	o.mu.Lock()
	before := o.before
	o.mu.Unlock()
	if before != nil {
		if err := before(ctx, at.OperatorRequest); err != nil {
			return service.Update{}, err
		}
	}
	return then()
}

// CheckEligibility implements service.EligibilityChecker.
func (o *Operator) CheckEligibility(ctx context.Context, r service.EligibilityRequest) (service.Eligibility, error) {
	o.mu.Lock()
	o.Eligibility = r
	o.mu.Unlock()
	if c, ok := o.Operator.(service.EligibilityChecker); ok {
		return c.CheckEligibility(ctx, r)
	}
	return service.Eligibility{}, errNotOffered
}

// Before sets what every decision and act waits for.
func (o *Operator) Before(f func(ctx context.Context, r service.OperatorRequest) error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.before = f
}

// Fixed is an operator with one decision, which it does not know later.
type Fixed struct{ Decision service.Decision }

// Authorize implements service.Operator.
func (f Fixed) Authorize(context.Context, service.OperatorRequest) (service.Decision, error) {
	return f.Decision, nil
}

// LookUp implements service.Operator.
func (Fixed) LookUp(context.Context, service.OperatorRequest) (service.Decision, error) {
	return service.Decision{}, service.ErrNotKnown
}
