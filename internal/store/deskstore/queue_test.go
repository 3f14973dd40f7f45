package deskstore_test

import (
	"slices"
	"testing"
	"time"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/problem"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
)

// TestStore_Submit: one draft, one submission.
func TestStore_Submit(t *testing.T) {
	e, ctx := mustEnv(t), t.Context()
	sub := e.submit(t)
	again := sub
	again.UID, again.IdempotencyKey = uuid.New(), uuid.NewString()
	if uid, err := e.Submit(ctx, again, entry); uid != sub.UID || err != nil {
		t.Errorf("again: got %s, %v, want the first one", uid, err)
	}
	if uid, err := e.CaseOf(ctx, ana.User, sub.Token); uid != sub.UID || err != nil {
		t.Errorf("case of the draft: got %s, %v", uid, err)
	}
	if _, err := e.CaseOf(ctx, bia.User, sub.Token); !problem.Is(err, problem.NotFound) {
		t.Errorf("case of somebody else's draft: got %v", err)
	}
	if _, err := e.Draft(ctx, ana.User, sub.Token); !problem.Is(err, problem.NotFound) {
		t.Errorf("the draft: got %v, want it gone", err)
	}
	if _, err := e.SaveDraft(ctx, ana.User, sub.Token, desk.Form{}, 0, anyQuota); !problem.Is(err, problem.Conflict) {
		t.Errorf("a save on its way: got %v, want Conflict", err)
	}
	if got := e.events(t); !slices.Equal(got, []audit.Event{entry.Event}) {
		t.Errorf("trail: got %v, want one entry", got)
	}
	second := e.mustCase(t, e.submit(t).UID)
	first := e.mustCase(t, sub.UID)
	follows := second.ProviderGuide[15:] == "00002" // there are gaps where processes take numbers in blocks
	if e.db.Shared() {
		follows = second.ProviderGuide[15:] > first.ProviderGuide[15:]
	}
	if first.ProviderGuide[12:15] != second.ProviderGuide[12:15] || !follows {
		t.Errorf("numbers: got %s and %s", first.ProviderGuide, second.ProviderGuide)
	}
}

// TestStore_Submit_Changed: a draft that changed since it was checked is not sent.
func TestStore_Submit_Changed(t *testing.T) {
	e, ctx := mustEnv(t), t.Context()
	token := uuid.New()
	_, err := e.SaveDraft(ctx, ana.User, token, desk.Form{Values: map[string]string{"nomeBeneficiario": "x"}}, 0, anyQuota)
	MustDo(t, err)
	_, err = e.SaveDraft(ctx, ana.User, token, desk.Form{Values: map[string]string{"nomeBeneficiario": "y"}}, 1, anyQuota)
	MustDo(t, err)
	_, err = e.Submit(ctx, desk.Submission{UID: uuid.New(), Token: token, Revision: 1, Sender: ana, Request: fullRequest(),
		IdempotencyKey: "k", At: noon, Deadline: noon}, entry)
	if !problem.Is(err, problem.Conflict) {
		t.Errorf("got %v, want Conflict", err)
	}
	if cases, err := e.Cases(ctx, all, desk.Query{Limit: 10}); err != nil || len(cases) != 0 || len(e.events(t)) != 0 {
		t.Errorf("got %v, %v and %v in the trail, want nothing", cases, err, e.events(t))
	}
}

