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

// Reply is what the operator told somebody of the provider about a request
// ("retorno da operadora").
type Reply struct {
	Inquiry
	Status          authorization.Status // one of ReplyStatuses
	Senha           string
	SenhaValidUntil authorization.LocalTime
	GuideNumber     string
}

// Decision is what a person recorded of a request whose outcome was unknown: the
// operator's reply, or that it never arrived and was sent again.
type Decision struct {
	At     time.Time
	By     Author
	Resent uuid.UUID // the new case; zero of a reply
	Inquiry
}

// DecisionStore ends what is unknown. Both are problem.Conflict for a case that is not
// unknown, or no longer.
type DecisionStore interface {
	// RecordReply makes the case Answered: the settlement, its answer, the decision and
	// the audit entry are one commit.
	RecordReply(ctx context.Context, uid uuid.UUID, to Settlement, by Decision, entry audit.Entry) error
	// Resend makes the case Resent and commits the new submission as Queued, with both
	// audit entries.
	Resend(ctx context.Context, uid uuid.UUID, s Submission, by Decision, entries ...audit.Entry) error
}

// ReplyStatuses are the statuses that a person may record, the best first.
func ReplyStatuses() []authorization.Status {
	return []authorization.Status{authorization.Authorized, authorization.PartiallyAuthorized, authorization.UnderAnalysis,
		authorization.Denied, authorization.AwaitingAttachment}
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

// RecordReply records what the operator told about a request whose outcome is unknown; it
// is then Answered, by a person. Nothing is sent, and there is no guide in PDF. What is
// wrong with the reply is problem.Invalid; a case that was settled meanwhile is
// problem.Conflict, and stays as it is.
//
// What the service itself answers later is added as another answer and is in force from
// then on; the decision stays with the case and is shown beside it.
func (d *Desk) RecordReply(ctx context.Context, a permission.Actor, uid uuid.UUID, r Reply) error {
	c, err := d.undecided(ctx, a, uid)
	if err != nil {
		return err
	}
	r = r.trimmed()
	if err := problem.InvalidFields(append(r.Problems(), d.tooEarly(c, r)...)); err != nil {
		return err
	}
	s := Settlement{}.answered(r.answer())
	s.Origin, s.Event, s.At = OriginPerson, EventRecorded, d.now()
	by := Decision{At: s.At, By: authorOf(a), Inquiry: r.Inquiry}
	if err := d.config.Store.RecordReply(ctx, uid, s, by, d.entry(a, audit.ReplyRecorded, audit.ObjectCase, uid)); err != nil {
		return err
	}
	d.watch.changed(uid)
	return nil
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

// tooEarly refuses a senha that ended before the day on which its request was sent.
func (d *Desk) tooEarly(c Case, r Reply) []problem.Field {
	if r.SenhaValidUntil.IsZero() || !r.SenhaValidUntil.Before(dayOf(c.CreatedAt.In(d.config.Zone))) {
		return nil
	}
	return []problem.Field{{Path: "validade", Code: authorization.CodeDomain,
		Message: "A validade termina antes do envio deste pedido. Confira a data."}}
}

// dayOf is the calendar day of a time in its zone.
func dayOf(t time.Time) authorization.LocalTime {
	year, month, day := t.Date()
	return authorization.DateOf(year, month, day)
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

func (r Reply) trimmed() Reply {
	r.Inquiry = r.Inquiry.trimmed()
	r.Senha, r.GuideNumber = strings.TrimSpace(r.Senha), strings.TrimSpace(r.GuideNumber)
	return r
}

// Problems lists what is wrong with the reply, in the order of the form.
func (r Reply) Problems() []problem.Field {
	var all []problem.Field
	if !slices.Contains(ReplyStatuses(), r.Status) {
		all = append(all, problem.Field{Path: "situacao", Code: authorization.CodeDomain,
			Message: "Escolha a situação que a operadora informou."})
	}
	if r.Senha == "" && (r.Status == authorization.Authorized || r.Status == authorization.PartiallyAuthorized) {
		all = append(all, problem.Field{Path: "senha", Code: authorization.CodeRequired, Message: "Informe a senha da autorização."})
	}
	all = append(all, tooLong("senha", r.Senha, maxReplyNumber)...)
	all = append(all, tooLong("guia", r.GuideNumber, maxReplyNumber)...)
	return append(all, r.Inquiry.Problems()...)
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

// answer is the reply as an answer of one authorization. It says nothing of single
// procedures: the operator was not asked about them.
func (r Reply) answer() authorization.Answer {
	return authorization.Answer{Success: true, Authorizations: []authorization.Authorization{{
		Number: 1, Success: true, Status: r.Status, Senha: r.Senha, SenhaValidUntil: r.SenhaValidUntil, GuideNumber: r.GuideNumber,
	}}}
}
