package desk

import "guiche/internal/authorization"

// Step is the one thing to do next about a case. Queue and case name it with the same
// words.
type Step int

// The steps.
const (
	StepNone       Step = iota // nothing to do, or nothing that waits
	StepFollow                 // an answer may still come
	StepReview                 // the operator looks at a denial again
	StepAttend                 // the patient may be attended
	StepPrint                  // likewise, and there is a guide to print
	StepCheckItems             // part of the items is authorized
	StepCheck                  // ask the operator what is true
	StepRemind                 // ask it about a review that it owes
	StepCorrect                // correct the request and send it again
	StepAttach                 // send it again with an attachment
	StepBiometrics             // send it again with the beneficiary's biometrics
	StepResend                 // send it again as it is
)

// Waits reports whether the step waits for somebody of the provider.
func (s Step) Waits() bool { return s >= StepCheckItems }

// Copies reports whether the step is done by a copy of the request.
func (s Step) Copies() bool { return s >= StepCorrect }

// NextStep returns what is to be done next about the case.
func (c CaseSummary) NextStep() Step {
	if c.Corrected || c.Concluded {
		return StepNone // it goes on with the correction, or not at all
	}
	switch c.State {
	case Answered:
		return c.answeredStep()
	case Refused:
		switch c.Reason {
		case ReasonLate:
			return StepResend
		case ReasonDamaged:
			return StepAttach
		}
		return StepCorrect
	case Queued, Sending:
		return StepFollow
	case Unknown:
		return StepCheck
	}
	return StepNone
}

// answeredStep is the step of the group, but for the statuses that have their own.
func (c CaseSummary) answeredStep() Step {
	switch {
	case c.Contradictory():
		return StepCheck
	case c.Status == authorization.AwaitingAttachment:
		return StepAttach
	case c.Status == authorization.AwaitingBiometrics, c.Status == authorization.InvalidBiometrics:
		return StepBiometrics
	}
	switch {
	case c.UnderReview():
		return StepReview
	case c.ReviewOverdue:
		return StepRemind
	}
	switch c.Group {
	case authorization.YourTurn:
		return StepCheckItems
	case authorization.ToFix, authorization.Refusal:
		return StepCorrect
	case authorization.Unrecognized:
		return StepCheck
	case authorization.Ready:
		if c.HasGuide {
			return StepPrint
		}
		return StepAttend
	case authorization.Waiting:
		return StepFollow
	}
	return StepNone
}
