package deskstore_test

import (
	"testing"
	"time"

	"guiche/internal/desk"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// TestStore_HoldLease: a lease that ran out is taken over by whoever comes first, and
// never holds again; one that holds is left alone.
func TestStore_HoldLease(t *testing.T) {
	e := mustEnv(t)
	first, second := uuid.New(), uuid.New()
	MustDo(t, e.HoldLease(t.Context(), first, e.now.Add(time.Minute)))
	sub := e.submit(t)
	claims, err := e.Claim(t.Context(), first, embedded, wide(1))
	MustDo(t, err)
	MustDo(t, e.HoldLease(t.Context(), second, e.now.Add(time.Hour)))
	if orphans, err := e.TakeOver(t.Context(), second, false); len(orphans) != 0 || err != nil {
		t.Errorf("while it holds: got %d, %v, want nothing", len(orphans), err)
	}
	MustDo(t, e.HoldLease(t.Context(), first, e.now.Add(2*time.Minute)))
	e.pass(2 * time.Minute)
	MustDo(t, e.HoldLease(t.Context(), first, e.now.Add(time.Minute))) // late, and nobody was there before
	e.pass(time.Minute)
	orphans, err := e.TakeOver(t.Context(), second, false)
	if len(orphans) != 1 || err != nil || orphans[0].Case != sub.UID {
		t.Fatalf("after it ran out: got %d, %v, want the case", len(orphans), err)
	}
	if err := e.HoldLease(t.Context(), first, e.now.Add(time.Hour)); !problem.Is(err, problem.Conflict) {
		t.Errorf("held again: got %v, want Conflict", err)
	}
	s := desk.Settlement{Event: desk.EventUnknown, CaseState: desk.CaseState{State: desk.Unknown, Origin: desk.OriginDesk, At: e.now}}
	if err := e.Settle(t.Context(), claims[0], s); !problem.Is(err, problem.Conflict) {
		t.Errorf("settled by who lost it: got %v, want Conflict", err)
	}
	MustDo(t, e.Settle(t.Context(), orphans[0].Claim, s))
}

// TestStore_Reschedule: what was queued by a clock that was years ahead goes now; what a
// service asked to wait for a day waits.
func TestStore_Reschedule(t *testing.T) {
	e := mustEnv(t)
	for range 2 {
		e.submit(t)
	}
	years, day := e.claim(t), e.claim(t)
	e.settle(t, years, desk.Queued, func(s *desk.Settlement) { s.At = e.now.AddDate(3, 0, 0); s.Due = s.At.Add(time.Second) })
	e.settle(t, day, desk.Queued, func(s *desk.Settlement) { s.Due = e.now.Add(24 * time.Hour) })
	MustDo(t, e.Reschedule(t.Context()))
	claims, err := e.Claim(t.Context(), uuid.New(), embedded, wide(9))
	if len(claims) != 1 || err != nil || claims[0].Case != years.Case {
		t.Errorf("got %d claims, %v, want the one that would wait for years", len(claims), err)
	}
}
