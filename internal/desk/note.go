package desk

import (
	"context"
	"slices"
	"strings"
	"time"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/permission"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// NoteStore keeps what people write on cases and how they take them out of the queue. Each
// event is written with its note, and with the audit entry, in one commit.
type NoteStore interface {
	// AddNote adds an event that changes nothing about the case. Where the same person has written the same since the
	// case had so many events, it is the same press, and nothing is added.
	AddNote(ctx context.Context, uid uuid.UUID, e Event, seen int, entry audit.Entry) error
	// Review adds an event with which a denial waits for the operator's review, once as AddNote does.
	Review(ctx context.Context, uid uuid.UUID, e Event, seen int, entry audit.Entry) error
	// ReturnReviews has the denials wait for somebody of the provider again whose operator has
	// not answered in its time.
	ReturnReviews(ctx context.Context) error
	// Conclude takes a case out of the queue; problem.Conflict while it has no outcome. One that is
	// concluded stays as it is.
	Conclude(ctx context.Context, uid uuid.UUID, e Event, entry audit.Entry) error
	// Reopen puts a case back that was concluded; problem.Conflict when anything but notes
	// came after that.
	Reopen(ctx context.Context, uid uuid.UUID, e Event, entry audit.Entry) error
}

// ReasonPrivate is Event.Reason of a conclusion: the patient pays for it.
const ReasonPrivate = "particular"

// AddNote adds what a person wrote to the history of a case, once for a form that is sent twice: seen is how many events
// the case had when the form was made, negative where nobody says.
func (d *Desk) AddNote(ctx context.Context, a permission.Actor, uid uuid.UUID, text string, seen int) error {
	q := Inquiry{Note: text}.trimmed()
	fields := tooLong("observacao", q.Note, maxReplyNote)
	if q.Note == "" {
		fields = append(fields, problem.Field{Path: "observacao", Code: authorization.CodeRequired, Message: "Escreva a anotação."})
	}
	if err := problem.InvalidFields(fields); err != nil {
		return err
	}
	if _, err := d.CaseState(ctx, a, uid); err != nil {
		return err
	}
	e := Event{Kind: EventNoted, Actor: authorOf(a), Note: q}
	return d.config.Store.AddNote(ctx, uid, e, seen, d.entry(a, audit.CaseNoted, audit.ObjectCase, uid))
}

// CanReview reports whether the operator can be asked to look at the case again.
func (c Case) CanReview() bool {
	return c.State == Answered && c.Group == authorization.Refusal && !c.Corrected && !c.Concluded
}

// beside are the events after which a case stands as before. The lists of cases know them, too.
var beside = map[EventKind]bool{EventNoted: true, EventReviewed: true, EventActAsked: true, EventActEnded: true}

// Reviewed returns the latest request for a review since the operator's answer, false
// without one. Events count in their order: a clock may have been set back.
func (c Case) Reviewed() (Event, bool) {
	for _, e := range slices.Backward(c.Events) {
		switch {
		case e.Kind == EventReviewed:
			return e, true
		case !beside[e.Kind] && e.Kind != EventConcluded && e.Kind != EventReopened:
			return Event{}, false
		}
	}
	return Event{}, false
}

// RecordReview notes that the operator was asked to look at a denial again ("reanálise"). Until
// its reply the case waits for the operator, and after authorization.ReviewTime for somebody of
// the provider again. It is recorded once as AddNote does. What is wrong with the inquiry is problem.Invalid.
func (d *Desk) RecordReview(ctx context.Context, a permission.Actor, uid uuid.UUID, q Inquiry, seen int) error {
	if err := d.stillDenied(ctx, a, uid); err != nil {
		return err
	}
	q = q.trimmed()
	if err := problem.InvalidFields(q.Problems()); err != nil {
		return err
	}
	e := Event{Kind: EventReviewed, Actor: authorOf(a), Note: q}
	return d.config.Store.Review(ctx, uid, e, seen, d.entry(a, audit.ReviewRequested, audit.ObjectCase, uid))
}

// stillDenied is problem.Conflict for a case that is no denial to act upon any more.
func (d *Desk) stillDenied(ctx context.Context, a permission.Actor, uid uuid.UUID) error {
	c, err := d.reachable(ctx, a, uid)
	if err == nil && !c.CanReview() {
		err = errNotDenied()
	}
	return err
}

func errNotDenied() error {
	return problem.New(problem.Conflict, "Este pedido não está mais negado. Nada foi gravado.")
}

// UnderReview reports whether the operator was asked to look at the denial again, and still has
// the time for it.
func (c CaseSummary) UnderReview() bool { return !c.ReviewedAt.IsZero() && !c.ReviewOverdue }

// reviewAt says whether a review is overdue at a moment.
func (c *CaseSummary) reviewAt(now time.Time) {
	c.ReviewOverdue = !c.ReviewedAt.IsZero() && now.Sub(c.ReviewedAt) >= authorization.ReviewTime
}

// CanConclude reports whether the case stands in the queue and may be taken out of it.
func (c CaseSummary) CanConclude() bool {
	return !c.Damaged && c.State.Concludes() && !c.Corrected && c.Group != authorization.Closed && !c.Concluded
}

// Conclude takes a case out of the queue, in which nothing more is to be done about it: the
// patient is attended, or was told. A later answer brings it back. What has no outcome yet is
// problem.Conflict.
func (d *Desk) Conclude(ctx context.Context, a permission.Actor, uid uuid.UUID) error {
	return d.ConcludeSeen(ctx, a, uid, "")
}

// ConcludeSeen is Conclude of a case that a page showed with that CaseState.Standing. One that stands otherwise by now is
// problem.Conflict: nobody has looked at what came. One that is concluded stays so.
func (d *Desk) ConcludeSeen(ctx context.Context, a permission.Actor, uid uuid.UUID, seen string) error {
	c, err := d.reachable(ctx, a, uid)
	switch {
	case err != nil:
		return err
	case seen != "" && seen != c.Standing():
		return problem.New(problem.Conflict, "Este pedido mudou depois que a página foi aberta, e continua na fila. Confira e conclua de novo.")
	case c.Concluded:
		return nil
	}
	return d.takeOut(ctx, a, uid, Event{})
}

// ConcludePrivate is Conclude for a patient who pays instead of the operator. What is not denied
// any more is problem.Conflict: nobody pays for what was granted meanwhile. It is recorded once as AddNote does.
func (d *Desk) ConcludePrivate(ctx context.Context, a permission.Actor, uid uuid.UUID, note string, seen int) error {
	e := Event{Kind: EventConcluded, Actor: authorOf(a), Reason: ReasonPrivate, Note: Inquiry{Note: strings.TrimSpace(note)}}
	c, err := d.reachable(ctx, a, uid)
	switch {
	case err != nil:
		return err
	case c.wrote(e, seen):
		return nil
	case !c.CanReview():
		return errNotDenied()
	}
	if err := problem.InvalidFields(tooLong("observacao", e.Note.Note, maxReplyNote)); err != nil {
		return err
	}
	return d.takeOut(ctx, a, uid, e)
}

// wrote reports whether the same person did the same since the case had so many events; negative
// where nobody says.
func (c Case) wrote(e Event, seen int) bool {
	if seen < 0 || seen > len(c.Events) {
		return false
	}
	return slices.ContainsFunc(c.Events[seen:], func(done Event) bool {
		return done.Kind == e.Kind && done.Reason == e.Reason && done.Actor.User == e.Actor.User && done.Note == e.Note
	})
}

func (d *Desk) takeOut(ctx context.Context, a permission.Actor, uid uuid.UUID, e Event) error {
	e.Kind, e.Actor = EventConcluded, authorOf(a)
	return d.config.Store.Conclude(ctx, uid, e, d.entry(a, audit.CaseConcluded, audit.ObjectCase, uid))
}

// concluded reports whether somebody took the case out of the queue since its last change,
// and nobody put it back.
func (c Case) concluded() bool {
	for _, e := range slices.Backward(c.Events) {
		if !beside[e.Kind] {
			return e.Kind == EventConcluded
		}
	}
	return false
}

// CanReopen reports whether the case can be put back into the queue: somebody took it out,
// and nothing has happened to it since.
func (c Case) CanReopen() bool {
	for _, e := range slices.Backward(c.Events) {
		if e.Kind != EventNoted {
			return e.Kind == EventConcluded && !c.Corrected
		}
	}
	return false
}

// Reopen takes back that a case was concluded. Where anything happened to it since, it is
// problem.Conflict.
func (d *Desk) Reopen(ctx context.Context, a permission.Actor, uid uuid.UUID) error {
	if _, err := d.CaseState(ctx, a, uid); err != nil {
		return err
	}
	e := Event{Kind: EventReopened, Actor: authorOf(a)}
	return d.config.Store.Reopen(ctx, uid, e, d.entry(a, audit.CaseReopened, audit.ObjectCase, uid))
}
