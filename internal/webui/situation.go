package webui

import (
	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/web/component"
)

// situation is how the state of a case is shown.
func situation(s desk.CaseState) component.Situation {
	switch s.State {
	case desk.Answered:
		return component.StatusSituation(s.Status)
	case desk.Queued:
		if s.Held() {
			return component.Held
		}
		return component.Queued
	case desk.Sending:
		return component.Sending
	case desk.Refused:
		if s.Reason == desk.ReasonLate {
			return component.Expired
		}
		return component.Refused
	case desk.Withdrawn:
		return component.Withdrawn
	case desk.Resent:
		return component.Resent
	}
	return component.Unknown
}

// stateWord names what a page shows while an answer is awaited.
func stateWord(s desk.CaseState) string {
	if s.Held() {
		return string(s.State) + "-retido"
	}
	return string(s.State)
}

// nextStep is the one thing to do about a case, and whether it waits for the
// clerk.
func nextStep(s desk.CaseState) (step string, urgent bool) {
	switch s.State {
	case desk.Answered:
		return statusStep(s.Status)
	case desk.Refused:
		return "Corrigir", true
	case desk.Queued, desk.Sending:
		return "Acompanhar", false
	case desk.Unknown:
		return "Conferir", true
	}
	return "Ver", false
}

// statusStep names the next step after an answer and whether it is urgent: a few
// statuses have their own, the others that of their group.
func statusStep(status authorization.Status) (string, bool) {
	switch status {
	case authorization.AwaitingAttachment:
		return "Reenviar com anexo", true
	case authorization.AwaitingBiometrics, authorization.InvalidBiometrics:
		return "Coletar biometria", true
	case authorization.PartiallyAuthorized:
		return "Conferir itens", true
	}
	switch status.Group() {
	case authorization.ToFix:
		return "Corrigir", true
	case authorization.Refusal:
		return "Ver motivo", true
	case authorization.Unrecognized:
		return "Conferir", true
	case authorization.Ready:
		return "Ver guia", false
	case authorization.Waiting:
		return "Acompanhar", false
	}
	return "Ver", false
}