// TestStore_Claim: what is due goes out, the earliest first, with all that is sent.
func TestStore_Claim(t *testing.T) {
	e, ctx := mustEnv(t), t.Context()
	first, second, third := e.submit(t), e.submit(t), e.submit(t)
	lease := uuid.New()
	claims, err := e.Claim(ctx, lease, embedded, wide(2))
	MustDo(t, err)
	if len(claims) != 2 || claims[0].Case != first.UID || claims[1].Case != second.UID {
		t.Fatalf("got %d claims, want the first two", len(claims))
	}
	c := claims[0]
	want := fullRequest()
	want.ProviderGuide = e.mustCase(t, first.UID).ProviderGuide
	if diff := cmp.Diff(want, c.Dispatch.Request, sameTimes); diff != "" {
		t.Errorf("request (-want +got):\n%s", diff)
	}
	if c.Attempt != 1 || c.Lease != lease || !c.Deadline.Equal(noon.Add(time.Hour)) || c.UnknownOutcome ||
		c.Dispatch.IdempotencyKey != first.IdempotencyKey {
		t.Errorf("got %+v", c)
	}
	state := desk.CaseState{State: desk.Sending, Group: authorization.Waiting, Origin: desk.OriginDesk, At: noon}
	if got := e.mustCase(t, first.UID).CaseState; got != state {
		t.Errorf("state: got %+v, want %+v", got, state)
	}
	e.settle(t, claims[0], desk.Queued, func(s *desk.Settlement) { s.Due = noon.Add(time.Minute) })
	e.settle(t, claims[1], desk.Queued, func(s *desk.Settlement) { s.Due, s.Alert = noon, desk.AlertHeld })
	if got := e.claim(t); got.Case != third.UID {
		t.Errorf("got %s, want the third: one waits and one is held", got.Case)
	}
	if claims, err := e.Claim(ctx, lease, embedded, wide(9)); len(claims) != 0 || err != nil {
		t.Errorf("got %d claims, %v, want none before its time", len(claims), err)
	}
	e.pass(time.Minute)
	if got := e.claim(t); got.Case != first.UID || got.Attempt != 2 {
		t.Errorf("got %+v, want the second attempt of the first", got)
	}
}

// TestStore_Claim_PatientPresent: pacienteNoLocal orders the queue (2.3), then arrival does.
func TestStore_Claim_PatientPresent(t *testing.T) {
	e := mustEnv(t)
	absent := func(s *desk.Submission) { s.Request.PatientPresent = false }
	want := []uuid.UUID{2: e.submit(t, absent).UID, 3: e.submit(t, absent).UID}
	want[0], want[1] = e.submit(t).UID, e.submit(t).UID
	for i, uid := range want {
		if got := e.claim(t); got.Case != uid {
			t.Errorf("%d: got %s, want %s", i, got.Case, uid)
		}
	}
}

// TestStore_Claim_RequestID: every attempt goes out under the identifier of the
// browser's request that submitted, so that the logs of both sides can be joined.
func TestStore_Claim_RequestID(t *testing.T) {
	e := mustEnv(t)
	id := uuid.NewString()
	named := e.submit(t, func(s *desk.Submission) { s.RequestID = id })
	unnamed := e.submit(t)
	for attempt := 1; attempt <= 2; attempt++ {
		claim := e.claim(t)
		if claim.Case != named.UID || claim.Attempt != attempt || claim.RequestID != id {
			t.Errorf("got attempt %d under %q, want attempt %d under %q", claim.Attempt, claim.RequestID, attempt, id)
		}
		e.settle(t, claim, desk.Queued, func(s *desk.Settlement) { s.Due = noon.Add(time.Duration(attempt-1) * time.Minute) })
	}
	if claim := e.claim(t); claim.Case != unnamed.UID || claim.RequestID != "" {
		t.Errorf("got %q for one that was submitted without an identifier", claim.RequestID)
	}
}

// TestStore_Claim_UnknownOutcome: what may have been acted on gets one more attempt
// after its deadline, held or not.
func TestStore_Claim_UnknownOutcome(t *testing.T) {
	e := mustEnv(t)
	held, late := e.submit(t), e.submit(t)
	e.settle(t, e.claim(t), desk.Queued, func(s *desk.Settlement) { s.UnknownOutcome, s.Alert, s.Due = true, desk.AlertHeld, noon })
	e.settle(t, e.claim(t), desk.Queued, func(s *desk.Settlement) { s.UnknownOutcome, s.Due = true, noon.Add(30*time.Minute) })
	if claims, err := e.Claim(t.Context(), uuid.New(), embedded, wide(9)); len(claims) != 0 || err != nil {
		t.Errorf("got %d claims, %v, want none: one is held, one waits", len(claims), err)
	}
	e.pass(30 * time.Minute)
	c := e.claim(t)
	if c.Case != late.UID || !c.UnknownOutcome {
		t.Errorf("got %+v, want the one that waited", c)
	}
	e.settle(t, c, desk.Queued, func(s *desk.Settlement) { s.UnknownOutcome, s.Due = true, noon.Add(9*time.Hour) })
	e.pass(30 * time.Minute)
	claims, err := e.Claim(t.Context(), uuid.New(), embedded, wide(9))
	if err != nil || len(claims) != 2 || claims[0].Case != held.UID {
		t.Errorf("got %d claims, %v, want both at their deadline", len(claims), err)
	}
	if expired, err := e.Expire(t.Context()); len(expired) != 0 || err != nil {
		t.Errorf("got %v, %v, want nothing refused that may have been acted on", expired, err)
	}
}

