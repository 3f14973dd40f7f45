package simulated_test

import (
	"testing"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/service"
	"guiche/internal/service/simulated"
)

// standing is the first authorization of a card after a time in its status.
func openAuthorization(tb testing.TB, o *simulated.Operator, card string, after time.Duration) service.OpenAuthorization {
	tb.Helper()
	r := request(card, 2)
	a := mustAuthorize(tb, o, r).Authorizations[0]
	a.Number = 1
	return service.OpenAuthorization{OperatorRequest: r, Authorization: a, Since: now.Add(-after)}
}

func TestOperator_PollStatus(t *testing.T) {
	o := simulated.New(simulated.Config{Clock: clock})
	for name, c := range map[string]struct {
		card  string
		after time.Duration
		want  authorization.Status
		again time.Duration
	}{
		"TooEarly":    {"999903", 5 * time.Second, "", 15 * time.Second},
		"Decided":     {"999903", 20 * time.Second, "A", 0},
		"NextStep":    {"999905", 10 * time.Second, "R", 10 * time.Second},
		"Executed":    {"999917", time.Minute, "P", 30 * time.Second},
		"Cancelled":   {"999915", time.Minute, "C", 0},
		"Stays":       {"999901", time.Hour, "", 0},
		"WaitsForYou": {"999909", time.Hour, "", 0},
	} {
		u, err := o.PollStatus(t.Context(), openAuthorization(t, o, c.card, c.after))
		if err != nil || u.Authorization.Status != c.want || u.PollAfter != c.again || !u.Simulated {
			t.Errorf("%s: got %q again in %v, %v, want %q in %v", name, u.Authorization.Status, u.PollAfter, err, c.want, c.again)
		}
	}
}

func TestOperator_Acts(t *testing.T) {
	o := simulated.New(simulated.Config{Clock: clock})
	if u, err := o.AddAttachments(t.Context(), openAuthorization(t, o, "999909", 0), nil); err != nil ||
		u.Authorization.Status != "R" || u.PollAfter != 10*time.Second {
		t.Errorf("attachments: got %+v, %v, want R for 10s", u, err)
	}
	if u, err := o.CheckBiometrics(t.Context(), openAuthorization(t, o, "999930", 0), nil); err != nil ||
		u.Authorization.Status != "T" || len(u.Authorization.Errors) != 1 || u.Authorization.Success {
		t.Errorf("first biometrics: got %+v, %v, want T with its error", u, err)
	}
	if u, err := o.CheckBiometrics(t.Context(), openAuthorization(t, o, "999914", 0), nil); err != nil ||
		u.Authorization.Status != "A" || u.Authorization.Senha == "" {
		t.Errorf("second biometrics: got %+v, %v, want A with its senha", u, err)
	}
	at := openAuthorization(t, o, "0310004512063345", 0)
	if u, err := o.Cancel(t.Context(), at, "x"); err != nil || u.Authorization.Status != "X" ||
		u.Authorization.Senha != at.Authorization.Senha || u.PollAfter != 5*time.Second {
		t.Errorf("cancel: got %+v, %v, want X, the same senha, again in 5s", u, err)
	}
}

// TestOperator_CheckEligibility: a rule about more than the card says nothing
// about the card.
func TestOperator_CheckEligibility(t *testing.T) {
	o := simulated.New(simulated.Config{Clock: clock})
	for card, want := range map[string]bool{"0310004512063345": true, "999901": true, "999916": false, "999921": false,
		"999927": true, "999925": true} {
		got, err := o.CheckEligibility(t.Context(), service.EligibilityRequest{CardNumber: card})
		if err != nil || got.Eligible != want || !want && len(got.Messages) == 0 {
			t.Errorf("%s: got %+v, %v, want %v", card, got, err, want)
		}
	}
	if _, err := o.CheckEligibility(t.Context(), service.EligibilityRequest{CardNumber: "999922"}); err == nil {
		t.Error("a line that breaks: got an answer")
	}
}
