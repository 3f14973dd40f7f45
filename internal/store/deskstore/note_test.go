package deskstore_test

import (
	"slices"
	"sync"
	"testing"
	"time"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/problem"
	"guiche/internal/store/checksum"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// done returns a case that was answered, and may be attended.
func (e *env) done(t *testing.T) desk.Submission {
	t.Helper()
	sub := e.submit(t)
	e.settle(t, e.claim(t), desk.Answered, func(s *desk.Settlement) { s.Group = authorization.Ready })
	e.pass(time.Minute)
	return sub
}

func by(a desk.Author, kind desk.EventKind) desk.Event { return desk.Event{Kind: kind, Actor: a} }

// TestStore_AddNote: what a person writes stands with the event of it, and stays.
func TestStore_AddNote(t *testing.T) {
	e, ctx := mustEnv(t), t.Context()
	sub := e.done(t)
	note := by(bia, desk.EventReviewed)
	note.Note = desk.Inquiry{Contact: "Central", CallProtocol: "77", Note: "pediram laudo\ne prazo de 5 dias"}
	MustDo(t, e.AddNote(ctx, sub.UID, note, -1, audit.Entry{Event: audit.ReviewRequested}))
	MustDo(t, e.AddNote(ctx, sub.UID, by(ana, desk.EventReleased), -1, entry))
	c := e.mustCase(t, sub.UID)
	note.At = e.now
	if got := c.Events[len(c.Events)-2]; got != note {
		t.Errorf("got %+v, want %+v", got, note)
	}
	if got := c.Events[len(c.Events)-1]; got.Note != (desk.Inquiry{}) {
		t.Errorf("an event without a note has %+v", got.Note)
	}
	if err := e.AddNote(ctx, uuid.New(), note, -1, entry); !problem.Is(err, problem.NotFound) {
		t.Errorf("no case: got %v, want NotFound", err)
	}
	if !slices.Contains(e.events(t), audit.ReviewRequested) {
		t.Errorf("the trail has %v", e.events(t))
	}
	for _, statement := range []string{`UPDATE case_note SET note = 'x'`, `DELETE FROM case_note`} {
		err := e.db.Write(ctx, func(tx *engine.Tx) error {
			_, err := tx.Exec(ctx, statement)
			return err
		})
		if err == nil {
			t.Errorf("%s: done, want refused", statement)
		}
	}
}

// TestStore_AddNote_Twice: of presses of one form that arrive together one is written, in case and trail; another person,
// other words or a later form are another note.
func TestStore_AddNote_Twice(t *testing.T) {
	e, ctx := mustEnv(t), t.Context()
	sub := e.done(t)
	seen := len(e.mustCase(t, sub.UID).Events)
	write := func(who desk.Author, words string, seen int) error {
		note := desk.Event{Kind: desk.EventNoted, Actor: who, Note: desk.Inquiry{Note: words}}
		return e.AddNote(ctx, sub.UID, note, seen, audit.Entry{Event: audit.CaseNoted})
	}
	var presses sync.WaitGroup
	for range 4 {
		presses.Go(func() {
			if err := write(ana, "avisada", seen); err != nil {
				t.Error(err)
			}
		})
	}
	presses.Wait()
	if got := e.mustCase(t, sub.UID).Events[seen:]; len(got) != 1 || got[0].Note.Note != "avisada" {
		t.Errorf("got %+v, want one note", got)
	}
	MustDo(t, write(bia, "avisada", seen))
	MustDo(t, write(ana, "voltou", seen))
	MustDo(t, write(ana, "avisada", seen+1))
	if n := len(e.mustCase(t, sub.UID).Events) - seen; n != 4 {
		t.Errorf("%d notes, want 4", n)
	}
	if n := len(slices.DeleteFunc(e.events(t), func(one audit.Event) bool { return one != audit.CaseNoted })); n != 4 {
		t.Errorf("the trail has %d of them", n)
	}
}

// TestStore_Review: a denial under review stands where its event says, for the check of lists too,
// and is made again from there.
func TestStore_Review(t *testing.T) {
	e, ctx := mustEnv(t), t.Context()
	sub := e.submit(t)
	e.settle(t, e.claim(t), desk.Answered, func(s *desk.Settlement) { s.Group, s.Status = authorization.Refusal, authorization.Denied })
	e.pass(time.Hour)
	review := by(bia, desk.EventReviewed)
	review.Note = desk.Inquiry{Contact: "Central"}
	MustDo(t, e.Review(ctx, sub.UID, review, -1, entry))
	asked := e.now
	for _, group := range []authorization.Group{authorization.Waiting, authorization.Refusal} {
		mustListAll(t, e.Store)
		MustDo(t, e.ReturnReviews(ctx))
		mustListAll(t, e.Store)
		cases, err := e.Cases(ctx, all, desk.Query{Limit: 9, Group: group, Today: noon})
		if err != nil || len(cases) != 1 || !cases[0].ReviewedAt.Equal(asked) {
			t.Errorf("group %d: got %+v, %v", group, cases, err)
		}
		repaired, err := e.RepairLists(ctx, []checksum.Row{{Table: "case_summary", Key: []any{mustID(t, e.db, "submission", sub.UID)}}})
		if err != nil || len(repaired) != 1 {
			t.Errorf("group %d: made again %v, %v", group, repaired, err)
		}
		e.pass(authorization.ReviewTime)
	}
}

// TestStore_Reopen: a conclusion is taken back while nothing but notes has come after it, and
// the lists know.
func TestStore_Reopen(t *testing.T) {
	e, ctx := mustEnv(t), t.Context()
	sub := e.done(t)
	reopen := func() error {
		return e.Reopen(ctx, sub.UID, by(bia, desk.EventReopened), audit.Entry{Event: audit.CaseReopened})
	}
	if err := reopen(); !problem.Is(err, problem.Conflict) {
		t.Errorf("what was not concluded: got %v, want Conflict", err)
	}
	MustDo(t, e.Conclude(ctx, sub.UID, by(bia, desk.EventConcluded), entry))
	e.pass(time.Minute)
	MustDo(t, e.AddNote(ctx, sub.UID, desk.Event{Kind: desk.EventNoted, Actor: ana, Note: desk.Inquiry{Note: "voltou"}}, -1, entry))
	MustDo(t, reopen())
	for group, want := range map[authorization.Group]int{authorization.Ready: 1, authorization.Closed: 0} {
		cases, err := e.Cases(ctx, all, desk.Query{Limit: 9, Group: group, Today: noon})
		if err != nil || len(cases) != want {
			t.Errorf("group %d: got %d, %v, want %d", group, len(cases), err, want)
		}
	}
	mustListAll(t, e.Store)
	if err := reopen(); !problem.Is(err, problem.Conflict) {
		t.Errorf("twice: got %v, want Conflict", err)
	}
	MustDo(t, e.Conclude(ctx, sub.UID, by(bia, desk.EventConcluded), entry))
	mustListAll(t, e.Store)
	e.submit(t, func(s *desk.Submission) { s.Previous, s.Copy = sub.UID, desk.Correction })
	if err := reopen(); !problem.Is(err, problem.Conflict) {
		t.Errorf("corrected since: got %v, want Conflict", err)
	}
}

// TestStore_ClockSetBack: the check of the lists goes by the order in which things happened to a case, and so
// finds nothing to mend where the clock was put back in between.
func TestStore_ClockSetBack(t *testing.T) {
	e, ctx := mustEnv(t), t.Context()
	sub := e.submit(t)
	e.settle(t, e.claim(t), desk.Answered, func(s *desk.Settlement) { s.Group = authorization.Refusal })
	for _, do := range []func() error{
		func() error { return e.Review(ctx, sub.UID, by(ana, desk.EventReviewed), -1, entry) },
		func() error { return e.Conclude(ctx, sub.UID, by(ana, desk.EventConcluded), entry) },
		func() error { return e.Reopen(ctx, sub.UID, by(ana, desk.EventReopened), entry) },
		func() error { return e.Conclude(ctx, sub.UID, by(ana, desk.EventConcluded), entry) },
		func() error {
			answers := len(e.mustCase(t, sub.UID).Answers)
			return e.RecordReply(ctx, sub.UID, answers, e.recorded(), e.decided(uuid.Nil), entry)
		},
	} {
		e.pass(-time.Hour)
		MustDo(t, do())
		mustListAll(t, e.Store)
	}
}
