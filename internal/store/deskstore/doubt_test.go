package deskstore_test

import (
	"slices"
	"testing"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/blob"
	"guiche/internal/desk"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// unknown leaves a submission without a known outcome.
func (e *env) unknown(t *testing.T, change ...func(*desk.Settlement)) (desk.Submission, desk.Claim) {
	t.Helper()
	sub := e.submit(t)
	c := e.claim(t)
	e.settle(t, c, desk.Unknown, append([]func(*desk.Settlement){func(s *desk.Settlement) { s.UnknownOutcome = true }}, change...)...)
	return sub, c
}

// TestStore_InDoubt: what is unknown is listed, newest first, and read with its latest
// attempt; what is too old, settled, or known with another request is not.
func TestStore_InDoubt(t *testing.T) {
	e := mustEnv(t)
	e.unknown(t) // too old
	e.pass(time.Hour)
	since := e.now
	e.pass(time.Minute)
	first, _ := e.unknown(t)
	e.unknown(t, func(s *desk.Settlement) { s.Alert = desk.AlertConflict })
	e.pass(time.Minute)
	second, _ := e.unknown(t)
	queued := e.submit(t)
	listed, err := e.InDoubt(t.Context(), since)
	MustDo(t, err)
	var doubts []desk.Doubt
	for _, uid := range listed {
		d, err := e.Doubt(t.Context(), uid)
		MustDo(t, err)
		doubts = append(doubts, d)
	}
	want := []desk.Doubt{
		{Case: second.UID, Attempt: 1, ProviderGuide: e.mustCase(t, second.UID).ProviderGuide, SentAt: e.now, Reason: "http_503"},
		{Case: first.UID, Attempt: 1, ProviderGuide: e.mustCase(t, first.UID).ProviderGuide, SentAt: e.now.Add(-time.Minute), Reason: "http_503"},
	}
	if !slices.Equal(doubts, want) {
		t.Errorf("got %+v, want %+v", doubts, want)
	}
	for _, uid := range []uuid.UUID{queued.UID, uuid.New()} {
		if _, err := e.Doubt(t.Context(), uid); !problem.Is(err, problem.NotFound) {
			t.Errorf("got %v for what is no doubt, want not found", err)
		}
	}
}

// TestStore_KeptAnswers: only whole answers of what is unknown are read again.
func TestStore_KeptAnswers(t *testing.T) {
	e := mustEnv(t)
	body := blob.Ref("00000000000000000000000000000000000000000000000000000000000000aa")
	keep := func(x authorization.Exchange, to desk.State) uuid.UUID {
		sub := e.submit(t)
		c := e.claim(t)
		MustDo(t, e.KeepExchange(t.Context(), c, x))
		e.settle(t, c, to, func(s *desk.Settlement) { s.UnknownOutcome = to == desk.Unknown })
		return sub.UID
	}
	whole := keep(authorization.Exchange{HTTPStatus: 200, Body: body, Complete: true}, desk.Unknown)
	keep(authorization.Exchange{HTTPStatus: 200, Body: body}, desk.Unknown)
	keep(authorization.Exchange{HTTPStatus: 504, Complete: true}, desk.Unknown)
	keep(authorization.Exchange{HTTPStatus: 422, Body: body, Complete: true}, desk.Refused)
	kept, err := e.KeptAnswers(t.Context())
	MustDo(t, err)
	if len(kept) != 1 || kept[0].Case != whole || kept[0].Attempt != 1 || kept[0].Exchange == nil || kept[0].Exchange.Body != body {
		t.Errorf("got %+v, want the whole one", kept)
	}
}

// TestStore_Resolve: a doubt ends once, whoever ends it.
func TestStore_Resolve(t *testing.T) {
	e, ctx := mustEnv(t), t.Context()
	found := func() desk.Settlement {
		s := e.analysed("g-1")
		s.Event = desk.EventFound
		return s
	}
	sub, c := e.unknown(t)
	MustDo(t, e.Resolve(ctx, c, found()))
	if got := e.mustCase(t, sub.UID); got.State != desk.Answered || got.UnknownOutcome || len(got.Answers) != 1 ||
		got.Events[len(got.Events)-1].Kind != desk.EventFound {
		t.Errorf("got %+v with %d answers", got.CaseState, len(got.Answers))
	}
	if err := e.Resolve(ctx, c, found()); !problem.Is(err, problem.Conflict) {
		t.Errorf("again: got %v, want Conflict", err)
	}
	if err := e.RecordReply(ctx, sub.UID, 0, e.recorded(), e.decided(uuid.Nil), entry); !problem.Is(err, problem.Conflict) {
		t.Errorf("a person who has not seen it: got %v, want Conflict", err)
	}
	sub, c = e.unknown(t)
	MustDo(t, e.RecordReply(ctx, sub.UID, 0, e.recorded(), e.decided(uuid.Nil), entry))
	if err := e.Resolve(ctx, c, found()); !problem.Is(err, problem.Conflict) {
		t.Errorf("found after a person's word: got %v, want Conflict", err)
	}
	if got := e.mustCase(t, sub.UID); len(got.Answers) != 1 || got.Origin != desk.OriginPerson {
		t.Errorf("got %+v, want the person's word alone", got.CaseState)
	}
}

// TestStore_NoteAbsent: that the service never got it is told once, of what is unknown.
func TestStore_NoteAbsent(t *testing.T) {
	e, ctx := mustEnv(t), t.Context()
	sub, _ := e.unknown(t)
	for range 2 {
		MustDo(t, e.NoteAbsent(ctx, sub.UID))
	}
	got := e.mustCase(t, sub.UID)
	absent := slices.DeleteFunc(got.Events, func(e desk.Event) bool { return e.Kind != desk.EventAbsent })
	if got.State != desk.Unknown || got.Reason != desk.ReasonAbsent || len(absent) != 1 {
		t.Errorf("got %+v with %d events", got.CaseState, len(absent))
	}
	queued := e.submit(t)
	MustDo(t, e.NoteAbsent(ctx, queued.UID))
	if got := e.mustCase(t, queued.UID); got.Reason != "" {
		t.Errorf("what waits to be sent: got %q", got.Reason)
	}
}
