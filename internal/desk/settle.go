package desk

import (
	"math/rand/v2"
	"strings"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/problem"
)

// Settlement is what one attempt makes of a submission.
type Settlement struct {
	CaseState
	AnswerSummary
	Event   EventKind
	Due     time.Time // of Queued: the next attempt
	Follow  time.Time // of Answered: when the service is asked how it stands; zero: never
	Contact Contact   // who answered the attempt
	Answer  *authorization.Answer
	Fields  []problem.Field
	Derived bool // it follows from the stored exchange alone: the next start makes it again
}

// settle is the outcome table (interface.md) as states. A request that is queued
// again never waits beyond its deadline: it is then refused as not sent in time,
// or ends as Unknown where the service may have acted on it.
func (d *Desk) settle(c Claim, o authorization.Outcome) Settlement {
	s := Settlement{CaseState: CaseState{UnknownOutcome: c.UnknownOutcome, Reason: o.Reason}}
	if o.Kind == authorization.OutcomeUnknown && len(o.Answer.Errors) > 0 {
		s.Answer = &o.Answer // what could be read of it
	}
	switch o.Kind {
	case authorization.OutcomeRetry:
		s.Event = EventDelayed
		return d.queueAgain(s, c, o.RetryAfter)
	case authorization.OutcomeBusy:
		s.Event, s.UnknownOutcome = EventDelayed, true
		return d.queueAgain(s, c, o.RetryAfter)
	case authorization.OutcomeHeld:
		s.Event, s.Alert = EventHeld, AlertHeld
		return d.queueAgain(s, c, 0)
	}
	return s.ended(o)
}

// ended is what an outcome makes of a submission that is not queued again.
func (s Settlement) ended(o authorization.Outcome) Settlement {
	switch o.Kind {
	case authorization.OutcomeAnswered:
		return s.answered(o.Answer)
	case authorization.OutcomeRefused:
		return s.refused(o)
	case authorization.OutcomeConflict:
		s.Alert = AlertConflict
	}
	return s.unknown()
}

// SettledAt is what an outcome made of a submission at a moment of the past, when its
// only attempt ended it. Nothing follows it.
func SettledAt(at time.Time, o authorization.Outcome) Settlement {
	return Settlement{CaseState: CaseState{Reason: o.Reason}}.ended(o).at(at)
}

// at is the settlement as of a moment, with the group of its state.
func (s Settlement) at(t time.Time) Settlement {
	s.At = t
	if s.State != Answered {
		s.Group = GroupOf(s.State, "")
	}
	return s
}

func (s Settlement) answered(answer authorization.Answer) Settlement {
	if len(answer.Authorizations) == 0 {
		return s.unknown() // there is no authorization to show
	}
	s.State, s.Origin, s.Event = Answered, OriginOperator, EventAnswered
	s.Status, s.Group = answer.Standing()
	s.AnswerSummary, s.Simulated = summarize(answer), simulated(answer)
	s.Answer, s.UnknownOutcome = &answer, false
	return s
}

func (s Settlement) refused(o authorization.Outcome) Settlement {
	s.State, s.Origin, s.Event = Refused, OriginService, EventRefused
	s.Answer, s.Fields, s.UnknownOutcome = &o.Answer, o.Fields, false
	return s
}

func (s Settlement) unknown() Settlement {
	s.State, s.Origin, s.Event, s.UnknownOutcome = Unknown, OriginDesk, EventUnknown, true
	return s
}

// queueAgain plans the next attempt after the service's own pause, or after one
// of ours.
func (d *Desk) queueAgain(s Settlement, c Claim, pause time.Duration) Settlement {
	if pause <= 0 {
		pause = d.backoff(c.Attempt)
	}
	due := d.now().Add(pause)
	if s.UnknownOutcome && !due.Before(c.Deadline) {
		s.Alert, s.Reason = AlertNone, ReasonNoAnswer
		return s.unknown()
	}
	s.State, s.Origin, s.Due = Queued, OriginDesk, due
	return s
}

// backoff is full jitter: anything up to the base, doubled with each attempt, up
// to the cap.
func (d *Desk) backoff(attempt int) time.Duration {
	ceiling := d.config.BackoffCap
	if doublings := attempt - 1; doublings < 30 {
		ceiling = min(ceiling, d.config.BackoffBase<<max(doublings, 0))
	}
	return time.Duration(rand.Int64N(int64(ceiling))) + 1 //nolint:gosec // spreading load needs no secrecy
}

// summarize sums an answer up for lists.
func summarize(answer authorization.Answer) AnswerSummary {
	d := AnswerSummary{Authorizations: len(answer.Authorizations), Authorized: answer.Authorized()}
	for _, a := range answer.Authorizations {
		d.Items += len(a.Procedures)
		for _, p := range a.Procedures {
			if p.Authorized > 0 {
				d.ItemsAuthorized++
			}
		}
		if d.Senha == "" {
			d.Senha = a.Senha
		}
		if until := a.SenhaValidUntil; !until.IsZero() && (d.SenhaValidUntil.IsZero() || until.Before(d.SenhaValidUntil)) {
			d.SenhaValidUntil = until
		}
	}
	return d
}

// simulated reports whether the answer is a simulation, which nobody may take for
// a real one.
func simulated(answer authorization.Answer) bool {
	for _, a := range answer.Authorizations {
		if isSimulated(a.Senha) || isSimulated(a.Protocol) {
			return true
		}
		for _, p := range a.Procedures {
			if isSimulated(p.Senha) {
				return true
			}
		}
	}
	return false
}

// isSimulated reports whether a senha or a protocol is one of a simulated operator, of
// this installation or of another.
func isSimulated(number string) bool { return strings.HasPrefix(number, "SIM") }
