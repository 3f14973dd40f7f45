package deskstore_test

import (
	"slices"
	"testing"
	"time"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/permission"
	"guiche/internal/problem"
	"guiche/internal/store/storetest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
)

// TestStore_Case: what was submitted is read back, every field of it.
func TestStore_Case(t *testing.T) {
	e := mustEnv(t)
	files := []desk.Attachment{attachment(), attachment()}
	earlier := uuid.New()
	sub := e.submit(t, func(s *desk.Submission) { s.Attachments, s.Previous = files, earlier })
	c := e.mustCase(t, sub.UID)
	want := fullRequest()
	want.Attachments = []authorization.Attachment{files[0].Attachment, files[1].Attachment}
	want.ProviderGuide = c.ProviderGuide
	if diff := cmp.Diff(want, c.Request, sameTimes); diff != "" {
		t.Errorf("request (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(files, c.Attachments); diff != "" {
		t.Errorf("attachments (-want +got):\n%s", diff)
	}
	first := c.ProviderGuide[15:] == "00001" || storetest.OnPostgres() // where a run that is taken back uses up its number
	if len(c.ProviderGuide) != 20 || c.ProviderGuide[:12] != "261120120000" || !first {
		t.Errorf("guide: got %s, want the time, an installation and the first number", c.ProviderGuide)
	}
	summary := desk.CaseSummary{
		UID: sub.UID, CreatedAt: noon, BeneficiaryName: "Maria", CardNumber: "0310", PatientPresent: true,
		Credential: sub.Names.Credential, ProcedureCode: want.Procedures[0].Code, ProcedureName: want.Procedures[0].Name, Procedures: 2,
		CaseState: desk.CaseState{State: desk.Queued, Group: authorization.Waiting, Origin: desk.OriginDesk, At: noon},
	}
	if diff := cmp.Diff(summary, c.CaseSummary, sameTimes); diff != "" {
		t.Errorf("summary (-want +got):\n%s", diff)
	}
	if c.Sender != ana || c.Previous != earlier || !c.Deadline.Equal(noon.Add(time.Hour)) || !c.Due.Equal(noon) ||
		c.UnknownOutcome || c.Answer != nil || c.Corrections != nil || c.Repetitions != nil {
		t.Errorf("got %+v", c)
	}
	if diff := cmp.Diff([]desk.Event{{At: noon, Kind: desk.EventSubmitted, Actor: ana}}, c.Events); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	state, err := e.CaseState(t.Context(), all, sub.UID)
	if err != nil || state != c.CaseState {
		t.Errorf("state: got %+v, %v, want %+v", state, err, c.CaseState)
	}
}

// TestStore_Case_Answer: an answer is read back, each error at its place.
func TestStore_Case_Answer(t *testing.T) {
	e := mustEnv(t)
	sub := e.submit(t)
	claim := e.claim(t)
	e.pass(time.Second)
	exchange := authorization.Exchange{StartedAt: noon.Add(time.Millisecond), EndedAt: e.now, SentBytes: 512, HTTPStatus: 200,
		Complete: true, Failure: authorization.FailureCut}
	MustDo(t, e.KeepExchange(t.Context(), claim, exchange))
	MustDo(t, e.KeepExchange(t.Context(), claim, authorization.Exchange{HTTPStatus: 500})) // again is no error and changes nothing
	answer := authorization.Answer{
		Success: true, GuidePDF: "all", ReceiptPDF: "receipt",
		Errors: []authorization.AnswerError{{Code: "c", Field: "f", Message: "m"}, {Message: "n"}},
		Authorizations: []authorization.Authorization{{
			Number: 1, Success: true, Status: "Z", GuideID: "g", GuideNumber: "900", Senha: "482",
			SenhaValidUntil: authorization.DateOf(2026, time.December, 20),
			Protocol:        "p", ProviderGuide: "pg", PartnerGuide: "pt", RequestNumber: "r",
			AuthorizedAt: authorization.DateOf(2026, time.November, 20), GuidePDF: "one",
			Procedures: []authorization.ProcedureResult{
				{Code: "1", Name: "Um", Quantity: 2, Authorized: 1, Executed: 3, Senha: "s", Protocol: "q", Justification: "j",
					Mnemonic: "k"}, {Code: "2"}},
			Errors: []authorization.AnswerError{{Code: "1438", Field: "procedimentos[0]", Message: "limite"}},
		}, {Number: 2, Status: "N", Errors: []authorization.AnswerError{{Message: "outro"}}}},
	}
	fields := []problem.Field{{Path: "numeroCarteira", Code: "1013", Message: "Confira."}}
	e.settle(t, claim, desk.Answered, func(s *desk.Settlement) {
		s.Answer, s.Fields, s.Event, s.Status, s.Origin, s.Alert, s.Simulated = &answer, fields, desk.EventAnswered, "N",
			desk.OriginOperator, "", true
		s.Group, s.Reason = desk.GroupOf(desk.Answered, "N"), ""
		s.AnswerSummary = desk.AnswerSummary{Authorizations: 2, Authorized: 1, Items: 2, ItemsAuthorized: 1, Senha: "482",
			SenhaValidUntil: authorization.DateOf(2026, time.December, 20)}
	})
	c := e.mustCase(t, sub.UID)
	if diff := cmp.Diff(&answer, c.Answer, sameTimes); diff != "" {
		t.Errorf("answer (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(fields, c.Fields); diff != "" {
		t.Errorf("fields (-want +got):\n%s", diff)
	}
	state := desk.CaseState{State: desk.Answered, Status: "N", Group: authorization.Refusal, Origin: desk.OriginOperator,
		At: e.now, Simulated: true}
	summary := desk.AnswerSummary{Authorizations: 2, Authorized: 1, Items: 2, ItemsAuthorized: 1, Senha: "482",
		SenhaValidUntil: authorization.DateOf(2026, time.December, 20)}
	if c.CaseState != state || c.AnswerSummary != summary {
		t.Errorf("got %+v, %+v, want %+v, %+v", c.CaseState, c.AnswerSummary, state, summary)
	}
	attempts := []desk.Attempt{{Number: 1, StartedAt: exchange.StartedAt, EndedAt: exchange.EndedAt, SentBytes: 512,
		HTTPStatus: 200, Failure: authorization.FailureCut}}
	if diff := cmp.Diff(attempts, c.Attempts); diff != "" {
		t.Errorf("attempts (-want +got):\n%s", diff)
	}
	events := []desk.Event{{At: noon, Kind: desk.EventSubmitted, Actor: ana}, {At: noon, Kind: desk.EventSent, Attempt: 1},
		{At: e.now, Kind: desk.EventAnswered, Attempt: 1}}
	if diff := cmp.Diff(events, c.Events); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

// TestStore_Case_Linked: corrections and repetitions are found from what they copy.
func TestStore_Case_Linked(t *testing.T) {
	e := mustEnv(t)
	first := e.submit(t)
	copyOf := func(kind desk.CopyKind) uuid.UUID {
		return e.submit(t, func(s *desk.Submission) { s.Previous, s.Copy = first.UID, kind }).UID
	}
	corrected, repeated, again := copyOf(desk.Correction), copyOf(desk.Repetition), copyOf(desk.Repetition)
	got := e.mustCase(t, first.UID)
	if !slices.Equal(got.Corrections, []uuid.UUID{corrected}) || !slices.Equal(got.Repetitions, []uuid.UUID{repeated, again}) ||
		got.Previous != uuid.Nil || got.Copy != desk.NoCopy {
		t.Errorf("got %v, %v of %v", got.Corrections, got.Repetitions, got.Previous)
	}
	if c := e.mustCase(t, repeated); c.Previous != first.UID || c.Copy != desk.Repetition {
		t.Errorf("got a %s of %v", c.Copy, c.Previous)
	}
}

// TestStore_Reach: a case of another unit is found by nobody.
func TestStore_Reach(t *testing.T) {
	e := mustEnv(t)
	here, there := e.submit(t), e.submit(t, func(s *desk.Submission) { s.Request.UnitID = praia })
	for name, c := range map[string]struct {
		reach permission.Reach
		want  []uuid.UUID
	}{
		"All":   {all, []uuid.UUID{there.UID, here.UID}},
		"One":   {permission.Reach{Units: []uuid.UUID{centro}}, []uuid.UUID{here.UID}},
		"Both":  {permission.Reach{Units: []uuid.UUID{centro, praia}}, []uuid.UUID{there.UID, here.UID}},
		"None":  {permission.Reach{}, nil},
		"Other": {permission.Reach{Units: []uuid.UUID{uuid.New()}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			cases, err := e.Cases(t.Context(), c.reach, desk.Query{Limit: 10})
			if got := uids(cases); err != nil || !slices.Equal(got, c.want) {
				t.Errorf("cases: got %v, %v, want %v", got, err, c.want)
			}
			counts, err := e.Counts(t.Context(), c.reach, time.Time{})
			if err != nil || counts.Groups[authorization.Waiting].Count != len(c.want) {
				t.Errorf("counts: got %+v, %v, want %d", counts, err, len(c.want))
			}
			for _, uid := range []uuid.UUID{here.UID, there.UID} {
				_, err := e.Case(t.Context(), c.reach, uid)
				_, stateErr := e.CaseState(t.Context(), c.reach, uid)
				found := slices.Contains(c.want, uid)
				for _, err := range []error{err, stateErr} {
					if found != (err == nil) || !found && !problem.Is(err, problem.NotFound) {
						t.Errorf("%s: got %v, want it found: %t", uid, err, found)
					}
				}
			}
		})
	}
}

func uids(cases []desk.CaseSummary) (all []uuid.UUID) {
	for _, c := range cases {
		all = append(all, c.UID)
	}
	return all
}

// TestStore_Cases: each condition of a query alone.
func TestStore_Cases(t *testing.T) {
	e := mustEnv(t)
	oldest := e.submit(t)
	e.settle(t, e.claim(t), desk.Refused)
	e.pass(time.Hour)
	unknown := e.submit(t, func(s *desk.Submission) { s.Request.UnitID = praia })
	e.settle(t, e.claim(t), desk.Unknown, func(s *desk.Settlement) { s.UnknownOutcome = true })
	e.pass(time.Hour)
	queued := e.submit(t)
	latest := e.submit(t)
	for name, c := range map[string]struct {
		q    desk.Query
		want []uuid.UUID
	}{
		"All":     {desk.Query{Limit: 10}, []uuid.UUID{unknown.UID, oldest.UID, latest.UID, queued.UID}},
		"Limit":   {desk.Query{Limit: 2}, []uuid.UUID{unknown.UID, oldest.UID}},
		"Group":   {desk.Query{Limit: 10, Group: authorization.ToFix}, []uuid.UUID{oldest.UID}},
		"Unknown": {desk.Query{Limit: 10, Unknown: true}, []uuid.UUID{unknown.UID}},
		"Before":  {desk.Query{Limit: 2, Before: oldest.UID}, []uuid.UUID{latest.UID, queued.UID}},
		"Last":    {desk.Query{Limit: 2, Before: queued.UID}, nil},
	} {
		cases, err := e.Cases(t.Context(), all, c.q)
		if got := uids(cases); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, %v, want %v", name, got, err, c.want)
		}
	}
}

// TestStore_Cases_AtCounter: what is unknown comes first, then whose patient waits at the
// counter for somebody to do something, then the others by group; and pages go on where the
// page before ended.
func TestStore_Cases_AtCounter(t *testing.T) {
	e := mustEnv(t)
	absent := func(s *desk.Submission) { s.Request.PatientPresent = false }
	yesterday := e.submit(t)
	e.settle(t, e.claim(t), desk.Queued, func(s *desk.Settlement) { s.Due = e.now.Add(48 * time.Hour) })
	longAgo, doubtful := e.submit(t, absent), e.submit(t)
	for range 2 {
		e.settle(t, e.claim(t), desk.Unknown, func(s *desk.Settlement) { s.UnknownOutcome = true })
	}
	e.pass(24 * time.Hour)
	today := e.now
	ready := e.submit(t)
	e.settle(t, e.claim(t), desk.Answered, func(s *desk.Settlement) { s.Group = authorization.Ready })
	var refused []uuid.UUID
	for _, change := range [][]func(*desk.Submission){{absent}, nil, nil} {
		refused = append(refused, e.submit(t, change...).UID)
		e.settle(t, e.claim(t), desk.Refused)
	}
	last := e.submit(t, absent)
	want := []uuid.UUID{longAgo.UID, doubtful.UID, refused[1], refused[2], refused[0], ready.UID, last.UID, yesterday.UID}
	for size := 1; size <= len(want)+1; size++ {
		var got []uuid.UUID
		q := desk.Query{Limit: size, Today: today}
		for {
			cases, err := e.Cases(t.Context(), all, q)
			MustDo(t, err)
			if len(cases) == 0 || len(got) > len(want) {
				break
			}
			got = append(got, uids(cases)...)
			q.Before = got[len(got)-1]
		}
		if !slices.Equal(got, want) {
			t.Errorf("pages of %d: got %v, want %v", size, got, want)
		}
	}
	cases, err := e.Cases(t.Context(), all, desk.Query{Limit: 9, Today: today, Group: authorization.Ready})
	if got := uids(cases); err != nil || !slices.Equal(got, []uuid.UUID{ready.UID}) {
		t.Errorf("of a group: got %v, %v", got, err)
	}
}

// TestStore_Cases_Corrected: a case whose correction was sent is neither listed nor counted
// unless that is withdrawn; a repetition takes nothing's place.
func TestStore_Cases_Corrected(t *testing.T) {
	e := mustEnv(t)
	denied, twice, repeated := e.submit(t), e.submit(t), e.submit(t)
	for range 3 {
		e.settle(t, e.claim(t), desk.Answered, func(s *desk.Settlement) { s.Group = authorization.Refusal })
	}
	copyOf := func(of desk.Submission, kind desk.CopyKind) uuid.UUID {
		return e.submit(t, func(s *desk.Submission) { s.Previous, s.Copy = of.UID, kind }).UID
	}
	correction, again, other := copyOf(denied, desk.Correction), copyOf(twice, desk.Correction), copyOf(twice, desk.Correction)
	repetition := copyOf(repeated, desk.Repetition)
	listed := func(when string, refusals int, want ...uuid.UUID) {
		t.Helper()
		cases, err := e.Cases(t.Context(), all, desk.Query{Limit: 10})
		if got := uids(cases); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: got %v, %v, want %v", when, got, err, want)
		}
		counts, err := e.Counts(t.Context(), all, time.Time{})
		if got := counts.Groups[authorization.Refusal].Count; err != nil || got != refusals {
			t.Errorf("%s: got %d denied, %v, want %d", when, got, err, refusals)
		}
	}
	listed("sent", 1, repeated.UID, repetition, other, again, correction)
	if c := e.mustCase(t, denied.UID); !c.Corrected || c.Group != authorization.Refusal || c.NextStep() != desk.StepNone {
		t.Errorf("got %+v, want it denied and corrected, with nothing to do", c.CaseState)
	}
	for _, uid := range []uuid.UUID{correction, again} {
		MustDo(t, e.Withdraw(t.Context(), ana, uid, audit.Entry{Event: audit.RequestWithdrawn}))
	}
	listed("withdrawn", 2, denied.UID, repeated.UID, repetition, other)
	if c := e.mustCase(t, denied.UID); c.Corrected || c.NextStep() != desk.StepCorrect {
		t.Errorf("got %+v, want it to be corrected again", c.CaseState)
	}
}

// TestStore_Counts: the numbers above the queue; what is unknown counts however old.
func TestStore_Counts(t *testing.T) {
	e := mustEnv(t)
	e.submit(t)
	e.settle(t, e.claim(t), desk.Unknown, func(s *desk.Settlement) { s.UnknownOutcome, s.Alert = true, desk.AlertConflict })
	e.pass(time.Hour)
	e.submit(t)
	e.settle(t, e.claim(t), desk.Refused)
	e.pass(time.Hour)
	for range 2 {
		e.submit(t)
		e.pass(time.Minute)
	}
	counts, err := e.Counts(t.Context(), all, noon)
	want := desk.Counts{Unknown: desk.GroupCount{Count: 1, Oldest: noon}, Groups: map[authorization.Group]desk.GroupCount{
		authorization.ToFix:   {Count: 1, Oldest: noon.Add(time.Hour)},
		authorization.Waiting: {Count: 2, Oldest: noon.Add(2 * time.Hour)},
	}}
	if diff := cmp.Diff(want, counts); err != nil || diff != "" {
		t.Errorf("error %v (-want +got):\n%s", err, diff)
	}
}

// TestStore_Conclude: a concluded case leaves the queue, and is closed for the day; the check
// of the lists knows it, and the next answer brings it back.
func TestStore_Conclude(t *testing.T) {
	e, ctx := mustEnv(t), t.Context()
	done, queued := e.submit(t), e.submit(t)
	e.settle(t, e.claim(t), desk.Answered, func(s *desk.Settlement) { s.Group = authorization.Ready })
	e.pass(time.Hour)
	MustDo(t, e.Conclude(ctx, done.UID, desk.Event{Kind: desk.EventConcluded, Actor: bia}, audit.Entry{Event: audit.CaseConcluded}))
	events, told := len(e.mustCase(t, done.UID).Events), len(e.events(t))
	MustDo(t, e.Conclude(ctx, done.UID, desk.Event{Kind: desk.EventConcluded, Actor: bia}, audit.Entry{Event: audit.CaseConcluded}))
	if got, entries := len(e.mustCase(t, done.UID).Events), len(e.events(t)); got != events || entries != told {
		t.Errorf("concluded twice: %d events and %d entries, want %d and %d", got, entries, events, told)
	}
	for group, want := range map[authorization.Group][]uuid.UUID{0: {queued.UID}, authorization.Ready: nil, authorization.Closed: {done.UID}} {
		cases, err := e.Cases(ctx, all, desk.Query{Limit: 9, Group: group, Today: noon})
		if got := uids(cases); err != nil || !slices.Equal(got, want) {
			t.Errorf("group %d: got %v, %v, want %v", group, got, err, want)
		}
	}
	counts, err := e.Counts(ctx, all, noon)
	want := desk.GroupCount{Count: 1, Oldest: e.now}
	if got := counts.Groups[authorization.Closed]; err != nil || got != want || counts.Groups[authorization.Ready].Count != 0 {
		t.Errorf("got %+v, %v, want one closed", counts, err)
	}
	mustListAll(t, e.Store)
	c := e.mustCase(t, done.UID)
	if last := c.Events[len(c.Events)-1]; last != (desk.Event{At: e.now, Kind: desk.EventConcluded, Actor: bia}) ||
		c.Group != authorization.Ready {
		t.Errorf("got %+v after %+v", c.CaseState, last)
	}
	if err := e.Conclude(ctx, queued.UID, desk.Event{Kind: desk.EventConcluded, Actor: bia}, entry); !problem.Is(err, problem.Conflict) {
		t.Errorf("without an outcome: got %v, want Conflict", err)
	}
	if err := e.Conclude(ctx, uuid.New(), desk.Event{Kind: desk.EventConcluded, Actor: bia}, entry); !problem.Is(err, problem.NotFound) {
		t.Errorf("none: got %v, want NotFound", err)
	}
	if got := e.events(t); got[len(got)-1] != audit.CaseConcluded {
		t.Errorf("trail: got %v", got)
	}
}

// TestStore_Alerts counts what administração is to look into.
func TestStore_Alerts(t *testing.T) {
	e := mustEnv(t)
	for _, alert := range []desk.Alert{desk.AlertHeld, desk.AlertHeld, desk.AlertConflict, desk.AlertNone} {
		e.submit(t)
		to := desk.Queued
		if alert == desk.AlertConflict {
			to = desk.Unknown
		}
		e.settle(t, e.claim(t), to, func(s *desk.Settlement) {
			s.Alert, s.UnknownOutcome = alert, to == desk.Unknown
			if to == desk.Queued {
				s.Due = e.now.Add(time.Hour)
			}
		})
	}
	got, err := e.Alerts(t.Context())
	if want := (desk.Alerts{Held: 2, Conflicts: 1}); err != nil || got != want {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
}
