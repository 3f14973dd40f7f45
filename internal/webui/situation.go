package webui

import (
	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/web/component"
)

// caseSituation is the situation on the case's own page, which tells what waits in doubt
// from what never left.
func caseSituation(c desk.Case) component.Situation {
	if c.State == desk.Queued && c.UnknownOutcome && !c.Held() {
		return component.Checking
	}
	return situation(c.CaseState)
}

// situation is how the state of a case is shown.
func situation(s desk.CaseState) component.Situation {
	switch s.State {
	case desk.Answered:
		return answeredSituation(s.Status, s.Group)
	case desk.Queued:
		if s.Held() {
			return component.Held
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
	if s.Reason == desk.ReasonAbsent {
		return component.Absent
	}
	if s.SomethingCame() {
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

// stateWord names what a page shows while an answer is awaited.
func stateWord(s desk.CaseState) string {
	if s.Held() {
		return string(s.State) + "-retido"
	}
	return string(s.State)
}

// stepWords name a step in the queue and on the case alike.
var stepWords = map[desk.Step]string{
	desk.StepNone: "Ver", desk.StepFollow: "Acompanhar", desk.StepAttend: "Encaminhar", desk.StepPrint: "Imprimir guia",
	desk.StepCheckItems: "Conferir itens", desk.StepCheck: "Conferir", desk.StepCorrect: "Corrigir e reenviar",
	desk.StepAttach: "Reenviar com anexo", desk.StepBiometrics: "Reenviar com biometria", desk.StepResend: "Reenviar",
}
