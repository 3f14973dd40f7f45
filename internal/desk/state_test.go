package desk_test

import (
	"testing"

	"guiche/internal/authorization"
	"guiche/internal/desk"
)

func TestState_Pending(t *testing.T) {
	for _, s := range []desk.State{
		desk.Queued, desk.Sending, desk.Answered, desk.Refused, desk.Unknown, desk.Withdrawn, desk.Resent,
	} {
		if got, want := s.Pending(), s == desk.Queued || s == desk.Sending; got != want {
			t.Errorf("%s: got %v, want %v", s, got, want)
		}
		if got, want := desk.GroupOf(s, "A") == 0, s == desk.Unknown; got != want {
			t.Errorf("%s counted apart: got %v, want %v", s, got, want)
		}
	}
}

func TestOrigin_Label(t *testing.T) {
	labels := map[string]bool{}
	for _, o := range []desk.Origin{desk.OriginDesk, desk.OriginService, desk.OriginOperator, desk.OriginPerson} {
		labels[o.Label()] = true
	}
	if len(labels) != 4 || labels[""] {
		t.Errorf("got %v, want four words", labels)
	}
}

func TestNew(t *testing.T) {
	if _, err := desk.New(desk.Config{}); err == nil {
		t.Error("a desk without a store: got no error")
	}
}

// TestCaseSummary_CanRepeat: asking for the same once more is offered where the patient got something,
// and never while another request of the case may still get an authorization.
func TestCaseSummary_CanRepeat(t *testing.T) {
	for _, tt := range []struct {
		state    desk.State
		status   authorization.Status
		copy, it bool // can be copied at all; repeating makes sense
	}{
		{desk.Queued, "", false, false}, {desk.Sending, "", false, false}, {desk.Unknown, "", false, false}, {desk.Resent, "", false, false},
		{desk.Refused, "", true, false}, {desk.Answered, authorization.Denied, true, false},
		{desk.Answered, authorization.AwaitingAttachment, true, false},
		{desk.Answered, authorization.Authorized, true, true}, {desk.Answered, authorization.UnderAnalysis, true, true},
		{desk.Answered, authorization.PartiallyAuthorized, true, true},
	} {
		c := desk.CaseSummary{}
		c.State, c.Status, c.Group = tt.state, tt.status, tt.status.Group()
		if c.CanCopy() != tt.copy || c.CanRepeat() != tt.it {
			t.Errorf("%s %s: got %v, %v, want %v, %v", tt.state, tt.status, c.CanCopy(), c.CanRepeat(), tt.copy, tt.it)
		}
	}
}
