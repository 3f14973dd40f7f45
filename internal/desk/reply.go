package desk

import (
	"context"
	"slices"
	"strings"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/permission"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// Reply is what the operator told somebody of the provider about a request
// ("retorno da operadora").
type Reply struct {
	Inquiry
	Answers         int                  // that the case had when the person saw it
	Authorization   int                  // place in the answer of the one that it is about
	Status          authorization.Status // one of ReplyStatuses
	Senha           string
	SenhaValidUntil authorization.LocalTime
	GuideNumber     string
	Unread          []problem.Field // what was typed for SenhaValidUntil and is no date
}

// ReplyStatuses are the statuses that a person may record, the best first: those in which
// an operator leaves a request that it decides on by phone or in its portal.
func ReplyStatuses() []authorization.Status {
	return []authorization.Status{authorization.Authorized, authorization.PartiallyAuthorized, authorization.UnderAnalysis,
		authorization.Denied, authorization.AwaitingAttachment, authorization.AwaitingBiometrics, authorization.Cancelled}
}

// CanRecord reports whether a person may record a reply about the case: nobody knows its
// outcome, the operator may still change it or was asked to, or what stands was recorded by a
// person.
func (c Case) CanRecord() bool {
	if c.State != Answered {
		return c.CanDecide()
	}
	_, reviewed := c.Reviewed()
	return !c.Corrected && c.Answer != nil && (c.Answer.Open() || c.Answer.Recorded() || reviewed)
}

// RecordReply records what the operator told about a request; the case is then Answered,
// by a person. Nothing is sent, and there is no guide in PDF of what it is about. Earlier
// answers stay. What is wrong with the reply is problem.Invalid; a case that has another
// answer by now is problem.Conflict, and stays as it is.
//
// What the service itself answers later is added as another answer and is in force from
// then on; the decision stays with the case and is shown beside it.
func (d *Desk) RecordReply(ctx context.Context, a permission.Actor, uid uuid.UUID, r Reply) error {
	if err := a.Require(permission.DecideUnknown); err != nil {
		return err
	}
	c, err := d.reachable(ctx, a, uid)
	if err != nil {
		return err
	}
	if !c.CanRecord() || !c.CanDecide() && r.Answers != len(c.Answers) {
		return AlreadySettled()
	}
	r = r.trimmed()
	if err := problem.InvalidFields(d.replyProblems(c, r)); err != nil {
		return err
	}
	s := Settlement{}.answered(c.amended(r))
	s.Origin, s.Event, s.At, s.Follow = OriginPerson, EventRecorded, d.now(), d.followAt(s)
	by := Decision{At: s.At, By: authorOf(a), Inquiry: r.Inquiry}
	entry := d.entry(a, audit.ReplyRecorded, audit.ObjectCase, uid)
	if err := d.config.Store.RecordReply(ctx, uid, len(c.Answers), s, by, entry); err != nil {
		return err
	}
	d.watch.changed(uid)
	return nil
}

// several reports whether the case has more than one authorization to speak of.
func (c Case) several() bool {
	return c.State == Answered && c.Answer != nil && len(c.Answer.Authorizations) > 1
}

// whichOne refuses a reply that is about none of several authorizations.
func (c Case) whichOne(r Reply) []problem.Field {
	if !c.several() || r.Authorization >= 0 && r.Authorization < len(c.Answer.Authorizations) {
		return nil
	}
	return []problem.Field{{Path: "autorizacao", Code: authorization.CodeRequired,
		Message: "Escolha de qual autorização a operadora falou."}}
}

// amended is the answer in force with what the operator told in place of what it is about:
// its numbers stay, its PDF and what it said of procedures do not.
func (c Case) amended(r Reply) authorization.Answer {
	told := authorization.Authorization{Number: 1}
	answer, place := authorization.Answer{Authorizations: []authorization.Authorization{told}}, 0
	if c.State == Answered && c.Answer != nil && len(c.Answer.Authorizations) > 0 {
		answer.Authorizations = slices.Clone(c.Answer.Authorizations)
		if c.several() {
			place = r.Authorization
		}
		was := answer.Authorizations[place]
		told = authorization.Authorization{Number: was.Number, GuideID: was.GuideID, GuideNumber: was.GuideNumber, Protocol: was.Protocol,
			ProviderGuide: was.ProviderGuide, PartnerGuide: was.PartnerGuide, RequestNumber: was.RequestNumber}
	}
	told.Success, told.Recorded, told.Status, told.Senha, told.SenhaValidUntil = true, true, r.Status, r.Senha, r.SenhaValidUntil
	if r.GuideNumber != "" {
		told.GuideNumber = r.GuideNumber
	}
	answer.Success, answer.Authorizations[place] = true, told
	return answer
}

// replyProblems lists what is wrong with a reply about the case, in the order of the form.
func (d *Desk) replyProblems(c Case, r Reply) []problem.Field {
	return slices.Concat(c.whichOne(r), r.statusProblems(), r.Unread, d.tooEarly(c, r),
		tooLong("guia", r.GuideNumber, maxReplyNumber), r.Problems())
}

// tooEarly refuses a senha that ended before the day on which its request was sent.
func (d *Desk) tooEarly(c Case, r Reply) []problem.Field {
	if r.SenhaValidUntil.IsZero() || !r.SenhaValidUntil.Before(authorization.DateOf(c.CreatedAt.In(d.config.Zone).Date())) {
		return nil
	}
	return []problem.Field{{Path: "validade", Code: authorization.CodeDomain,
		Message: "A validade termina antes do envio deste pedido. Confira a data."}}
}

func (r Reply) trimmed() Reply {
	r.Inquiry = r.Inquiry.trimmed()
	r.Senha, r.GuideNumber = strings.TrimSpace(r.Senha), strings.TrimSpace(r.GuideNumber)
	return r
}

// statusProblems lists what is wrong with the status that was told, and with its senha.
func (r Reply) statusProblems() []problem.Field {
	var all []problem.Field
	if !slices.Contains(ReplyStatuses(), r.Status) {
		all = append(all, problem.Field{Path: "situacao", Code: authorization.CodeDomain,
			Message: "Escolha a situação que a operadora informou."})
	}
	if r.Senha == "" && (r.Status == authorization.Authorized || r.Status == authorization.PartiallyAuthorized) {
		all = append(all, problem.Field{Path: "senha", Code: authorization.CodeRequired, Message: "Informe a senha da autorização."})
	}
	return append(all, tooLong("senha", r.Senha, maxReplyNumber)...)
}
