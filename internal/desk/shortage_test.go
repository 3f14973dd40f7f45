package desk_test

import (
	"sync/atomic"
	"testing"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/problem"
)

// TestDesk_AfterShortage: what a service on the same disk put off leaves as soon as there
// is space again; what another service put off waits as long as it was told to.
func TestDesk_AfterShortage(t *testing.T) {
	t.Parallel()
	for name, shares := range map[string]bool{"SameDisk": true, "OtherService": false, "NotTold": false} {
		t.Run(name, func(t *testing.T) {
			var short atomic.Bool
			f := MustDesk(t, func(c *desk.Config) {
				if name != "NotTold" {
					c.SharesDisk = func() bool { return shares }
				}
				c.Space = func() error {
					if short.Load() {
						return problem.New(problem.NoSpace, "")
					}
					return nil
				}
			})
			later := outcome(authorization.OutcomeRetry, "http_503")
			later.RetryAfter = time.Hour
			f.service.Script(later, answered("A"))
			uid := f.MustSubmit(t, ana, nil)
			for _, none := range []bool{true, false} {
				short.Store(none)
				MustDo(t, f.RunDue(t.Context()))
			}
			if got, want := len(f.service.Sent()), map[bool]int{true: 2, false: 1}[shares]; got != want {
				t.Fatalf("sent %d times, want %d", got, want)
			}
			if shares {
				f.MustBecome(t, uid, desk.Answered)
			}
		})
	}
}
