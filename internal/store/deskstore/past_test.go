package deskstore_test

import (
	"testing"
	"time"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/store/checksum"
	"guiche/internal/store/deskstore"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"
)

// pastAnswer is an answer with an authorization of which a procedure was authorized.
func pastAnswer() authorization.Outcome {
	return authorization.Outcome{Kind: authorization.OutcomeAnswered, Answer: authorization.Answer{Success: true,
		Authorizations: []authorization.Authorization{{Number: 1, Success: true, Status: authorization.Authorized, Senha: "A778",
			Protocol: "5519", GuidePDF: "guide", Procedures: []authorization.ProcedureResult{{Code: "1", Name: "Um", Quantity: 2, Authorized: 2}}}}}}
}

// TestStore_AddPast: a case that is written when it is over is as if it had been sent,
// answered and settled here, wherever it shows.
func TestStore_AddPast(t *testing.T) {
	step := mustEnv(t)
	sub := step.submit(t)
	claim := step.claim(t)
	exchange := authorization.Exchange{StartedAt: noon, EndedAt: noon, SentBytes: 512, HTTPStatus: 200, Body: "raw", Complete: true}
	MustDo(t, step.KeepExchange(t.Context(), claim, exchange))
	settled := desk.SettledAt(noon, pastAnswer())
	MustDo(t, step.Settle(t.Context(), claim, settled))
	want := step.mustCase(t, sub.UID)

	past := mustEnv(t)
	sub.Request.ProviderGuide = want.ProviderGuide
	MustDo(t, past.AddPast(t.Context(), []deskstore.Past{{Submission: sub, To: embedded, Exchange: &exchange, Settlement: settled,
		Entry: entry}}))
	alike := cmp.Options{sameTimes, cmpopts.EquateEmpty(), cmpopts.IgnoreUnexported(desk.Case{})}
	if diff := cmp.Diff(want, past.mustCase(t, sub.UID), alike); diff != "" {
		t.Errorf("case (-stepwise +past):\n%s", diff)
	}
	if diff := cmp.Diff(step.events(t), past.events(t)); diff != "" {
		t.Errorf("trail (-stepwise +past):\n%s", diff)
	}
	wantSameLists(t, step, past)
}

// wantSameLists compares the queue and its counters.
func wantSameLists(t *testing.T, x, y *env) {
	t.Helper()
	var pages [2][]desk.CaseSummary
	var counts [2]desk.Counts
	for i, e := range []*env{x, y} {
		var err error
		pages[i], err = e.Cases(t.Context(), all, desk.Query{Limit: 9})
		MustDo(t, err)
		counts[i], err = e.Counts(t.Context(), all, noon.Add(-time.Hour))
		MustDo(t, err)
	}
	if diff := cmp.Diff(pages[0], pages[1], sameTimes); diff != "" || len(pages[0]) == 0 {
		t.Errorf("list:\n%s", diff)
	}
	if diff := cmp.Diff(counts[0], counts[1]); diff != "" {
		t.Errorf("counters:\n%s", diff)
	}
}

// TestStore_AddPast_Kinds writes each way in which a case ends, a correction among them,
// with one call; every row is whole.
func TestStore_AddPast_Kinds(t *testing.T) {
	e := mustEnv(t)
	sub := func(n int) desk.Submission {
		s := desk.Submission{UID: uuid.New(), Token: uuid.New(), Sender: ana, Request: fullRequest(), IdempotencyKey: uuid.NewString(),
			At: noon.Add(time.Duration(n) * time.Second), Deadline: noon.Add(time.Hour)}
		s.Request.ProviderGuide = desk.ProviderGuide(s.At, 1, int64(n))
		return s
	}
	exchange := &authorization.Exchange{StartedAt: noon, EndedAt: noon}
	unknown := desk.SettledAt(noon, authorization.Outcome{Kind: authorization.OutcomeUnknown, Reason: "tempo"})
	denied := desk.SettledAt(noon, authorization.Outcome{Kind: authorization.OutcomeRefused, Reason: "http_422"})
	withdrawn := desk.Settlement{Event: desk.EventWithdrawn, CaseState: desk.CaseState{State: desk.Withdrawn,
		Group: authorization.Closed, Origin: desk.OriginPerson, At: noon}}
	cases := []deskstore.Past{
		{Submission: sub(1), Exchange: exchange, Settlement: desk.SettledAt(noon, pastAnswer())},
		{Submission: sub(2), Exchange: exchange, Settlement: unknown},
		{Submission: sub(3), Exchange: exchange, Settlement: denied},
		{Submission: sub(4), Settlement: withdrawn, By: bia},
		{Submission: sub(5), Exchange: exchange, Settlement: desk.SettledAt(noon, pastAnswer())},
	}
	cases[4].Submission.Previous, cases[4].Submission.Copy = cases[2].Submission.UID, desk.Correction
	for i := range cases {
		cases[i].To, cases[i].Entry = embedded, audit.Entry{Event: audit.RequestSubmitted}
	}
	MustDo(t, e.AddPast(t.Context(), cases))
	var states []desk.State
	for _, c := range cases {
		states = append(states, e.mustCase(t, c.Submission.UID).State)
	}
	if diff := cmp.Diff([]desk.State{desk.Answered, desk.Unknown, desk.Refused, desk.Withdrawn, desk.Answered}, states); diff != "" {
		t.Errorf("states:\n%s", diff)
	}
	if c := e.mustCase(t, cases[2].Submission.UID); !c.Corrected {
		t.Error("what was corrected does not say so")
	}
	MustDo(t, checksum.Check(t.Context(), e.db, deskstore.ProtectedTables(), func(r checksum.Row) { t.Errorf("%s is damaged", r) }, nil))
	MustDo(t, e.trail.Verify(t.Context()))
}
