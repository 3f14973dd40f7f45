package deskstore_test

import (
	"testing"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// analysed is what an answer makes of a case on which the operator has not decided.
func (e *env) analysed(guideID string) desk.Settlement {
	return desk.Settlement{Event: desk.EventAnswered, Follow: e.now.Add(time.Minute),
		CaseState: desk.CaseState{State: desk.Answered, Status: authorization.UnderAnalysis, Group: authorization.Waiting,
			Origin: desk.OriginOperator, At: e.now},
		Answer: &authorization.Answer{Success: true, Authorizations: []authorization.Authorization{{Number: 1, Success: true,
			Status: authorization.UnderAnalysis, GuideID: guideID}}}}
}

// open sends off a case that the operator is analysing.
func (e *env) open(t *testing.T, guideID string, change ...func(*desk.Submission)) desk.Submission {
	t.Helper()
	sub := e.submit(t, change...)
	MustDo(t, e.Settle(t.Context(), e.claim(t), e.analysed(guideID)))
	return sub
}

// follow leases the next case for five minutes.
func (e *env) follow(t *testing.T, except ...uuid.UUID) (desk.Followed, bool) {
	t.Helper()
	f, found, err := e.Follow(t.Context(), "embutido", e.now.Add(5*time.Minute), except)
	MustDo(t, err)
	return f, found
}

// TestStore_Follow: a case is leased when it is due, to one process at a time, and again
// when the lease is over; whoever lost it keeps nothing.
func TestStore_Follow(t *testing.T) {
	e, ctx := mustEnv(t), t.Context()
	sub := e.open(t, "g-1")
	if due, err := e.FollowsDue(ctx); due || err != nil {
		t.Errorf("at once: got %v, %v, want nothing due", due, err)
	}
	e.pass(time.Minute)
	if due, err := e.FollowsDue(ctx); !due || err != nil {
		t.Errorf("a minute later: got %v, %v", due, err)
	}
	first, found := e.follow(t)
	if !found || first.Case != sub.UID || first.Attempt != 1 || first.Answers != 1 || first.Said[0].GuideID != "g-1" ||
		first.InForce.Authorizations[0].Status != authorization.UnderAnalysis {
		t.Fatalf("got %+v, %v", first, found)
	}
	if other, found := e.follow(t); found {
		t.Errorf("another process got %+v", other)
	}
	e.pass(5 * time.Minute)
	second, found := e.follow(t)
	if !found {
		t.Fatal("the lease does not end")
	}
	MustDo(t, e.KeepLook(ctx, first, e.now, e.now.Add(time.Hour)))
	if err := e.KeepUpdate(ctx, first, e.analysed("g-1")); !problem.Is(err, problem.Conflict) {
		t.Errorf("an answer of who lost the lease: got %v, want Conflict", err)
	}
	if c := e.mustCase(t, sub.UID); !c.FollowedAt.IsZero() || !c.FollowAt.Equal(second.Until) {
		t.Errorf("got last look %s, next %s", c.FollowedAt, c.FollowAt)
	}
	MustDo(t, e.KeepLook(ctx, second, e.now, e.now.Add(time.Hour)))
	if c := e.mustCase(t, sub.UID); !c.FollowedAt.Equal(e.now) || !c.FollowAt.Equal(e.now.Add(time.Hour)) {
		t.Errorf("kept: got last look %s, next %s", c.FollowedAt, c.FollowAt)
	}
}

// TestStore_Follow_Except: credentials that have no place left, who does not answer, and
// what another service got are left alone.
func TestStore_Follow_Except(t *testing.T) {
	e := mustEnv(t)
	ours := e.open(t, "g-1")
	theirs := e.open(t, "g-2", toOther)
	e.pass(time.Hour)
	if f, found := e.follow(t, ours.Request.CredentialID, other); found {
		t.Errorf("got %+v, want none", f)
	}
	if f, found := e.follow(t, ours.Request.CredentialID); !found || f.Case != theirs.UID || f.Credential != other {
		t.Errorf("got %+v, want that of the other credential", f)
	}
	if _, found, err := e.Follow(t.Context(), "https://outro.example", e.now.Add(time.Minute), nil); found || err != nil {
		t.Errorf("another service: got %v, %v, want none", found, err)
	}
	for range desk.OutageAfter {
		e.submit(t)
		e.settle(t, e.claim(t), desk.Queued, silent(desk.OperatorSilent), func(s *desk.Settlement) { s.Due = e.now.Add(time.Hour) })
	}
	if f, found := e.follow(t); found {
		t.Errorf("in an outage: got %+v, want none", f)
	}
	e.pass(time.Minute)
	if f, found := e.follow(t); !found || f.Case != ours.UID {
		t.Errorf("after its pause: got %+v, %v", f, found)
	}
}

// TestStore_KeepUpdate: what the operator changed is another answer, unless a person
// recorded something meanwhile; of that the service has said nothing.
func TestStore_KeepUpdate(t *testing.T) {
	e, ctx := mustEnv(t), t.Context()
	sub := e.open(t, "g-1")
	e.pass(time.Minute)
	f, _ := e.follow(t)
	recorded := e.recorded()
	recorded.Answer.Authorizations[0].Recorded = true
	MustDo(t, e.RecordReply(ctx, sub.UID, 1, recorded, e.decided(uuid.Nil), entry))
	update := e.analysed("g-1")
	update.Event = desk.EventUpdated
	if err := e.KeepUpdate(ctx, f, update); !problem.Is(err, problem.Conflict) {
		t.Errorf("after a person's word: got %v, want Conflict", err)
	}
	e.pass(5 * time.Minute)
	f, found := e.follow(t)
	if !found || f.Answers != 2 || f.Said[0].GuideID != "g-1" || f.InForce.Authorizations[0].Senha != "48" {
		t.Fatalf("got %+v, %v", f, found)
	}
	update.Follow = time.Time{}
	MustDo(t, e.KeepUpdate(ctx, f, update))
	c := e.mustCase(t, sub.UID)
	if len(c.Answers) != 3 || c.Origin != desk.OriginOperator || !c.FollowAt.IsZero() || !c.FollowedAt.Equal(update.At) {
		t.Errorf("got %+v, %d answers, next %s", c.CaseState, len(c.Answers), c.FollowAt)
	}
	if last := c.Events[len(c.Events)-1]; last.Kind != desk.EventUpdated {
		t.Errorf("last event: got %+v", last)
	}
}

// TestStore_RescheduleFollowed: what a clock that was ahead planned is due now, and what has not
// changed for long is not followed any more.
func TestStore_RescheduleFollowed(t *testing.T) {
	e, ctx := mustEnv(t), t.Context()
	old := e.open(t, "g-0")
	e.pass(40 * 24 * time.Hour)
	soon := e.open(t, "g-1")
	e.pass(time.Minute)
	ahead := e.submit(t)
	s := e.analysed("g-2")
	s.Follow = e.now.AddDate(3, 0, 0)
	MustDo(t, e.Settle(ctx, e.claim(t), s))
	MustDo(t, e.RescheduleFollowed(ctx, e.now.Add(desk.LongestFollowPause), e.now.Add(-30*24*time.Hour)))
	for uid, want := range map[uuid.UUID]time.Time{old.UID: {}, soon.UID: e.now, ahead.UID: e.now} {
		if c := e.mustCase(t, uid); !c.FollowAt.Equal(want) {
			t.Errorf("%s: got %s, want %s", c.Answer.Authorizations[0].GuideID, c.FollowAt, want)
		}
	}
}