// TestStore_Expire refuses what did not leave in time.
func TestStore_Expire(t *testing.T) {
	e := mustEnv(t)
	late := e.submit(t)
	e.pass(30 * time.Minute)
	fresh := e.submit(t)
	if expired, err := e.Expire(t.Context()); len(expired) != 0 || err != nil {
		t.Errorf("early: got %v, %v", expired, err)
	}
	e.pass(30 * time.Minute)
	expired, err := e.Expire(t.Context())
	if err != nil || !slices.Equal(expired, []uuid.UUID{late.UID}) {
		t.Errorf("got %v, %v, want the late one", expired, err)
	}
	c := e.mustCase(t, late.UID)
	state := desk.CaseState{State: desk.Refused, Group: authorization.ToFix, Origin: desk.OriginDesk, At: e.now, Reason: desk.ReasonLate}
	last := c.Events[len(c.Events)-1]
	if c.CaseState != state || last != (desk.Event{At: e.now, Kind: desk.EventRefused, Reason: desk.ReasonLate}) {
		t.Errorf("got %+v after %+v", c.CaseState, last)
	}
	if got := e.mustCase(t, fresh.UID); got.State != desk.Queued {
		t.Errorf("the other one: got %s", got.State)
	}
}

// TestStore_Settle: only the attempt that holds the submission settles it.
func TestStore_Settle(t *testing.T) {
	e := mustEnv(t)
	sub := e.submit(t)
	claim := e.claim(t)
	for name, change := range map[string]func(*desk.Claim){
		"OtherLease":   func(c *desk.Claim) { c.Lease = uuid.New() },
		"OtherAttempt": func(c *desk.Claim) { c.Attempt = 2 },
		"OtherCase":    func(c *desk.Claim) { c.Case = uuid.New() },
	} {
		other := claim
		change(&other)
		err := e.Settle(t.Context(), other, desk.Settlement{Event: desk.EventRefused,
			CaseState: desk.CaseState{State: desk.Refused, Group: authorization.ToFix, Origin: desk.OriginService, At: noon}})
		if !problem.Is(err, problem.Conflict) {
			t.Errorf("%s: got %v, want Conflict", name, err)
		}
	}
	e.settle(t, claim, desk.Refused)
	if err := e.Settle(t.Context(), claim, desk.Settlement{Event: desk.EventUnknown,
		CaseState: desk.CaseState{State: desk.Unknown, Origin: desk.OriginDesk, At: noon}}); !problem.Is(err, problem.Conflict) {
		t.Errorf("twice: got %v, want Conflict", err)
	}
	if got := e.mustCase(t, sub.UID); got.State != desk.Refused || len(got.Events) != 3 {
		t.Errorf("got %s with %d events", got.State, len(got.Events))
	}
}

