package deskstore_test

import (
	"testing"
	"time"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// decided is what a person recorded.
func (e *env) decided(resent uuid.UUID) desk.Decision {
	return desk.Decision{At: e.now, By: bia, Resent: resent, Inquiry: desk.Inquiry{Contact: "Marta", CallProtocol: "77", Note: "n"}}
}

// recorded is what becomes of a case by the operator's word to a person.
func (e *env) recorded() desk.Settlement {
	return desk.Settlement{Event: desk.EventRecorded, CaseState: desk.CaseState{State: desk.Answered, Status: authorization.Authorized,
		Group: authorization.Ready, Origin: desk.OriginPerson, At: e.now},
		AnswerSummary: desk.AnswerSummary{Authorizations: 1, Authorized: 1, Senha: "48"},
		Answer: &authorization.Answer{Success: true, Authorizations: []authorization.Authorization{{Number: 1, Success: true,
			Status: authorization.Authorized, Senha: "48"}}}}
}

// doubt sends off a case of which nobody knows what became.
func (e *env) doubt(t *testing.T, change ...func(*desk.Submission)) desk.Submission {
	t.Helper()
	sub := e.submit(t, change...)
	e.settle(t, e.claim(t), desk.Unknown, func(s *desk.Settlement) { s.UnknownOutcome, s.Alert = true, desk.AlertConflict })
	e.pass(time.Minute)
	return sub
}

// again is a submission that sends another one once more.
func (e *env) again(sub desk.Submission) desk.Submission {
	sub.UID, sub.Token, sub.Previous, sub.IdempotencyKey = uuid.New(), sub.UID, sub.UID, uuid.NewString()
	sub.Sender, sub.At, sub.Deadline = bia, e.now, e.now.Add(time.Hour)
	return sub
}

// TestStore_RecordReply: only what is unknown becomes answered by a person, once.
func TestStore_RecordReply(t *testing.T) {
	e, ctx := mustEnv(t), t.Context()
	sub := e.doubt(t, func(s *desk.Submission) { s.Simulated = true })
	MustDo(t, e.RecordReply(ctx, sub.UID, 0, e.recorded(), e.decided(uuid.Nil), audit.Entry{Event: audit.ReplyRecorded}))
	c := e.mustCase(t, sub.UID)
	if c.State != desk.Answered || c.Origin != desk.OriginPerson || c.Alert != desk.AlertNone || c.UnknownOutcome || c.Reason != "" ||
		!c.At.Equal(e.now) || c.Senha != "48" || c.Answer == nil || !c.Simulated {
		t.Errorf("got %+v", c)
	}
	if len(c.Decisions) != 1 || c.Decisions[0] != e.decided(uuid.Nil) {
		t.Errorf("decisions: got %+v", c.Decisions)
	}
	err := e.RecordReply(ctx, sub.UID, 0, e.recorded(), e.decided(uuid.Nil), audit.Entry{Event: audit.ReplyRecorded})
	if !problem.Is(err, problem.Conflict) {
		t.Errorf("again: got %v, want Conflict", err)
	}
	queued := e.submit(t)
	err = e.RecordReply(ctx, queued.UID, 0, e.recorded(), e.decided(uuid.Nil), audit.Entry{Event: audit.ReplyRecorded})
	if !problem.Is(err, problem.Conflict) || e.mustCase(t, queued.UID).State != desk.Queued {
		t.Errorf("of what waits to be sent: got %v, want Conflict", err)
	}
	if got := len(e.events(t)); got != 3 {
		t.Errorf("trail: got %d entries, want two submissions and one record", got)
	}
}

// TestStore_Resend: the new submission and the end of the first are one commit, once.
func TestStore_Resend(t *testing.T) {
	e, ctx := mustEnv(t), t.Context()
	sub := e.doubt(t)
	again := e.again(sub)
	MustDo(t, e.Resend(ctx, sub.UID, again, e.decided(again.UID), audit.Entry{Event: audit.RequestResent}, entry))
	old, sent := e.mustCase(t, sub.UID), e.mustCase(t, again.UID)
	if old.State != desk.Resent || old.Group != authorization.Closed || old.Alert != desk.AlertNone || old.UnknownOutcome ||
		len(old.Decisions) != 1 || old.Decisions[0] != e.decided(again.UID) {
		t.Errorf("the first: got %+v", old)
	}
	if sent.State != desk.Queued || sent.ResendOf != sub.UID || sent.Sender != bia || sent.ProviderGuide == old.ProviderGuide ||
		len(sent.Attachments) != len(old.Attachments) {
		t.Errorf("the second: got %+v", sent)
	}
	if got := e.claim(t); got.Case != again.UID {
		t.Errorf("sent %s, want the new one", got.Case)
	}
	third := e.again(sub)
	if err := e.Resend(ctx, sub.UID, third, e.decided(third.UID), entry); !problem.Is(err, problem.Conflict) {
		t.Errorf("again: got %v, want Conflict", err)
	}
	if _, err := e.Case(ctx, all, third.UID); !problem.Is(err, problem.NotFound) {
		t.Errorf("the third: got %v, want nothing", err)
	}
}
