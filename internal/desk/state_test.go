package desk_test

import (
	"testing"

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