// TestStore_TakeOver: attempts under other leases, with what the wire left behind.
func TestStore_TakeOver(t *testing.T) {
	e, ctx := mustEnv(t), t.Context()
	kept, lost := e.submit(t), e.submit(t)
	mine := uuid.New()
	claims, err := e.Claim(ctx, mine, embedded, wide(2))
	MustDo(t, err)
	exchange := authorization.Exchange{StartedAt: noon, EndedAt: noon.Add(time.Second), SentBytes: 9, HTTPStatus: 200,
		ContentType: "application/json",
		RetryAfter:  "7", Body: "ref", BodySize: 3, Complete: true, Failure: authorization.FailureTimeout}
	MustDo(t, e.KeepExchange(ctx, claims[0], exchange))
	if got, err := e.TakeOver(ctx, mine, true); len(got) != 0 || err != nil {
		t.Errorf("own lease: got %d, %v, want none", len(got), err)
	}
	next := uuid.New()
	got, err := e.TakeOver(ctx, next, true)
	MustDo(t, err)
	want := []desk.Orphan{
		{Claim: desk.Claim{Case: kept.UID, Attempt: 1, Lease: next, Deadline: kept.Deadline}, Exchange: &exchange},
		{Claim: desk.Claim{Case: lost.UID, Attempt: 1, Lease: next, Deadline: lost.Deadline}},
	}
	for i, c := range claims {
		want[i].Dispatch.Request.ProviderGuide = c.Dispatch.Request.ProviderGuide // it may be asked for
	}
	if diff := cmp.Diff(want, got, sameTimes); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if err := e.Settle(ctx, claims[1], desk.Settlement{Event: desk.EventUnknown,
		CaseState: desk.CaseState{State: desk.Unknown, Origin: desk.OriginDesk, At: noon}}); !problem.Is(err, problem.Conflict) {
		t.Errorf("who lost the attempt settles it: got %v, want Conflict", err)
	}
	if n, err := e.Unsettled(ctx); n != 2 || err != nil {
		t.Errorf("unsettled: got %d, %v, want 2", n, err)
	}
	e.settle(t, got[0].Claim, desk.Queued, func(s *desk.Settlement) { s.UnknownOutcome, s.Due = true, noon.Add(time.Hour) })
	e.settle(t, got[1].Claim, desk.Queued, func(s *desk.Settlement) { s.Due = noon.Add(time.Hour) })
	if n, err := e.Unsettled(ctx); n != 1 || err != nil {
		t.Errorf("unsettled: got %d, %v, want the one that may have been acted on", n, err)
	}
}

// TestStore_Release makes what is held due at once, and nothing else.
func TestStore_Release(t *testing.T) {
	e := mustEnv(t)
	held, waiting := e.submit(t), e.submit(t)
	e.settle(t, e.claim(t), desk.Queued, func(s *desk.Settlement) { s.Alert, s.Due = desk.AlertHeld, noon.Add(9*time.Hour) })
	e.settle(t, e.claim(t), desk.Queued, func(s *desk.Settlement) { s.Due = noon.Add(9 * time.Hour) })
	e.pass(time.Minute)
	if n, err := e.Release(t.Context()); n != 1 || err != nil {
		t.Errorf("got %d, %v, want 1", n, err)
	}
	c := e.mustCase(t, held.UID)
	if last := c.Events[len(c.Events)-1]; c.Held() || c.Reason != "" || !c.Due.Equal(e.now) || !c.At.Equal(e.now) ||
		last.Kind != desk.EventReleased {
		t.Errorf("got %+v, due %s, after %+v", c.CaseState, c.Due, last)
	}
	if got := e.mustCase(t, waiting.UID); !got.Due.Equal(noon.Add(9*time.Hour)) || got.Reason != "http_503" {
		t.Errorf("the other one: got %+v, due %s", got.CaseState, got.Due)
	}
}

// TestStore_ReleaseAccepted lets go what was held for want of the access that the service
// has accepted since, when its next attempt is due and not before.
func TestStore_ReleaseAccepted(t *testing.T) {
	for name, tc := range map[string]struct {
		reason string
		sent   bool
		leaves bool
	}{"Question": {"http_401", false, true}, "Send": {"http_401", true, true}, "QuestionForbidden": {"http_403", false, false},
		"SendForbidden": {"http_403", true, true}} {
		t.Run(name, func(t *testing.T) {
			e := mustEnv(t)
			held := e.submit(t)
			due := noon.Add(time.Minute)
			e.settle(t, e.claim(t), desk.Queued, func(s *desk.Settlement) { s.Alert, s.Reason, s.Due = desk.AlertHeld, tc.reason, due })
			want := map[bool]int{true: 1}[tc.leaves]
			if n, err := e.ReleaseAccepted(t.Context(), tc.sent); n != want || err != nil {
				t.Errorf("got %d, %v, want %d", n, err, want)
			}
			c := e.mustCase(t, held.UID)
			last := c.Events[len(c.Events)-1]
			if c.Held() == tc.leaves || !c.Due.Equal(due) || (last.Kind == desk.EventReleased) != tc.leaves {
				t.Errorf("got %+v, due %s, after %+v", c.CaseState, c.Due, last)
			}
			if n, err := e.ReleaseAccepted(t.Context(), true); n != 1-want || err != nil {
				t.Errorf("again, after a send: got %d, %v", n, err)
			}
		})
	}
}

