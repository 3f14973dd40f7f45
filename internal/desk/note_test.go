package desk_test

import (
	"strings"
	"testing"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/permission"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// lastEvent is what last happened to a case.
func (f *fixture) lastEvent(t *testing.T, uid uuid.UUID) desk.Event {
	t.Helper()
	all := f.MustCase(t, uid).Events
	return all[len(all)-1]
}

// TestDesk_AddNote: whoever sees a case writes on it; nothing of the case changes.
func TestDesk_AddNote(t *testing.T) {
	t.Parallel()
	f, ctx := MustDesk(t), t.Context()
	uid := f.MustEnd(t, answered(authorization.Denied))[0]
	before := f.MustCase(t, uid)
	for name, tt := range map[string]struct {
		by   permission.Actor
		text string
		want problem.Code
	}{
		"nothing":       {ana, " \n ", problem.Invalid},
		"too much":      {ana, strings.Repeat("ã", 1001), problem.Invalid},
		"another unit":  {bia, "voltou", problem.NotFound},
		"administração": {admin, "voltou", problem.Forbidden},
	} {
		if err := f.AddNote(ctx, tt.by, uid, tt.text, -1); !problem.Is(err, tt.want) {
			t.Errorf("%s: got %v, want %s", name, err, tt.want)
		}
	}
	if n := len(f.MustCase(t, uid).Events); n != len(before.Events) {
		t.Errorf("got %d events of what was refused, want %d", n, len(before.Events))
	}
	for _, text := range []string{" ligou\nde novo ", strings.Repeat("ã", 1000)} {
		MustDo(t, f.AddNote(ctx, ana, uid, text, -1))
		if got := f.lastEvent(t, uid); got.Kind != desk.EventNoted || got.Note.Note != strings.TrimSpace(text) || got.Actor.User != anaID {
			t.Errorf("got %+v", got)
		}
	}
	if c := f.MustCase(t, uid); c.CaseState != before.CaseState {
		t.Errorf("the case became %+v", c.CaseState)
	}
}

// TestDesk_Reopen: a conclusion is taken back by who sees the case, as long as nothing but
// notes has come after it.
func TestDesk_Reopen(t *testing.T) {
	t.Parallel()
	f, ctx := MustDesk(t), t.Context()
	uid := f.MustEnd(t, answered(authorization.Denied))[0]
	want := func(when string, conclude, reopen bool) {
		t.Helper()
		if c := f.MustCase(t, uid); c.CanConclude() != conclude || c.CanReopen() != reopen || c.Concluded == conclude {
			t.Errorf("%s: concluded %v, to be concluded %v, to be reopened %v", when, c.Concluded, c.CanConclude(), c.CanReopen())
		}
	}
	want("answered", true, false)
	if err := f.Reopen(ctx, ana, uid); !problem.Is(err, problem.Conflict) {
		t.Errorf("answered: got %v, want conflict", err)
	}
	MustDo(t, f.Conclude(ctx, ana, uid))
	want("concluded", false, true)
	MustDo(t, f.AddNote(ctx, ana, uid, "o paciente voltou", -1))
	want("with a note", false, true)
	if err := f.Reopen(ctx, bia, uid); !problem.Is(err, problem.NotFound) {
		t.Errorf("another unit: got %v, want not found", err)
	}
	MustDo(t, f.Reopen(ctx, ana, uid))
	want("reopened", true, false)
	if next, err := f.Next(ctx, ana, uuid.Nil); next != uid || err != nil {
		t.Errorf("next is %v, %v, want the case that waits again", next, err)
	}
	if n := f.count(t, `SELECT COUNT(*) FROM submission_event WHERE kind = 'reaberto'`); n != 1 {
		t.Errorf("%d events are stored by their word, want one", n)
	}
}

// TestDesk_ConcludeSeen: what came since a page was shown is not concluded unseen, and a conclusion that comes twice is
// one.
func TestDesk_ConcludeSeen(t *testing.T) {
	t.Parallel()
	f, ctx := MustDesk(t), t.Context()
	uid := f.MustEnd(t, answered(authorization.Denied))[0]
	seen := f.MustCase(t, uid).Standing()
	MustDo(t, f.RecordReview(ctx, ana, uid, desk.Inquiry{Contact: "Central"}, -1))
	granted := desk.Reply{Answers: 1, Status: authorization.Authorized, Senha: "4821", Inquiry: desk.Inquiry{Contact: "Marta"}}
	MustDo(t, f.RecordReply(ctx, celia, uid, granted))
	if err := f.ConcludeSeen(ctx, ana, uid, seen); !problem.Is(err, problem.Conflict) || f.MustCase(t, uid).Concluded {
		t.Errorf("got %v, want conflict and nothing done", err)
	}
	seen = f.MustCase(t, uid).Standing()
	for range 2 {
		MustDo(t, f.ConcludeSeen(ctx, ana, uid, seen))
	}
	if n := f.count(t, `SELECT COUNT(*) FROM submission_event WHERE kind = ?`, string(desk.EventConcluded)); n != 1 {
		t.Errorf("concluded %d times", n)
	}
}

// TestDesk_ClockSetBack: what happened to a case counts in the order in which it happened, also
// where the clock was put back in between.
func TestDesk_ClockSetBack(t *testing.T) {
	t.Parallel()
	f, ctx := MustDesk(t), t.Context()
	uids := f.MustEnd(t, answered(authorization.Denied), answered(authorization.Denied))
	concluded, reviewed := uids[0], uids[1]
	f.clock.Advance(-time.Hour)
	MustDo(t, f.Conclude(ctx, ana, concluded))
	MustDo(t, f.RecordReview(ctx, ana, reviewed, desk.Inquiry{Contact: "Central"}, -1))
	if c := f.MustCase(t, concluded); !c.Concluded || c.CanConclude() {
		t.Error("what was concluded is not told to be")
	}
	if c := f.MustCase(t, reviewed); !c.UnderReview() {
		t.Error("what is under review is not told to be")
	}
	f.clock.Advance(-time.Hour)
	again := desk.Reply{Answers: 1, Status: authorization.Denied, Inquiry: desk.Inquiry{Contact: "Marta"}}
	MustDo(t, f.RecordReply(ctx, celia, reviewed, again))
	if f.MustCase(t, reviewed).UnderReview() {
		t.Error("what was answered since is told to be under review")
	}
	MustDo(t, f.Conclude(ctx, ana, reviewed))
	f.clock.Advance(-time.Hour)
	again.Answers = 2
	MustDo(t, f.RecordReply(ctx, celia, reviewed, again))
	if f.MustCase(t, reviewed).Concluded {
		t.Error("what was answered since is told to be concluded")
	}
}

// TestDesk_ConcludePrivate: that a patient pays stands with the conclusion.
func TestDesk_ConcludePrivate(t *testing.T) {
	t.Parallel()
	f, ctx := MustDesk(t), t.Context()
	uid := f.MustEnd(t, answered(authorization.Denied))[0]
	if err := f.ConcludePrivate(ctx, ana, uid, strings.Repeat("x", 1001), -1); !problem.Is(err, problem.Invalid) {
		t.Errorf("a long note: got %v, want invalid", err)
	}
	if err := f.ConcludePrivate(ctx, bia, uid, "", -1); !problem.Is(err, problem.NotFound) {
		t.Errorf("another unit: got %v, want not found", err)
	}
	seen := len(f.MustCase(t, uid).Events)
	MustDo(t, f.ConcludePrivate(ctx, ana, uid, " paga à vista ", seen))
	if got := f.lastEvent(t, uid); got.Kind != desk.EventConcluded || got.Reason != desk.ReasonPrivate || got.Note.Note != "paga à vista" {
		t.Errorf("got %+v", got)
	}
	MustDo(t, f.ConcludePrivate(ctx, ana, uid, "paga à vista", seen)) // pressed twice
	if got := len(f.MustCase(t, uid).Events); got != seen+1 {
		t.Errorf("pressed twice: %d events, want %d", got, seen+1)
	}
	for why, again := range map[string]error{
		"other words":     f.ConcludePrivate(ctx, ana, uid, "paga em duas vezes", seen),
		"another form":    f.ConcludePrivate(ctx, ana, uid, "paga à vista", seen+1),
		"nobody says":     f.ConcludePrivate(ctx, ana, uid, "paga à vista", -1),
		"an unknown form": f.ConcludePrivate(ctx, ana, uid, "paga à vista", seen+9),
	} {
		if !problem.Is(again, problem.Conflict) {
			t.Errorf("%s: got %v, want conflict", why, again)
		}
	}
}

// TestDesk_ConcludePrivate_AuthorizedMeanwhile: nobody pays for what the operator has granted since
// the person saw the denial.
func TestDesk_ConcludePrivate_AuthorizedMeanwhile(t *testing.T) {
	t.Parallel()
	f, ctx := MustDesk(t), t.Context()
	uid := f.MustEnd(t, answered(authorization.Denied))[0]
	MustDo(t, f.RecordReview(ctx, ana, uid, desk.Inquiry{Contact: "Central"}, -1))
	granted := desk.Reply{Answers: 1, Status: authorization.Authorized, Senha: "482017739",
		SenhaValidUntil: authorization.DateOf(2026, 12, 20), Inquiry: desk.Inquiry{Contact: "Marta"}}
	MustDo(t, f.RecordReply(ctx, celia, uid, granted))
	if err := f.ConcludePrivate(ctx, ana, uid, "", -1); !problem.Is(err, problem.Conflict) {
		t.Errorf("got %v, want conflict", err)
	}
	if c := f.MustCase(t, uid); c.Concluded || !c.CanConclude() {
		t.Error("the senha is out of the queue")
	}
}

// TestDesk_RecordReview: that the operator was asked to look at a denial again stands on the
// case until its answer, and is asked of denials alone.
func TestDesk_RecordReview(t *testing.T) {
	t.Parallel()
	f, ctx := MustDesk(t), t.Context()
	cases := f.MustEnd(t, answered(authorization.Denied), answered(authorization.Authorized))
	denied, ready := cases[0], cases[1]
	q := desk.Inquiry{Contact: " Central ", CallProtocol: "77"}
	for name, tt := range map[string]struct {
		by   permission.Actor
		uid  uuid.UUID
		ask  desk.Inquiry
		want problem.Code
	}{
		"authorized":   {ana, ready, q, problem.Conflict},
		"with nobody":  {ana, denied, desk.Inquiry{Note: "pediram laudo"}, problem.Invalid},
		"another unit": {bia, denied, q, problem.NotFound},
	} {
		if err := f.RecordReview(ctx, tt.by, tt.uid, tt.ask, -1); !problem.Is(err, tt.want) {
			t.Errorf("%s: got %v, want %s", name, err, tt.want)
		}
	}
	if _, asked := f.MustCase(t, denied).Reviewed(); asked {
		t.Error("a review is told that nobody recorded")
	}
	MustDo(t, f.RecordReview(ctx, ana, denied, q, -1))
	c := f.MustCase(t, denied)
	if e, asked := c.Reviewed(); !asked || e.Note.Contact != "Central" || e.Note.CallProtocol != "77" || e.Actor.User != anaID {
		t.Errorf("got %+v, %v", e, asked)
	}
	c.Events = append(c.Events, desk.Event{Kind: desk.EventUpdated}) // the operator has answered since
	if _, asked := c.Reviewed(); asked {
		t.Error("a review from before the answer is told")
	}
	MustDo(t, f.Conclude(ctx, ana, denied))
	if f.MustCase(t, denied).CanReview() {
		t.Error("what was concluded can be reviewed")
	}
}

// TestDesk_RecordReview_Queue: a denial that the operator looks at again waits for it, and for
// somebody of the provider once it has had its days, was asked again, or has answered.
func TestDesk_RecordReview_Queue(t *testing.T) {
	t.Parallel()
	f, ctx := MustDesk(t), t.Context()
	uid := f.MustEnd(t, answered(authorization.Denied))[0]
	stands := func(when string, group authorization.Group, step desk.Step) {
		t.Helper()
		for _, g := range []authorization.Group{authorization.Refusal, authorization.Waiting, authorization.Closed} {
			page, err := f.Cases(ctx, ana, desk.Query{Group: g})
			MustDo(t, err)
			counts, err := f.Counts(ctx, ana)
			if n := counts.Groups[g].Count; err != nil || n != len(page.Cases) || (n == 1) != (g == group) {
				t.Errorf("%s: group %d counts %d and lists %d, %v", when, g, n, len(page.Cases), err)
			}
			if g == group && len(page.Cases) == 1 && page.Cases[0].NextStep() != step {
				t.Errorf("%s: the row leads to %d, want %d", when, page.Cases[0].NextStep(), step)
			}
		}
		if got := f.MustCase(t, uid).NextStep(); got != step {
			t.Errorf("%s: the case leads to %d, want %d", when, got, step)
		}
		next, err := f.Next(ctx, ana, uuid.Nil)
		if waits := group == authorization.Refusal; err != nil || (next == uid) != waits {
			t.Errorf("%s: next is %v, %v, want it %v", when, next, err, waits)
		}
	}
	review := func() { MustDo(t, f.RecordReview(ctx, ana, uid, desk.Inquiry{Contact: "Central"}, -1)) }
	stands("denied", authorization.Refusal, desk.StepCorrect)
	f.clock.Advance(time.Hour)
	review()
	stands("asked", authorization.Waiting, desk.StepReview)
	f.clock.Advance(authorization.ReviewTime - time.Second)
	MustDo(t, f.FollowDue(ctx))
	stands("in its time", authorization.Waiting, desk.StepReview)
	f.clock.Advance(2 * time.Minute)
	MustDo(t, f.FollowDue(ctx))
	stands("after its time", authorization.Refusal, desk.StepRemind)
	review()
	stands("asked again", authorization.Waiting, desk.StepReview)
	MustDo(t, f.Conclude(ctx, ana, uid))
	MustDo(t, f.Reopen(ctx, ana, uid))
	stands("reopened", authorization.Waiting, desk.StepReview)
	f.clock.Advance(time.Hour)
	MustDo(t, f.RecordReply(ctx, celia, uid, desk.Reply{Answers: 1, Status: authorization.Denied, Inquiry: desk.Inquiry{Contact: "Marta"}}))
	stands("denied again", authorization.Refusal, desk.StepCorrect)
}

// TestDesk_Cancel_LongMessage: of what a service says why it did not act the beginning is kept.
func TestDesk_Cancel_LongMessage(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	f.MustRun(t)
	uid := f.MustAuthorize(t, authorization.Authorized)
	f.offersCancelling()
	for said, want := range map[string]string{
		strings.Repeat("ã", 500): strings.Repeat("ã", 500), strings.Repeat("ã", 500) + "b": strings.Repeat("ã", 500),
	} {
		f.service.acts.err = problem.New(problem.Conflict, said)
		if act, _ := f.MustCancel(t, uid, "Desistência").LastAct(); act.Message != want {
			t.Errorf("kept %d bytes, want %d", len(act.Message), len(want))
		}
	}
}
