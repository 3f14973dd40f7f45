package deskstore_test

import (
	"testing"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/desk"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
)

// TestStore_SubmitAndStart: the first attempt begins with its submission where Claim would
// begin it and no other; otherwise the submission waits for Claim.
func TestStore_SubmitAndStart(t *testing.T) {
	lease := uuid.New()
	start := desk.Start{Lease: lease, To: embedded, Slots: wide(2)}
	t.Run("AtOnce", func(t *testing.T) {
		e := mustEnv(t)
		sub, first := e.submitAndStart(t, start)
		if first == nil || e.mustCase(t, sub.UID).State != desk.Sending {
			t.Fatalf("got %+v, want an attempt", first)
		}
		sameAsClaimed := mustEnv(t)
		claimed := sameAsClaimed.submit(t)
		claims, err := sameAsClaimed.Claim(t.Context(), lease, embedded, wide(2))
		MustDo(t, err)
		want := claims[0]
		want.Case, want.Dispatch.IdempotencyKey = sub.UID, sub.IdempotencyKey
		want.Dispatch.Request.ProviderGuide = e.mustCase(t, sub.UID).ProviderGuide
		if diff := cmp.Diff(want, *first, sameTimes); diff != "" {
			t.Errorf("as by Claim (-want +got):\n%s", diff)
		}
		got, other := e.mustCase(t, sub.UID), sameAsClaimed.mustCase(t, claimed.UID)
		if diff := cmp.Diff(other.CaseState, got.CaseState); diff != "" {
			t.Errorf("state (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(other.Events, got.Events); diff != "" {
			t.Errorf("events (-want +got):\n%s", diff)
		}
		MustDo(t, e.KeepExchange(t.Context(), *first, authorization.Exchange{SentBytes: 1, HTTPStatus: 200}))
		e.settle(t, *first, desk.Refused)
	})
	for name, tc := range map[string]struct {
		before func(t *testing.T, e *env)
		slots  desk.Slots
	}{
		"AnotherWaits": {func(t *testing.T, e *env) { e.submit(t) }, wide(2)},
		"NoSlot": {func(t *testing.T, e *env) {
			if _, first := e.submitAndStart(t, start); first == nil {
				t.Error("the first one got no slot")
			}
		}, wide(1)},
		"NoSlotOfCredential": {func(t *testing.T, e *env) { e.submitAndStart(t, start) }, desk.Slots{All: 9, PerCredential: 1}},
		"Outage": {func(t *testing.T, e *env) {
			for range desk.OutageAfter {
				_, first := e.submitAndStart(t, start)
				e.settle(t, *first, desk.Queued, func(s *desk.Settlement) {
					s.Contact, s.Due = desk.ServiceSilent, e.now.Add(time.Minute)
				})
			}
		}, wide(9)},
	} {
		t.Run(name, func(t *testing.T) {
			e := mustEnv(t)
			tc.before(t, e)
			sub, first := e.submitAndStart(t, desk.Start{Lease: lease, To: embedded, Slots: tc.slots})
			if first != nil || e.mustCase(t, sub.UID).State != desk.Queued {
				t.Errorf("got %+v and %s, want it queued", first, e.mustCase(t, sub.UID).State)
			}
		})
	}
	t.Run("LastSlot", func(t *testing.T) {
		e := mustEnv(t)
		if _, first := e.submitAndStart(t, desk.Start{Lease: lease, To: embedded, Slots: wide(1)}); first == nil {
			t.Error("the only slot stays free")
		}
	})
	t.Run("Late", func(t *testing.T) {
		e := mustEnv(t)
		if _, first := e.submitAndStart(t, start, func(s *desk.Submission) { s.Deadline = e.now }); first != nil {
			t.Error("an attempt of what is late begins")
		}
	})
}

// submitAndStart sends off a new draft whose attempt may begin with it.
func (e *env) submitAndStart(t *testing.T, start desk.Start, change ...func(*desk.Submission)) (desk.Submission, *desk.Claim) {
	t.Helper()
	sub := e.newSubmission(t, change...)
	uid, first, err := e.SubmitAndStart(t.Context(), sub, entry, start)
	MustDo(t, err)
	if uid != sub.UID {
		t.Fatalf("got case %s, want %s", uid, sub.UID)
	}
	return sub, first
}
