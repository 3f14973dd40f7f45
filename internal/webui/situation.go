package webui

import (
	"fmt"

	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/web/component"
)

// situation is how the state of a case is shown, which tells what waits in doubt from what
// never left.
func situation(s desk.CaseState) component.Situation {
	switch s.State {
	case desk.Answered:
		return answeredSituation(s.Status, s.Group)
	case desk.Queued:
		if s.Held() {
			return component.Held
		}
		if s.UnknownOutcome {
			return component.Checking
		}
		return component.Queued
	case desk.Sending:
		return component.Sending
	case desk.Refused:
		return refusedSituation(s.Reason)
	case desk.Withdrawn:
		return component.Withdrawn
	case desk.Resent:
		return component.Resent
	}
	return unknownSituation(s)
}

// caseSituation is how a case is shown: a denial that the operator looks at again is not in red,
// and one that it has not looked at in time says so.
func caseSituation(c *desk.CaseSummary) component.Situation {
	if c.UnderReview() {
		return component.InReview
	}
	shown := situation(c.CaseState)
	if c.ReviewOverdue {
		shown.Advice = "A operadora negou, e a reanálise que foi pedida continua sem resposta."
	}
	return shown
}

// reasonNumberTaken is the service's word that it knows the number with another request.
const reasonNumberTaken = "corpo_diferente"

// unknownSituation says what is known all the same.
func unknownSituation(s desk.CaseState) component.Situation {
	switch {
	case s.Reason == desk.ReasonAbsent:
		return component.Absent
	case s.Reason == desk.ReasonRestored:
		return component.Restored
	case s.Reason == reasonNumberTaken:
		return component.NumberTaken
	case s.SomethingCame():
		return component.Unreadable
	}
	return component.Unknown
}

// refusedSituation tells what never left from what the service refused.
func refusedSituation(reason string) component.Situation {
	switch reason {
	case desk.ReasonLate:
		return component.Expired
	case desk.ReasonDamaged:
		return component.Damaged
	}
	return component.Refused
}

// answeredSituation is how the operator's answer is shown.
func answeredSituation(status authorization.Status, group authorization.Group) component.Situation {
	if group.Contradicts(status) {
		return component.Contradictory
	}
	return component.StatusSituation(status)
}

// stateWord names what a page shows, for it to ask whether that still holds.
func stateWord(s desk.CaseState) string {
	switch {
	case s.Held():
		return string(s.State) + "-retido"
	case s.State == desk.Queued && s.UnknownOutcome:
		return string(s.State) + "-em-duvida"
	case s.State == desk.Answered, s.State == desk.Unknown:
		return fmt.Sprintf("%s-%d-%s", s.State, s.At.UnixMicro(), s.Reason)
	}
	return string(s.State)
}

// stepWord names the next step of a case in the queue. What the service takes later
// is given on the case itself.
func (s *deskHandlers) stepWord(c *desk.CaseSummary, step desk.Step) string {
	switch {
	case step == desk.StepBiometrics && s.Desk.Offers().Biometrics:
		return collectBiometrics
	case step == desk.StepAttach && c.State == desk.Answered && s.Desk.Offers().Attachments:
		return sendAttachment
	default:
		return stepWords[step]
	}
}

// The steps of a case for which the service takes what the operator lacks.
const (
	collectBiometrics = "Coletar biometria"
	sendAttachment    = "Enviar anexo"
)

// stepWords name a step in the queue and on the case alike.
var stepWords = map[desk.Step]string{
	desk.StepNone: "Ver", desk.StepFollow: "Acompanhar", desk.StepReview: "Acompanhar reanálise",
	desk.StepAttend: "Marcar atendido", desk.StepPrint: "Imprimir guia",
	desk.StepCheckItems: "Conferir itens", desk.StepCheck: "Conferir", desk.StepRemind: "Cobrar reanálise",
	desk.StepCorrect: "Corrigir e reenviar",
	desk.StepAttach:  "Reenviar com anexo", desk.StepBiometrics: "Reenviar com biometria", desk.StepResend: "Reenviar",
}
