package desk

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/permission"
	"guiche/internal/problem"
	"guiche/internal/requestid"

	"github.com/google/uuid"
)

// Inquiry is how somebody of the provider learned from the operator what became of a
// request.
type Inquiry struct {
	Contact      string // who said so, or where it was read
	CallProtocol string // number of the call
	Note         string
}

// Decision is what a person recorded of a request: the operator's reply or, where nobody
// knew the outcome, that it never arrived and was sent again.
type Decision struct {
	At     time.Time
	By     Author
	Resent uuid.UUID // the new case; zero of a reply
	Inquiry
}

// DecisionStore keeps what people record. Both are problem.Conflict for a case that stands
// otherwise by now.
type DecisionStore interface {
	// RecordReply makes an Unknown case Answered, or adds to an Answered one that has so
	// many answers: the settlement, its answer, the decision and the audit entry are one
	// commit.
	RecordReply(ctx context.Context, uid uuid.UUID, answers int, to Settlement, by Decision, entry audit.Entry) error
	// Resend makes an Unknown case Resent and commits the new submission as Queued, with both
	// audit entries.
	Resend(ctx context.Context, uid uuid.UUID, s Submission, by Decision, entries ...audit.Entry) error
}

// CanDecide reports whether a person may end the doubt about the case.
func (s CaseState) CanDecide() bool { return s.State == Unknown }

// LastDecision is the latest of the case, false without one.
func (c Case) LastDecision() (Decision, bool) {
	if len(c.Decisions) == 0 {
		return Decision{}, false
	}
	return c.Decisions[len(c.Decisions)-1], true
}

// Resend sends a request once more of which the operator said that it never arrived: a
// new submission with a number of its own, linked to the case, which is then Resent. It
// returns the new case. Errors are those of RecordReply.
func (d *Desk) Resend(ctx context.Context, a permission.Actor, uid uuid.UUID, q Inquiry) (uuid.UUID, error) {
	c, err := d.undecided(ctx, a, uid)
	if err != nil {
		return uuid.Nil, err
	}
	q = q.trimmed()
	if err := problem.InvalidFields(q.Problems()); err != nil {
		return uuid.Nil, err
	}
	if err := d.config.Space(); err != nil {
		return uuid.Nil, err
	}
	ctx, hold := d.config.Blobs.Hold(ctx)
	defer hold.End()
	s, err := d.resubmission(ctx, a, c)
	if err != nil {
		return uuid.Nil, err
	}
	by := Decision{At: d.now(), By: authorOf(a), Resent: s.UID, Inquiry: q}
	err = d.config.Store.Resend(ctx, uid, s, by, d.entry(a, audit.RequestResent, audit.ObjectCase, uid),
		d.entry(a, audit.RequestSubmitted, audit.ObjectCase, s.UID))
	if err != nil {
		return uuid.Nil, err
	}
	d.watch.changed(uid)
	d.wakeUp()
	return s.UID, nil
}

// undecided returns the case, if the actor may end the doubt about it and there is one.
func (d *Desk) undecided(ctx context.Context, a permission.Actor, uid uuid.UUID) (Case, error) {
	if err := a.Require(permission.DecideUnknown); err != nil {
		return Case{}, err
	}
	c, err := d.reachable(ctx, a, uid)
	if err == nil && !c.CanDecide() {
		return Case{}, AlreadySettled()
	}
	return c, err
}

// AlreadySettled is what a person reads who decides about a case that is no longer
// unknown.
func AlreadySettled() error {
	return problem.New(problem.Conflict, "Enquanto isso este pedido já teve um desfecho. Nada mais foi gravado nem enviado.")
}

// resubmission is the case's request as a new submission. Its token is the case's own
// identifier, which no draft has: a case is sent again once. A photo that cannot be cleaned
// goes as it did.
func (d *Desk) resubmission(ctx context.Context, a permission.Actor, c Case) (Submission, error) {
	now := d.now()
	s := Submission{
		Token: c.UID, Sender: authorOf(a), Request: c.Request, Names: c.Names, Previous: c.UID, Simulated: d.Simulated(),
		At: now.In(d.config.Zone), Deadline: now.Add(d.deadline()), RequestID: requestid.From(ctx),
		Attachments: slices.Clone(c.Attachments),
	}
	uids := make([]uuid.UUID, 1+len(s.Attachments))
	for i := range uids {
		var err error
		if uids[i], err = uuid.NewV7(); err != nil {
			return s, fmt.Errorf("desk: resend: %w", err)
		}
	}
	s.UID = uids[0]
	s.Request.Attachments = nil
	for i, attachment := range s.Attachments {
		if clean, err := d.cleaned(ctx, c.UID, attachment); err == nil {
			attachment = clean
		} else if !isRefused(err) {
			return s, err
		}
		attachment.UID = uids[i+1]
		s.Attachments[i] = attachment
		s.Request.Attachments = append(s.Request.Attachments, attachment.Attachment)
	}
	key, err := uuid.NewRandom()
	if err != nil {
		return s, fmt.Errorf("desk: resend: %w", err)
	}
	s.IdempotencyKey = key.String()
	return s, nil
}

// Longest texts of a decision, in characters.
const (
	maxReplyNumber = 60
	maxReplyNote   = 1000
)

func (q Inquiry) trimmed() Inquiry {
	return Inquiry{Contact: strings.TrimSpace(q.Contact), CallProtocol: strings.TrimSpace(q.CallProtocol), Note: strings.TrimSpace(q.Note)}
}

// Problems lists what is wrong with it, in the order of the form.
func (q Inquiry) Problems() []problem.Field {
	var all []problem.Field
	if q.Contact == "" {
		all = append(all, problem.Field{Path: "contato", Code: authorization.CodeRequired,
			Message: "Informe com quem falou, ou onde consultou."})
	}
	all = append(all, tooLong("contato", q.Contact, maxReplyNumber)...)
	all = append(all, tooLong("protocolo", q.CallProtocol, maxReplyNumber)...)
	return append(all, tooLong("observacao", q.Note, maxReplyNote)...)
}

func tooLong(path, text string, longest int) []problem.Field {
	if utf8.RuneCountInString(text) <= longest {
		return nil
	}
	return []problem.Field{{Path: path, Code: authorization.CodeLimit, Message: fmt.Sprintf("Use no máximo %d caracteres.", longest)}}
}
