package desk_test

import (
	"testing"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/desk"
)

// What waits without doubt may go to another service, what may have been acted on
// may not.
func TestDesk_Unsettled(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	f.service.Script(outcome(authorization.OutcomeRetry, "conexao"), outcome(authorization.OutcomeBusy, "em_processamento"), answered("A"))
	uid := f.MustSubmit(t, ana, nil)
	f.MustRun(t)
	for i, want := range []int{0, 1, 0} {
		f.MustSettle(t, i+1)
		if got, err := f.Unsettled(t.Context()); got != want || err != nil {
			t.Errorf("after attempt %d: got %d, error %v, want %d", i+1, got, err, want)
		}
		f.clock.Advance(2 * time.Minute)
	}
	f.MustBecome(t, uid, desk.Answered)
}
