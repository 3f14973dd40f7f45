package desk_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/permission"
	"guiche/internal/problem"
	"guiche/internal/store/auditlog"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
)

// MustDoubt sends off a case of ana's and leaves its outcome unknown; the desk runs.
func (f *fixture) MustDoubt(t *testing.T) uuid.UUID {
	t.Helper()
	f.service.Script(outcome(authorization.OutcomeUnknown, "tempo"), answered(authorization.Authorized))
	draft := f.MustDraft(t, ana, nil)
	_, err := f.Attach(t.Context(), ana, draft.UID, "pedido.png", picture(t, 1))
	MustDo(t, err)
	uid, err := f.Submit(t.Context(), ana, draft.UID)
	MustDo(t, err)
	f.MustRun(t)
	f.MustBecome(t, uid, desk.Unknown)
	return uid
}

var reply = desk.Reply{Status: authorization.Authorized, Senha: " 482017739 ", GuideNumber: "70012345",
	SenhaValidUntil: authorization.DateOf(2026, 12, 20),
	Inquiry:         desk.Inquiry{Contact: "Marta", CallProtocol: "77", Note: "vale para o dia 20"}}

// TestDesk_RecordReply: what the operator told a person is an answer, with who and when.
func TestDesk_RecordReply(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	uid := f.MustDoubt(t)
	MustDo(t, f.RecordReply(t.Context(), celia, uid, reply))
	c := f.MustCase(t, uid)
	want := desk.CaseState{State: desk.Answered, Status: authorization.Authorized, Group: authorization.Ready,
		Origin: desk.OriginPerson, At: f.clock.Now()}
	if c.CaseState != want || c.UnknownOutcome || c.Senha != "482017739" || c.Authorized != 1 || c.HasGuide {
		t.Errorf("got %+v, want %+v", c.CaseSummary, want)
	}
	if a := c.Answer.Authorizations[0]; a.Senha != "482017739" || a.GuideNumber != "70012345" || a.SenhaValidUntil != reply.SenhaValidUntil {
		t.Errorf("answer: got %+v", a)
	}
	decided := []desk.Decision{{At: f.clock.Now(), By: desk.Author{User: celiaID, Name: "Célia Brito"}, Inquiry: reply.Inquiry}}
	if diff := cmp.Diff(decided, c.Decisions); diff != "" {
		t.Errorf("decisions (-want +got):\n%s", diff)
	}
	if last := c.Events[len(c.Events)-1]; last.Kind != desk.EventRecorded || last.Actor.User != celiaID {
		t.Errorf("last event: got %+v", last)
	}
	if len(f.service.Sent()) != 1 {
		t.Errorf("sent %d times, want once", len(f.service.Sent()))
	}
	f.wantDecided(t, audit.Entry{Actor: celiaID, Event: audit.ReplyRecorded, Object: audit.ObjectCase, ObjectID: uid})
	if err := f.RecordReply(t.Context(), celia, uid, reply); !problem.Is(err, problem.Conflict) {
		t.Errorf("again: got %v, want Conflict", err)
	}
	if _, err := f.Resend(t.Context(), celia, uid, reply.Inquiry); !problem.Is(err, problem.Conflict) {
		t.Errorf("resent after it: got %v, want Conflict", err)
	}
}

