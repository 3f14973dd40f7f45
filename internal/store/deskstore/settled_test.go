package deskstore_test

import (
	"testing"

	"guiche/internal/authorization"
	"guiche/internal/desk"
)

// TestStore_Settle_Kept: what a settlement does not speak of stays as it was, and what no engine takes as a text
// is neither in the state nor in what lists show of it, which mustEnv compares.
func TestStore_Settle_Kept(t *testing.T) {
	e := mustEnv(t)
	sub := e.submit(t, func(s *desk.Submission) { s.Simulated = true })
	e.settle(t, e.claim(t), desk.Queued)
	if c := e.mustCase(t, sub.UID); !c.Simulated || c.Deadline.IsZero() {
		t.Errorf("queued again: simulated %v until %v, want that of its submission", c.Simulated, c.Deadline)
	}
	e.settle(t, e.claim(t), desk.Answered, func(s *desk.Settlement) {
		s.Status, s.Group, s.Reason = authorization.Authorized, authorization.Authorized.Group(), ""
		s.Event, s.Senha = desk.EventAnswered, "12\x003"
	})
	if c := e.mustCase(t, sub.UID); c.Simulated || c.State != desk.Answered {
		t.Errorf("answered by others: got %s, simulated %v", c.State, c.Simulated)
	}
}
