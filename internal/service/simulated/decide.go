package simulated

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"

	"guiche/internal/authorization"
	"guiche/internal/service"
)

// senhaDays is how long a senha is valid where the rule says nothing.
const senhaDays = 30

func (o *Operator) decide(then Outcome, r service.OperatorRequest) service.Decision {
	d := service.Decision{Simulated: true, Errors: told(then.Errors)}
	for i, e := range then.Authorizations {
		d.Authorizations = append(d.Authorizations, o.authorization(e, r, i))
		if wait := e.wait(e.Status); wait > 0 && (d.PollAfter == 0 || wait < d.PollAfter) {
			d.PollAfter = wait
		}
	}
	return d
}

func told(messages []Message) (errors []authorization.AnswerError) {
	for _, m := range messages {
		errors = append(errors, authorization.AnswerError(m))
	}
	return errors
}

// printed says which statuses come with a guide number, and granted with a
// password too.
var (
	printed = map[authorization.Status]bool{
		authorization.UnderAnalysis: true, authorization.AwaitingAttachment: true,
		authorization.AwaitingBiometrics: true, authorization.InvalidBiometrics: true,
	}
	granted = map[authorization.Status]bool{
		authorization.Authorized: true, authorization.PartiallyAuthorized: true, authorization.AwaitingExecution: true,
		authorization.PartiallyExecuted: true, authorization.Executed: true, authorization.AwaitingCancellation: true,
	}
)

func (o *Operator) authorization(e Entry, r service.OperatorRequest, index int) authorization.Authorization {
	seed := sha256.Sum256(fmt.Appendf(nil, "%s|%s|%d", r.Request.ProviderGuide, r.Request.CardNumber, index))
	now := o.clock().In(r.ReceivedAt.Location())
	group := e.Status.Group()
	a := authorization.Authorization{
		Status: e.Status, Errors: told(e.Errors),
		Success:       granted[e.Status] || len(e.Errors) == 0 && group != authorization.ToFix && group != authorization.Refusal,
		Protocol:      service.SimulatedPrefix + digits(seed, "protocol", 9),
		RequestNumber: digits(seed, "request", 8),
		AuthorizedAt:  authorization.NewLocalTime(now),
	}
	if granted[e.Status] {
		a.Senha = service.SimulatedPrefix + digits(seed, "password", 9)
		y, m, d := now.Date()
		a.SenhaValidUntil = authorization.DateOf(y, m, d+cmp.Or(e.SenhaDays, senhaDays))
	}
	if granted[e.Status] || printed[e.Status] {
		a.GuideNumber = digits(seed, "guide", 10)
		a.PartnerGuide = digits(seed, "partner", 10)
	}
	for i, p := range e.Procedures.of(r.Request.Procedures) {
		a.Procedures = append(a.Procedures, result(e, p, i, a))
	}
	return a
}

// of returns the share of the procedures.
func (s Share) of(all []authorization.Procedure) []authorization.Procedure {
	switch {
	case s == AllProcedures || len(all) < 2:
		return all
	case s == FirstProcedure:
		return all[:1]
	}
	return all[1:]
}

func result(e Entry, p authorization.Procedure, index int, a authorization.Authorization) authorization.ProcedureResult {
	out := authorization.ProcedureResult{Code: p.Code, Name: p.Name, Quantity: p.Quantity, Protocol: a.Protocol}
	out.Authorized, out.Executed = quantities(e.Status, p.Quantity, index)
	if out.Authorized > 0 {
		out.Senha = a.Senha
	}
	if out.Authorized < out.Quantity {
		out.Justification = e.Justification
	}
	return out
}

// quantities returns how much is authorized and executed. In part means half,
// rounded down, but one of the first procedure at least.
func quantities(s authorization.Status, asked, index int) (authorized, executed int) {
	half := asked / 2
	if index == 0 {
		half = max(1, half)
	}
	switch s {
	case authorization.PartiallyAuthorized:
		return half, 0
	case authorization.PartiallyExecuted:
		return asked, half
	case authorization.Executed:
		return asked, asked
	}
	if granted[s] {
		return asked, 0
	}
	return 0, 0
}

// digits returns n digits that the seed and the label decide.
func digits(seed [sha256.Size]byte, label string, n int) string {
	sum := sha256.Sum256(append(seed[:], label...))
	most := uint64(math.Pow10(n))
	return fmt.Sprintf("%0*d", n, binary.BigEndian.Uint64(sum[:])%most)
}
