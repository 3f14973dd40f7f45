package desk_test

import (
	"testing"
	"time"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/problem"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
)

// MustAnswer sends off a case of ana's that the service answers with the authorizations.
func (f *fixture) MustAnswer(t *testing.T, all ...authorization.Authorization) uuid.UUID {
	t.Helper()
	f.service.Script(authorization.Outcome{Kind: authorization.OutcomeAnswered,
		Answer: authorization.Answer{Success: true, Authorizations: all}})
	uid := f.MustSubmit(t, ana, nil)
	MustDo(t, f.RunDue(t.Context()))
	f.MustBecome(t, uid, desk.Answered)
	return uid
}

// analysed is an authorization on which the operator has not decided.
func analysed(guideID string, number int) authorization.Authorization {
	return authorization.Authorization{Number: number, Success: true, Status: authorization.UnderAnalysis, GuideID: guideID,
		GuideNumber: "G" + guideID, Protocol: "P" + guideID}
}

// TestDesk_RecordReply_Open: what the operator told later is another answer, in force,
// with who and when; the numbers that it gave before stay, and so does the earlier answer.
func TestDesk_RecordReply_Open(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	uid := f.MustAnswer(t, analysed("1", 1))
	f.clock.Advance(16 * time.Minute)
	told := reply
	told.GuideNumber, told.Answers = "", 1
	MustDo(t, f.RecordReply(t.Context(), celia, uid, told))
	c := f.MustCase(t, uid)
	if c.Status != authorization.Authorized || c.Origin != desk.OriginPerson || !c.At.Equal(f.clock.Now()) || c.Senha != "482017739" {
		t.Errorf("got %+v", c.CaseSummary)
	}
	want := authorization.Authorization{Number: 1, Success: true, Recorded: true, Status: authorization.Authorized, GuideID: "1",
		GuideNumber: "G1", Protocol: "P1", Senha: "482017739", SenhaValidUntil: told.SenhaValidUntil}
	if diff := cmp.Diff([]authorization.Authorization{want}, c.Answer.Authorizations, cmpTimes); diff != "" {
		t.Errorf("the answer in force (-want +got):\n%s", diff)
	}
	if len(c.Answers) != 2 || c.Answers[0].Authorizations[0].Status != authorization.UnderAnalysis || len(c.Decisions) != 1 {
		t.Errorf("got %d answers and %d decisions, want both answers and who recorded", len(c.Answers), len(c.Decisions))
	}
	brought := c.AnswersOf()
	if n := len(brought); c.Events[n-1].Kind != desk.EventRecorded || brought[n-1] != &c.Answers[1] || brought[n-2] != &c.Answers[0] {
		t.Errorf("events: got %+v with %v", c.Events, brought)
	}
	f.wantDecided(t, audit.Entry{Actor: celiaID, Event: audit.ReplyRecorded, Object: audit.ObjectCase, ObjectID: uid})
}

// TestDesk_RecordReply_Twice: of two persons at once the second changes nothing; one who
// has seen the first's word may correct it.
func TestDesk_RecordReply_Twice(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	uid := f.MustAnswer(t, analysed("1", 1))
	denied := desk.Reply{Answers: 1, Status: authorization.Denied, Inquiry: desk.Inquiry{Contact: "portal"}}
	MustDo(t, f.RecordReply(t.Context(), celia, uid, denied))
	late := reply
	late.Answers = 1
	if err := f.RecordReply(t.Context(), celia, uid, late); !problem.Is(err, problem.Conflict) {
		t.Errorf("the second: got %v, want Conflict", err)
	}
	if got := f.MustCase(t, uid); got.Status != authorization.Denied || len(got.Answers) != 2 {
		t.Errorf("got %s with %d answers, want the first's word", got.Status, len(got.Answers))
	}
	late.Answers = 2
	MustDo(t, f.RecordReply(t.Context(), celia, uid, late))
	if got := f.MustCase(t, uid); got.Status != authorization.Authorized || len(got.Answers) != 3 || len(got.Decisions) != 2 {
		t.Errorf("corrected: got %s with %d answers", got.Status, len(got.Answers))
	}
}

// TestDesk_RecordReply_Several: of several authorizations it is said which one, and the
// others stay as they are.
func TestDesk_RecordReply_Several(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	first := authorization.Authorization{Number: 1, Success: true, Status: authorization.Authorized, Senha: "S1"}
	uid := f.MustAnswer(t, first, analysed("2", 2))
	told := reply
	told.Answers = 1
	for _, place := range []int{-1, 2} {
		told.Authorization = place
		if got := problem.FieldsOf(f.RecordReply(t.Context(), celia, uid, told)); len(got) != 1 || got[0].Path != "autorizacao" {
			t.Errorf("about %d: got %v, want that one has to be named", place, got)
		}
	}
	told.Authorization = 1
	MustDo(t, f.RecordReply(t.Context(), celia, uid, told))
	c := f.MustCase(t, uid)
	if diff := cmp.Diff(first, c.Answer.Authorizations[0], cmpTimes); diff != "" {
		t.Errorf("the other one (-want +got):\n%s", diff)
	}
	if c.Group != authorization.Ready || c.Authorized != 2 || c.Answer.Authorizations[1].Senha != "482017739" {
		t.Errorf("got %+v", c.CaseSummary)
	}
}

// TestCase_CanRecord: what the operator may still change, or a person wrote down, can be
// recorded; what is final, or goes on with a correction, cannot.
func TestCase_CanRecord(t *testing.T) {
	answered := func(corrected bool, all ...authorization.Authorization) desk.Case {
		c := desk.Case{Answer: &authorization.Answer{Authorizations: all}}
		c.State, c.Corrected = desk.Answered, corrected
		return c
	}
	of := func(s authorization.Status) authorization.Authorization {
		return authorization.Authorization{Status: s}
	}
	for _, info := range authorization.Statuses() {
		if got := answered(false, of(info.Code)).CanRecord(); got == info.Final {
			t.Errorf("%s: got %v", info.Code, got)
		}
	}
	for name, tc := range map[string]struct {
		c    desk.Case
		want bool
	}{
		"OneOfTwoOpen":    {answered(false, of("N"), of("R")), true},
		"RecordedByHand":  {answered(false, authorization.Authorization{Status: "N", Recorded: true}), true},
		"CodeNobodyKnows": {answered(false, of("Ω")), true},
		"Corrected":       {answered(true, of("R")), false},
		"Queued":          {desk.Case{CaseSummary: desk.CaseSummary{CaseState: desk.CaseState{State: desk.Queued}}}, false},
		"Unknown":         {desk.Case{CaseSummary: desk.CaseSummary{CaseState: desk.CaseState{State: desk.Unknown}}}, true},
	} {
		if got := tc.c.CanRecord(); got != tc.want {
			t.Errorf("%s: got %v, want %v", name, got, tc.want)
		}
	}
}
