package desk

import (
	"context"
	"time"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/blob"
	"guiche/internal/permission"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// Case is everything about one submission.
type Case struct {
	CaseSummary
	ProviderGuide string // guiaPrestador: the number to quote
	UnitID        uuid.UUID
	Names         Names
	Sender        Author
	Request       authorization.Request // as it was sent
	Attachments   []Attachment
	Answer        *authorization.Answer // the latest; nil without one
	Answers       []PastAnswer          // all of them, oldest first
	Fields        []problem.Field       // of Refused: errors that name a field of the request
	Attempts      []Attempt             // oldest first
	Events        []Event               // oldest first
	Previous      uuid.UUID             // the case this was copied from, or zero
	Copy          CopyKind              // what it is to that case
	Corrections   []uuid.UUID           // cases that took the place of this one, oldest first
	Repetitions   []uuid.UUID           // cases that ask for the same once more, oldest first
	Decisions     []Decision            // of people while the outcome was unknown, oldest first
	Acts          []Act                 // what people asked of the service about its authorizations, oldest first
	SentTo        string                // Service.Name at the latest attempt; "" when nobody noted it
	ResendOf      uuid.UUID             // the case that this one sends again, or zero
	Deadline      time.Time             // it is refused when it has not left by then
	Due           time.Time             // of Queued: the next attempt
	FollowAt      time.Time             // of Answered: when the service is asked how it stands; zero when it is not any more
	FollowedAt    time.Time             // when the service told that last, or zero
	Record        Record                // of its first procedure, for who looks at the case

	damaged []blob.Ref // of its files, for who looks at the case: those known to be damaged
}

// PastAnswer is an answer with when it was read; that which a person recorded too.
type PastAnswer struct {
	At time.Time
	authorization.Answer
}

// AnswersOf returns the answer that each event of Events brought, nil for one that brought
// none: answers and their events are kept in the same order.
func (c Case) AnswersOf() []*PastAnswer {
	brought := make([]*PastAnswer, len(c.Events))
	next := 0
	for i, e := range c.Events {
		if !bringsAnswer[e.Kind] {
			continue
		}
		for next < len(c.Answers) && len(c.Answers[next].Authorizations) == 0 {
			next++ // what could be read of something that was no answer
		}
		if next < len(c.Answers) {
			brought[i] = &c.Answers[next]
			next++
		}
	}
	return brought
}

// bringsAnswer are the events that come with an answer.
var bringsAnswer = map[EventKind]bool{EventAnswered: true, EventFound: true, EventReread: true, EventRecorded: true, EventUpdated: true}

// Attempt is one try to send: facts of the wire.
type Attempt struct {
	Number     int
	StartedAt  time.Time
	EndedAt    time.Time // zero while it runs, and for ever if the process ended
	SentBytes  int64
	HTTPStatus int
	Failure    authorization.Failure
}

// EventKind is what happened to a case.
type EventKind string

// The events of a case.
const (
	EventSubmitted EventKind = "confirmado"
	EventSent      EventKind = "enviado"
	EventDelayed   EventKind = "adiado"
	EventHeld      EventKind = "retido"
	EventReleased  EventKind = "liberado"
	EventAnswered  EventKind = "respondido"
	EventRefused   EventKind = "recusado"
	EventUnknown   EventKind = "sem_resposta"
	EventWithdrawn EventKind = "retirado"
	EventRecorded  EventKind = "retorno_registrado" // a person recorded the operator's reply
	EventResent    EventKind = "reenviado"          // a person sent it again as a new case
	EventDoubted   EventKind = "em_duvida"          // it goes out again with the same key
	EventFound     EventKind = "encontrado"         // by asking the service by number
	EventReread    EventKind = "relido"             // the kept answer could be read later
	EventAbsent    EventKind = "nao_chegou"         // the service says that it never got it
	EventUpdated   EventKind = "atualizado"         // the operator changed its answer
	EventConcluded EventKind = "concluido"          // somebody took it out of the queue: nothing more is to be done
	EventActAsked  EventKind = "ato_pedido"         // a person asked something of the service about an authorization; the reason is its kind
	EventActEnded  EventKind = "ato_nao_feito"      // likewise, and it was not done or is in doubt
	EventReopened  EventKind = "reaberto"           // somebody put it back
	EventNoted     EventKind = "anotado"            // somebody wrote something down
	EventReviewed  EventKind = "reanalise_pedida"   // somebody asked the operator to look at a denial again
)

// Event is one line of a case's history.
type Event struct {
	At      time.Time
	Kind    EventKind
	Actor   Author  // zero: the program
	Attempt int     // 0 when it is about none
	Reason  string  // fixed word, "" when there is none
	Note    Inquiry // what the person wrote with it
}

// CanWithdraw reports whether the case can still be taken out of the queue:
// the service cannot have acted on it.
func (c Case) CanWithdraw() bool { return c.State == Queued && !c.UnknownOutcome }

// CaseStore keeps submissions. A case outside the reach is a problem.NotFound
// error.
type CaseStore interface {
	DecisionStore
	NoteStore
	RecordStore
	// Cases lists at most q.Limit cases in the order of Page.
	Cases(ctx context.Context, reach permission.Reach, q Query) ([]CaseSummary, error)
	// Counts counts them by group, the closed ones since a moment.
	Counts(ctx context.Context, reach permission.Reach, today time.Time) (Counts, error)
	// Ending lists at most so many to be attended whose senha ends from one day on and before
	// another.
	Ending(ctx context.Context, reach permission.Reach, from, until authorization.LocalTime, limit int) ([]CaseSummary, error)
	Case(ctx context.Context, reach permission.Reach, uid uuid.UUID) (Case, error)
	CaseState(ctx context.Context, reach permission.Reach, uid uuid.UUID) (CaseState, error)
	Alerts(ctx context.Context) (Alerts, error)
	// Unsettled counts what is Sending, and what is Queued with an unknown outcome.
	Unsettled(ctx context.Context) (int, error)
	// Withdraw takes a queued case out of the queue on which the service did not act;
	// problem.Conflict when it is no longer one.
	Withdraw(ctx context.Context, by Author, uid uuid.UUID, entry audit.Entry) error
	// AppendAudit commits an entry about something that was only read.
	AppendAudit(ctx context.Context, entry audit.Entry) error
	// AppendAuditOnce is AppendAudit unless the same entry was written since a moment.
	AppendAuditOnce(ctx context.Context, entry audit.Entry, since time.Time) error
}

// Case returns everything about a case. Its page shows the guide at a place of
// Case.Guides, see OnScreen; the audit trail says who looked, and at which guide.
func (d *Desk) Case(ctx context.Context, a permission.Actor, uid uuid.UUID, guide int) (Case, error) {
	return d.CaseBeside(ctx, a, uid, guide, func(read func(context.Context) error) error { return d.ReadTogether(ctx, read) })
}

// CaseBeside is Case for a page that reads more. Together runs what reads, of one moment with the rest, and
// may run it again.
func (d *Desk) CaseBeside(ctx context.Context, a permission.Actor, uid uuid.UUID, guide int,
	together func(read func(context.Context) error) error) (c Case, err error) {
	err = together(func(ctx context.Context) (err error) {
		if c, err = d.within(ctx, a, uid); err != nil {
			return err
		}
		if c.damaged, err = d.config.Damage.DamagedFiles(ctx, c.files()...); err != nil {
			return err
		}
		c.Record, err = d.record(ctx, c)
		return err
	})
	if err = d.caseDenied(ctx, a, uid, err); err != nil {
		return Case{}, err
	}
	shown := c.OnScreen(guide)
	if shown >= 0 && d.Inspect(ctx, c.Guides()[shown].Blob).Unreadable {
		shown = -1 // the page only tells of it
	}
	return c, d.tellLook(ctx, d.lookEntry(a, c, shown))
}

// lookEntry is what the trail keeps of a look at a case with a guide on the screen, -1
// for none.
func (d *Desk) lookEntry(a permission.Actor, c Case, guide int) audit.Entry {
	entry := d.entry(a, audit.CaseViewed, audit.ObjectCase, c.UID)
	if guide >= 0 {
		entry.Detail = guideWord(c.Guides(), guide)
	}
	return entry
}

// oneLook is how long the same look is told once: browsers load a page again, and ask
// for a PDF in several pieces.
const oneLook = time.Minute

// tellLook tells the audit trail of a look, once for whatever a browser asks for with it.
func (d *Desk) tellLook(ctx context.Context, entry audit.Entry) error {
	return d.config.Store.AppendAuditOnce(ctx, entry, entry.At.Add(-oneLook))
}

// reachable returns a case and leaves nothing in the audit trail, unless it lies outside
// the actor's units.
func (d *Desk) reachable(ctx context.Context, a permission.Actor, uid uuid.UUID) (Case, error) {
	c, err := d.within(ctx, a, uid)
	return c, d.caseDenied(ctx, a, uid, err)
}

// within returns a case within the actor's reach.
func (d *Desk) within(ctx context.Context, a permission.Actor, uid uuid.UUID) (Case, error) {
	if err := a.Require(permission.SeePatients); err != nil {
		return Case{}, err
	}
	c, err := d.config.Store.Case(ctx, a.Reach(), uid)
	c.Concluded = c.concluded()
	if e, ok := c.Reviewed(); ok && c.CanReview() {
		c.ReviewedAt = e.At
	}
	c.reviewAt(d.now())
	c.actsAt(d.now())
	return c, err
}

// CaseState returns the state of a case, for a page that updates itself. It shows
// no data of a patient and leaves nothing in the audit trail, unless it lies outside the
// actor's units.
func (d *Desk) CaseState(ctx context.Context, a permission.Actor, uid uuid.UUID) (CaseState, error) {
	if err := a.Require(permission.SeePatients); err != nil {
		return CaseState{}, err
	}
	state, err := d.config.Store.CaseState(ctx, a.Reach(), uid)
	return state, d.caseDenied(ctx, a, uid, err)
}

// ReadTogether runs fn with a context under which all that is read of the desk is of one moment.
func (d *Desk) ReadTogether(ctx context.Context, fn func(context.Context) error) error {
	return d.config.Store.ReadTogether(ctx, fn)
}

// ReadOn returns a context under which a page is read from its session on: see Store.
func (d *Desk) ReadOn(ctx context.Context, name string) (on context.Context, end func()) {
	return d.config.Store.ReadOn(ctx, name)
}

// Alerts returns what administração is told; it names no patient.
func (d *Desk) Alerts(ctx context.Context) (Alerts, error) { return d.config.Store.Alerts(ctx) }

// Unsettled counts the submissions that the service may have acted on and that
// will be asked about or repeated there: no other service may get them.
func (d *Desk) Unsettled(ctx context.Context) (int, error) { return d.config.Store.Unsettled(ctx) }

// Withdraw takes a case out of the queue as long as the service cannot have acted on it:
// every attempt so far wrote no byte, or the service answered that it did not
// act. Later it is problem.Conflict.
func (d *Desk) Withdraw(ctx context.Context, a permission.Actor, uid uuid.UUID) error {
	if _, err := d.CaseState(ctx, a, uid); err != nil {
		return err
	}
	err := d.config.Store.Withdraw(ctx, authorOf(a), uid, d.entry(a, audit.RequestWithdrawn, audit.ObjectCase, uid))
	if err == nil {
		d.watch.changed(uid)
	}
	return err
}