// TestStore_Withdraw: as long as the service cannot have acted on it.
func TestStore_Withdraw(t *testing.T) {
	e, ctx := mustEnv(t), t.Context()
	sub := e.submit(t)
	MustDo(t, e.Withdraw(ctx, bia, sub.UID, audit.Entry{Event: audit.RequestWithdrawn}))
	c := e.mustCase(t, sub.UID)
	state := desk.CaseState{State: desk.Withdrawn, Group: authorization.Closed, Origin: desk.OriginPerson, At: noon}
	if last := c.Events[len(c.Events)-1]; c.CaseState != state || last != (desk.Event{At: noon, Kind: desk.EventWithdrawn, Actor: bia}) {
		t.Errorf("got %+v after %+v", c.CaseState, last)
	}
	sending, doubtful := e.submit(t), e.submit(t)
	claims, err := e.Claim(ctx, uuid.New(), embedded, wide(2))
	MustDo(t, err)
	e.settle(t, claims[1], desk.Queued, func(s *desk.Settlement) { s.UnknownOutcome = true })
	for name, uid := range map[string]uuid.UUID{"Withdrawn": sub.UID, "Sending": sending.UID, "UnknownOutcome": doubtful.UID,
		"None": uuid.New()} {
		if err := e.Withdraw(ctx, bia, uid, audit.Entry{Event: audit.RequestWithdrawn}); !problem.Is(err, problem.Conflict) {
			t.Errorf("%s: got %v, want Conflict", name, err)
		}
	}
	if got := e.events(t); slices.Index(got, audit.RequestWithdrawn) < 0 || len(got) != 4 {
		t.Errorf("trail: got %v, want three submissions and one withdrawal", got)
	}
}

// TestStore_Repeats: what was asked for with the card since a time, newest first; the
// case that is repeated however old it is, the one that is corrected never.
func TestStore_Repeats(t *testing.T) {
	e, ctx := mustEnv(t), t.Context()
	inTime := func(s *desk.Submission) { s.Deadline = noon.Add(9 * time.Hour) }
	old := e.submit(t, inTime)
	e.pass(time.Hour)
	recent := e.submit(t, inTime, func(s *desk.Submission) { s.Request.Procedures = s.Request.Procedures[:1]; s.Request.UnitID = praia })
	e.submit(t, inTime, func(s *desk.Submission) { s.Request.CardNumber = "other" })
	withdrawn := e.submit(t, inTime)
	MustDo(t, e.Withdraw(ctx, ana, withdrawn.UID, entry))
	e.pass(time.Hour)
	refused := e.submit(t, func(s *desk.Submission) { s.Deadline = noon })
	if expired, err := e.Expire(ctx); err != nil || !slices.Contains(expired, refused.UID) {
		t.Fatalf("got %v, %v", expired, err)
	}
	at := func(hours int) desk.CaseState {
		return desk.CaseState{State: desk.Queued, Group: authorization.Waiting, Origin: desk.OriginDesk,
			At: noon.Add(time.Duration(hours) * time.Hour)}
	}
	one := desk.Repeat{Case: recent.UID, Unit: praia, Credential: uuid.UUID{1}, Code: "1", Quantity: 2, Procedures: 1,
		SentAt: noon.Add(time.Hour), CaseState: at(1)}
	first := desk.Repeat{Case: old.UID, Unit: centro, Credential: uuid.UUID{1}, Code: "1", Quantity: 2, Procedures: 2, SentAt: noon,
		CaseState: at(0)}
	second := first
	second.Code, second.Quantity = "2", 3
	for name, c := range map[string]struct {
		q    desk.RepeatQuery
		want []desk.Repeat
	}{
		"One":     {desk.RepeatQuery{Codes: []string{"1"}, Since: noon}, []desk.Repeat{one, first}},
		"Both":    {desk.RepeatQuery{Codes: []string{"1", "2"}, Since: noon}, []desk.Repeat{one, first, second}},
		"Except":  {desk.RepeatQuery{Codes: []string{"1"}, Since: noon, Except: recent.UID}, []desk.Repeat{first}},
		"Since":   {desk.RepeatQuery{Codes: []string{"1", "2"}, Since: noon.Add(time.Minute)}, []desk.Repeat{one}},
		"Always":  {desk.RepeatQuery{Codes: []string{"2"}, Since: noon.Add(time.Minute), Always: old.UID}, []desk.Repeat{second}},
		"NoCodes": {desk.RepeatQuery{Since: noon}, nil},
	} {
		c.q.Card = "0310"
		got, err := e.Repeats(ctx, c.q)
		if diff := cmp.Diff(c.want, got, cmpEmpty, sameTimes); err != nil || diff != "" {
			t.Errorf("%s: error %v (-want +got):\n%s", name, err, diff)
		}
	}
}