// wantDecided checks what the trail says of celia, newest first, looks at cases aside.
func (f *fixture) wantDecided(t *testing.T, want ...audit.Entry) {
	t.Helper()
	links, err := f.trail.List(t.Context(), auditlog.Filter{})
	MustDo(t, err)
	var got []audit.Entry
	for _, l := range links {
		if l.Entry.At = (time.Time{}); l.Entry.Actor == celiaID && l.Entry.Event != audit.CaseViewed {
			got = append(got, l.Entry)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("audit trail (-want +got):\n%s", diff)
	}
}

// TestDesk_RecordReply_Invalid: what is missing stands beside its field, and nothing is
// recorded.
func TestDesk_RecordReply_Invalid(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	uid := f.MustDoubt(t)
	long := strings.Repeat("é", 1001)
	for name, tc := range map[string]struct {
		change func(*desk.Reply)
		want   []string
	}{
		"Nothing":     {func(r *desk.Reply) { *r = desk.Reply{} }, []string{"situacao", "contato"}},
		"OtherStatus": {func(r *desk.Reply) { r.Status = authorization.Executed }, []string{"situacao"}},
		"NoSenha":     {func(r *desk.Reply) { r.Senha = " " }, []string{"senha"}},
		"PartNoSenha": {func(r *desk.Reply) { r.Status, r.Senha = authorization.PartiallyAuthorized, "" }, []string{"senha"}},
		"TooLong": {func(r *desk.Reply) { r.Senha, r.GuideNumber, r.Note = long[:200], long[:200], long },
			[]string{"senha", "guia", "observacao"}},
		"TooLongCall":  {func(r *desk.Reply) { r.Contact, r.CallProtocol = long[:200], long[:200] }, []string{"contato", "protocolo"}},
		"EndedBefore":  {func(r *desk.Reply) { r.SenhaValidUntil = authorization.DateOf(2026, 11, 19) }, []string{"validade"}},
		"NobodySpoken": {func(r *desk.Reply) { r.Contact = " \n" }, []string{"contato"}},
	} {
		r := reply
		tc.change(&r)
		err := f.RecordReply(t.Context(), celia, uid, r)
		var got []string
		for _, field := range problem.FieldsOf(err) {
			got = append(got, field.Path)
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s: got %v (%v), want %v", name, got, err, tc.want)
		}
	}
	if _, err := f.Resend(t.Context(), celia, uid, desk.Inquiry{}); !problem.Is(err, problem.Invalid) {
		t.Errorf("resent on nobody's word: got %v, want Invalid", err)
	}
	for _, status := range []authorization.Status{authorization.UnderAnalysis, authorization.Denied, authorization.AwaitingAttachment} {
		doubt := f.MustDoubtAgain(t)
		r := desk.Reply{Status: status, Inquiry: desk.Inquiry{Contact: "portal"}}
		if err := f.RecordReply(t.Context(), celia, doubt, r); err != nil {
			t.Errorf("%s without a senha: %v", status, err)
		}
	}
	if got := f.MustCase(t, uid); got.State != desk.Unknown || got.Decisions != nil {
		t.Errorf("got %s, %v, want nothing recorded", got.State, got.Decisions)
	}
}

// MustDoubtAgain is MustDoubt for a desk that runs already.
func (f *fixture) MustDoubtAgain(t *testing.T) uuid.UUID {
	t.Helper()
	f.service.Script(outcome(authorization.OutcomeUnknown, "tempo"))
	uid := f.MustSubmit(t, ana, nil)
	f.MustBecome(t, uid, desk.Unknown)
	return uid
}

// TestDesk_Resend: what never arrived goes out once more, as a case of its own.
func TestDesk_Resend(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	uid := f.MustDoubt(t)
	before := f.MustCase(t, uid)
	again, err := f.Resend(t.Context(), celia, uid, reply.Inquiry)
	MustDo(t, err)
	f.MustBecome(t, again, desk.Answered)
	old, sent := f.MustCase(t, uid), f.MustCase(t, again)
	if old.State != desk.Resent || old.Group != authorization.Closed || old.Origin != desk.OriginPerson || old.UnknownOutcome {
		t.Errorf("the first: got %+v", old.CaseState)
	}
	if len(old.Decisions) != 1 || old.Decisions[0].Resent != again || sent.ResendOf != uid ||
		sent.Previous != uid || sent.Copy != desk.NoCopy {
		t.Errorf("links: got %+v and %s, %s", old.Decisions, sent.ResendOf, sent.Previous)
	}
	if sent.Sender.User != celiaID || sent.ProviderGuide == before.ProviderGuide || sent.Attachments[0].Blob != before.Attachments[0].Blob {
		t.Errorf("the new one: got %+v", sent)
	}
	if own := sent.Attachments[0].UID; own == again || own == before.Attachments[0].UID {
		t.Errorf("its attachment has the identifier %s of another thing", own)
	}
	wire := f.service.Sent()
	if keys := f.count(t, `SELECT COUNT(DISTINCT idempotency_key) FROM submission`); len(wire) != 2 || keys != 2 {
		t.Fatalf("sent %d times under %d keys, want twice under different ones", len(wire), keys)
	}
	was, is := wire[0].Request, wire[1].Request
	was.ProviderGuide, is.ProviderGuide = "", ""
	if diff := cmp.Diff(was, is, cmp.Comparer(func(a, b authorization.LocalTime) bool { return a == b })); diff != "" {
		t.Errorf("another request (-first +second):\n%s", diff)
	}
	f.wantDecided(t, audit.Entry{Actor: celiaID, Event: audit.RequestSubmitted, Object: audit.ObjectCase, ObjectID: again},
		audit.Entry{Actor: celiaID, Event: audit.RequestResent, Object: audit.ObjectCase, ObjectID: uid})
	if _, err := f.Resend(t.Context(), celia, uid, reply.Inquiry); !problem.Is(err, problem.Conflict) {
		t.Errorf("again: got %v, want Conflict", err)
	}
	if old.CanCopy() {
		t.Error("the first can be copied, and its repetition waits already")
	}
	if len(f.service.Sent()) != 2 {
		t.Error("pressed twice, sent a third time")
	}
}

// TestDesk_Decide_Denied: who may not decide changes nothing.
func TestDesk_Decide_Denied(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	uid := f.MustDoubt(t)
	for name, who := range map[string]struct {
		decide func() error
		want   problem.Code
	}{
		"ReceptionReply":  {func() error { return f.RecordReply(t.Context(), ana, uid, reply) }, problem.Forbidden},
		"ReceptionResend": {func() error { return second(f.Resend(t.Context(), ana, uid, reply.Inquiry)) }, problem.Forbidden},
		"Administration":  {func() error { return f.RecordReply(t.Context(), admin, uid, reply) }, problem.Forbidden},
		"NoCase":          {func() error { return f.RecordReply(t.Context(), celia, uuid.New(), reply) }, problem.NotFound},
		"NoCaseToResend":  {func() error { return second(f.Resend(t.Context(), celia, uuid.New(), reply.Inquiry)) }, problem.NotFound},
	} {
		if err := who.decide(); !problem.Is(err, who.want) {
			t.Errorf("%s: got %v, want %s", name, err, who.want)
		}
	}
	if got := f.MustCase(t, uid); got.State != desk.Unknown {
		t.Errorf("got %s", got.State)
	}
	elsewhere := permission.Actor{User: biaID, Units: bia.Units, Roles: []permission.Role{permission.Decision}}
	if err := f.RecordReply(t.Context(), elsewhere, uid, reply); !problem.Is(err, problem.NotFound) {
		t.Errorf("with the right, in another unit: got %v, want NotFound", err)
	}
	here := permission.Actor{User: anaID, Name: "Ana Prado", Units: ana.Units,
		Roles: []permission.Role{permission.Reception, permission.Decision}}
	MustDo(t, f.RecordReply(t.Context(), here, uid, reply))
}
