package desk_test

import (
	"testing"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/desk"
)

// TestCaseSummary_NextStep: each situation leads on.
func TestCaseSummary_NextStep(t *testing.T) {
	of := func(state desk.State, status authorization.Status, reason string) desk.CaseSummary {
		s := desk.CaseState{State: state, Status: status, Reason: reason}
		s.Group = desk.GroupOf(state, status)
		return desk.CaseSummary{CaseState: s}
	}
	reviewed := of(desk.Answered, authorization.Denied, "")
	reviewed.ReviewedAt = time.Unix(1, 0)
	owed := reviewed
	owed.ReviewOverdue = true
	printable := of(desk.Answered, authorization.Authorized, "")
	printable.HasGuide = true
	for name, tc := range map[string]struct {
		summary       desk.CaseSummary
		want          desk.Step
		waits, copies bool
	}{
		"Queued":       {of(desk.Queued, "", ""), desk.StepFollow, false, false},
		"Sending":      {of(desk.Sending, "", ""), desk.StepFollow, false, false},
		"Unknown":      {of(desk.Unknown, "", ""), desk.StepCheck, true, false},
		"Refused":      {of(desk.Refused, "", "http_422"), desk.StepCorrect, true, true},
		"NotInTime":    {of(desk.Refused, "", desk.ReasonLate), desk.StepResend, true, true},
		"Withdrawn":    {of(desk.Withdrawn, "", ""), desk.StepNone, false, false},
		"Authorized":   {of(desk.Answered, authorization.Authorized, ""), desk.StepAttend, false, false},
		"Guide":        {printable, desk.StepPrint, false, false},
		"Partly":       {of(desk.Answered, "Z", ""), desk.StepCheckItems, true, false},
		"Analysis":     {of(desk.Answered, "R", ""), desk.StepFollow, false, false},
		"Denied":       {of(desk.Answered, "N", ""), desk.StepCorrect, true, true},
		"Reviewed":     {reviewed, desk.StepReview, false, false},
		"ReviewOwed":   {owed, desk.StepRemind, true, false},
		"Attachment":   {of(desk.Answered, authorization.AwaitingAttachment, ""), desk.StepAttach, true, true},
		"Biometrics":   {of(desk.Answered, authorization.AwaitingBiometrics, ""), desk.StepBiometrics, true, true},
		"Unrecognized": {of(desk.Answered, "Ω", ""), desk.StepCheck, true, false},
		"Cancelled":    {of(desk.Answered, authorization.Cancelled, ""), desk.StepNone, false, false},
	} {
		got := tc.summary.NextStep()
		if got != tc.want || got.Waits() != tc.waits || got.Copies() != tc.copies {
			t.Errorf("%s: got %d (waits %v, copies %v), want %d", name, got, got.Waits(), got.Copies(), tc.want)
		}
	}
}

// TestCaseState_SomethingCame: an answer that nobody understood is not the same as none.
func TestCaseState_SomethingCame(t *testing.T) {
	for reason, want := range map[string]bool{
		"": false, "conexao": false, "tempo": false, "corte": false, "cancelado": false, "local": false, "sem_corpo": false,
		"http_502": false, "http_503": false, "http_504": false, "corpo_diferente": false,
		desk.ReasonNoAnswer: false, desk.ReasonInterrupted: false,
		desk.ReasonUnreadable: true, "http_500": true, "json_invalido": true, "sem_autorizacao": true, "contraditorio": true,
	} {
		if got := (desk.CaseState{State: desk.Unknown, Reason: reason}).SomethingCame(); got != want {
			t.Errorf("%q: got %v, want %v", reason, got, want)
		}
	}
	if (desk.CaseState{State: desk.Answered, Reason: "http_500"}).SomethingCame() {
		t.Error("of a case that was answered: got true")
	}
}
