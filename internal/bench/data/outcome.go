package data

import (
	"fmt"
	"math/rand/v2"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/problem"
	"guiche/internal/store/deskstore"
)

// statuses are what operators say, as often as they do. The last is a code that nobody
// knows.
var statuses = new(weighted[authorization.Status]).
	add(5400, authorization.Authorized).add(1200, authorization.Executed).add(900, authorization.Denied).
	add(500, authorization.UnderAnalysis).add(420, authorization.PartiallyAuthorized).add(300, authorization.AwaitingAttachment).
	add(250, authorization.AwaitingExecution, authorization.InvalidBeneficiary).
	add(160, authorization.Cancelled, authorization.PartiallyExecuted).
	add(120, authorization.PendingDispatch, authorization.Inconsistency).add(60, authorization.NotProcessed, authorization.AwaitingBiometrics).
	add(30, authorization.InconsistencyCedilla, authorization.AwaitingCancellation, authorization.NotApplicable).
	add(20, authorization.InvalidBiometrics).add(10, "Q")

// How a case ends, of 10,000.
const (
	refused   = 180
	withdrawn = 60
	tooLate   = 15
	silent    = 15
)

// end says how a case ended.
func (g *generator) end(past *deskstore.Past, r *rand.Rand) {
	at := past.Submission.At.Add(time.Duration(1200+r.IntN(4000)) * time.Millisecond)
	switch dice := r.IntN(10_000); {
	case dice < withdrawn:
		past.By = past.Submission.Sender
		past.Settlement = desk.Settlement{Event: desk.EventWithdrawn, CaseState: desk.CaseState{State: desk.Withdrawn,
			Group: desk.GroupOf(desk.Withdrawn, ""), Origin: desk.OriginPerson, At: at}}
	case dice < withdrawn+tooLate:
		past.Settlement = desk.Settlement{Event: desk.EventRefused, CaseState: desk.CaseState{State: desk.Refused,
			Group: desk.GroupOf(desk.Refused, ""), Origin: desk.OriginDesk, At: past.Submission.Deadline, Reason: desk.ReasonLate}}
	default:
		outcome := g.outcome(past.Submission, dice-withdrawn-tooLate, r)
		past.Exchange, past.Settlement = g.exchange(past.Submission.At, at, outcome, r), desk.SettledAt(at, outcome)
	}
}

// outcome is what came back.
func (g *generator) outcome(s desk.Submission, dice int, r *rand.Rand) authorization.Outcome {
	switch {
	case dice < silent:
		return authorization.Outcome{Kind: authorization.OutcomeUnknown, Reason: string(authorization.FailureTimeout)}
	case dice < silent+refused:
		return authorization.Outcome{Kind: authorization.OutcomeRefused, Reason: "http_422",
			Answer: authorization.Answer{Errors: []authorization.AnswerError{{Code: "1001", Message: "Número da carteira inválido."}}},
			Fields: []problem.Field{{Path: "numeroCarteira", Code: "1001", Message: "Número da carteira inválido."}}}
	}
	return authorization.Outcome{Kind: authorization.OutcomeAnswered, Answer: g.answer(s, r)}
}

// answer is what an operator said about a request. A part of them split it.
func (g *generator) answer(s desk.Submission, r *rand.Rand) authorization.Answer {
	a := authorization.Answer{Success: true}
	procedures := s.Request.Procedures
	if len(procedures) > 1 && r.IntN(100) < 5 {
		a.Authorizations = append(a.Authorizations, g.authorization(s, procedures[:1], 1, r))
		procedures = procedures[1:]
	}
	a.Authorizations = append(a.Authorizations, g.authorization(s, procedures, len(a.Authorizations)+1, r))
	if a.Authorized() > 0 {
		a.GuidePDF = a.Authorizations[len(a.Authorizations)-1].GuidePDF
	}
	return a
}

// settled are what is still open after weeks and most often is not after months.
var settled = map[authorization.Status]authorization.Status{
	authorization.UnderAnalysis: authorization.Authorized, authorization.PendingDispatch: authorization.Executed,
	authorization.AwaitingAttachment: authorization.Cancelled, authorization.AwaitingBiometrics: authorization.Executed,
}

func (g *generator) authorization(s desk.Submission, procedures []authorization.Procedure, number int,
	r *rand.Rand) authorization.Authorization {
	a := authorization.Authorization{Number: number, Success: true, Status: statuses.draw(r), ProviderGuide: s.Request.ProviderGuide,
		Protocol: fmt.Sprintf("%s%07d", s.At.Format("2006"), r.IntN(1e7))}
	if later, ok := settled[a.Status]; ok && g.until.Sub(s.At) > 60*24*time.Hour && r.IntN(10) < 8 {
		a.Status = later
	}
	ready := a.Status.Group() == authorization.Ready || a.Status == authorization.Executed || a.Status == authorization.PartiallyAuthorized
	if ready {
		a.Senha, a.GuideNumber = fmt.Sprintf("%c%08d", 'A'+r.IntN(8), r.IntN(1e8)), fmt.Sprintf("%09d", r.IntN(1e9))
		a.AuthorizedAt, a.SenhaValidUntil = dateOf(s.At), dateOf(s.At.AddDate(0, 0, 30))
		a.GuidePDF = g.guides[r.IntN(len(g.guides))].Ref
	}
	if a.Status == authorization.Denied {
		a.Errors = []authorization.AnswerError{{Code: "1438", Message: "Procedimento sem cobertura pelo plano contratado."}}
	}
	for i, p := range procedures {
		result := authorization.ProcedureResult{Code: p.Code, Name: p.Name, Quantity: p.Quantity}
		if ready && (i == 0 || a.Status != authorization.PartiallyAuthorized) {
			result.Authorized = p.Quantity
		}
		a.Procedures = append(a.Procedures, result)
	}
	return a
}

func dateOf(t time.Time) authorization.LocalTime { return authorization.DateOf(t.Date()) }

// exchange are the facts of the wire.
func (g *generator) exchange(from, until time.Time, o authorization.Outcome, r *rand.Rand) *authorization.Exchange {
	x := &authorization.Exchange{StartedAt: from.Add(3 * time.Millisecond), EndedAt: until, SentBytes: int64(1500 + r.IntN(900))}
	if o.Kind == authorization.OutcomeUnknown {
		x.Failure = authorization.FailureTimeout
		return x
	}
	raw := g.answers[r.IntN(len(g.answers))]
	x.HTTPStatus, x.ContentType, x.Body, x.BodySize, x.Complete = 200, "application/json", raw.Ref, raw.Size, true
	if o.Kind == authorization.OutcomeRefused {
		x.HTTPStatus = 422
	}
	return x
}