// TestStore_Claim_Keyed: an attempt knows whether one without its key may have been acted
// on; one that was not cannot matter any more.
func TestStore_Claim_Keyed(t *testing.T) {
	for name, tc := range map[string]struct {
		keyed   bool
		left    *authorization.Exchange
		unkeyed bool
	}{
		"WithKey":      {keyed: true},
		"Killed":       {unkeyed: true},
		"Cut":          {left: &authorization.Exchange{SentBytes: 9}, unkeyed: true},
		"NothingSent":  {left: &authorization.Exchange{}},
		"NotAccepted":  {left: &authorization.Exchange{SentBytes: 9, HTTPStatus: 401}},
		"Busy":         {left: &authorization.Exchange{SentBytes: 9, HTTPStatus: 503, RetryAfter: "1"}},
		"BareBusy":     {left: &authorization.Exchange{SentBytes: 9, HTTPStatus: 503}, unkeyed: true},
		"TooMany":      {left: &authorization.Exchange{SentBytes: 9, HTTPStatus: 429}},
		"GatewayFails": {left: &authorization.Exchange{SentBytes: 9, HTTPStatus: 502}, unkeyed: true},
	} {
		t.Run(name, func(t *testing.T) {
			e := mustEnv(t)
			e.submit(t)
			claims, err := e.Claim(t.Context(), uuid.New(), desk.Recipient{Name: "a", Keyed: tc.keyed}, wide(1))
			MustDo(t, err)
			if (claims[0].Dispatch.IdempotencyKey != "") != tc.keyed || claims[0].Unkeyed {
				t.Errorf("first: got %+v", claims[0])
			}
			if tc.left != nil {
				MustDo(t, e.KeepExchange(t.Context(), claims[0], *tc.left))
			}
			e.settle(t, claims[0], desk.Queued)
			if claims, err = e.Claim(t.Context(), uuid.New(), desk.Recipient{Name: "a", Keyed: true}, wide(1)); err != nil ||
				claims[0].Unkeyed != tc.unkeyed || claims[0].Dispatch.IdempotencyKey == "" {
				t.Errorf("second: got %+v, %v", claims, err)
			}
		})
	}
}

// TestStore_Claim_SentTo: an attempt after one that may have been acted on knows for which
// service that was, through attempts that go nowhere.
func TestStore_Claim_SentTo(t *testing.T) {
	e := mustEnv(t)
	e.submit(t)
	for i, tc := range []struct {
		service, sentTo string
		doubtful        bool
	}{{"a", "", false}, {"b", "a", true}, {"c", "b", true}, {"c", "b", false}, {"d", "b", false}} {
		claims, err := e.Claim(t.Context(), uuid.New(), desk.Recipient{Name: tc.service, Keyed: true}, wide(1))
		MustDo(t, err)
		if len(claims) != 1 || claims[0].SentTo != tc.sentTo {
			t.Fatalf("%d: got %+v, want one after an attempt at %q", i, claims, tc.sentTo)
		}
		e.settle(t, claims[0], desk.Queued, func(s *desk.Settlement) { s.UnknownOutcome = tc.doubtful })
	}
}

// TestStore_Settle_Queued: who settles an attempt learns whether anything waits for its slot.
func TestStore_Settle_Queued(t *testing.T) {
	e := mustEnv(t)
	e.submit(t)
	for _, want := range []bool{true, false} {
		claim := e.claim(t)
		if want {
			e.submit(t)
		}
		queued, err := e.Store.Settle(t.Context(), claim, desk.Settlement{Event: desk.EventRefused, CaseState: desk.CaseState{
			State: desk.Refused, Group: desk.GroupOf(desk.Refused, ""), Origin: desk.OriginService, At: e.now}})
		if queued != want || err != nil {
			t.Errorf("got %v, %v, want %v", queued, err, want)
		}
	}
}
