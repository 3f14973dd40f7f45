package desk_test

import (
	"testing"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/desk"
)

// TestDesk_AccessAccepted_AtOnce: a single case that was held leaves when the access is
// accepted, not when the queue is next looked at.
func TestDesk_AccessAccepted_AtOnce(t *testing.T) {
	t.Parallel()
	f := MustDesk(t, func(c *desk.Config) { c.Poll = time.Hour })
	f.service.Script(outcome(authorization.OutcomeHeld, "http_401"), answered("A"))
	uid := f.MustSubmit(t, ana, nil)
	f.MustRun(t)
	f.MustSettle(t, 1)
	f.clock.Advance(5 * time.Minute) // beyond the time of the next attempt
	f.accepted(t)
	f.MustBecome(t, uid, desk.Answered)
}
