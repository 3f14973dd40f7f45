// Package operatortest holds a connector to the Operator port's rules, for the
// tests of whoever writes the next one.
package operatortest

import (
	"context"
	"errors"
	"reflect"
	"sync"
	"testing"

	"guiche/internal/authorization"
	"guiche/internal/service"

	"github.com/google/uuid"
)

// Check asks an operator for one decision and then for everything else that it
// offers, and holds each answer to what the service takes: call it with a request
// for every kind of answer that the operator has. With -race it also tells
// whether the operator is safe for concurrent use.
//
// An error of Authorize is a failure of the test: errors have no shape to check.
func Check(tb testing.TB, o service.Operator, r service.OperatorRequest) {
	tb.Helper()
	c := checker{tb, o}
	given := r
	given.Request.Procedures = append([]authorization.Procedure(nil), r.Request.Procedures...)
	given.Request.Attachments = append([]authorization.Attachment(nil), r.Request.Attachments...)
	decided, err := o.Authorize(tb.Context(), given)
	if err != nil {
		tb.Fatalf("Authorize: %v", err)
	}
	if err := decided.Check(); err != nil {
		tb.Fatalf("Authorize: %v", err)
	}
	if !reflect.DeepEqual(given, r) {
		tb.Error("Authorize changed the request that it was given")
	}
	c.lookUp(r, decided)
	for i, a := range decided.Authorizations {
		a.Number, a.GuideID, a.ProviderGuide = i+1, uuid.NewString(), r.Request.ProviderGuide
		c.life(service.OpenAuthorization{OperatorRequest: r, Authorization: a, Since: r.ReceivedAt})
	}
	c.eligibility(r)
}

type checker struct {
	tb testing.TB
	o  service.Operator
}

// lookUp asks several times at once: each time what was decided, or that nothing
// can be told.
func (c checker) lookUp(r service.OperatorRequest, decided service.Decision) {
	c.tb.Helper()
	const callers = 4
	var all sync.WaitGroup
	found, errs := make([]service.Decision, callers), make([]error, callers)
	for i := range callers {
		all.Go(func() { found[i], errs[i] = c.o.LookUp(c.tb.Context(), r) })
	}
	all.Wait()
	for i, err := range errs {
		switch {
		case errors.Is(err, service.ErrNotKnown):
		case err != nil:
			c.tb.Errorf("LookUp: %v, want a decision or ErrNotKnown", err)
		case !sameDecision(found[i], decided):
			c.tb.Errorf("LookUp: got %s, want what Authorize said: %s", told(found[i]), told(decided))
		}
	}
}

// sameDecision compares what a partner would act on.
func sameDecision(a, b service.Decision) bool {
	if len(a.Authorizations) != len(b.Authorizations) || len(a.Errors) != len(b.Errors) {
		return false
	}
	for i, x := range a.Authorizations {
		y := b.Authorizations[i]
		if x.Status != y.Status || x.GuideNumber != y.GuideNumber || x.Senha != y.Senha {
			return false
		}
	}
	return true
}

// told is the statuses of a decision: no numbers, no names.
func told(d service.Decision) (statuses string) {
	for _, a := range d.Authorizations {
		statuses += string(a.Status)
	}
	return statuses
}

// life tries what may be done to an authorization as it stands.
func (c checker) life(at service.OpenAuthorization) {
	c.tb.Helper()
	if o, ok := c.o.(service.StatusPoller); ok {
		c.update("PollStatus", at, func(ctx context.Context) (service.Update, error) { return o.PollStatus(ctx, at) })
	}
	if o, ok := c.o.(service.AttachmentTaker); ok && at.Authorization.Status == authorization.AwaitingAttachment {
		c.update("AddAttachments", at, func(ctx context.Context) (service.Update, error) {
			return o.AddAttachments(ctx, at, []authorization.Attachment{{Name: "laudo.pdf", ContentType: "application/pdf", Size: 1, Blob: "0"}})
		})
	}
	waits := at.Authorization.Status == authorization.AwaitingBiometrics || at.Authorization.Status == authorization.InvalidBiometrics
	if o, ok := c.o.(service.BiometricChecker); ok && waits {
		c.update("CheckBiometrics", at, func(ctx context.Context) (service.Update, error) {
			return o.CheckBiometrics(ctx, at, []service.Capture{{Kind: service.CaptureKinds()[0], Data: []byte{1}}})
		})
	}
	if o, ok := c.o.(service.Canceller); ok && service.Follows(at.Authorization.Status, authorization.AwaitingCancellation) {
		c.update("Cancel", at, func(ctx context.Context) (service.Update, error) { return o.Cancel(ctx, at, "teste") })
	}
}

// update holds one answer to the life of an authorization (row 19).
func (c checker) update(name string, at service.OpenAuthorization, call func(context.Context) (service.Update, error)) {
	c.tb.Helper()
	u, err := call(c.tb.Context())
	before, after := at.Authorization.Status, u.Authorization.Status
	switch {
	case err != nil:
		c.tb.Errorf("%s in %s: %v", name, before, err)
	case u.Check() != nil:
		c.tb.Errorf("%s in %s: %v", name, before, u.Check())
	case after != "" && after != before && !service.Leads(before, after):
		c.tb.Errorf("%s: %s never follows %s", name, after, before)
	case u.PollAfter < 0:
		c.tb.Errorf("%s in %s: PollAfter is %v", name, before, u.PollAfter)
	}
}

// eligibility asks about the card of the request.
func (c checker) eligibility(r service.OperatorRequest) {
	c.tb.Helper()
	o, ok := c.o.(service.EligibilityChecker)
	if !ok {
		return
	}
	got, err := o.CheckEligibility(c.tb.Context(), service.EligibilityRequest{AskedAt: r.ReceivedAt, Credential: r.Credential,
		CardNumber: r.Request.CardNumber, CardValidity: r.Request.CardValidity})
	if err != nil || !got.Eligible && got.Situation == "" && len(got.Messages) == 0 {
		c.tb.Errorf("CheckEligibility: got %v, eligible %v, want a reason where the card is not", err, got.Eligible)
	}
}
