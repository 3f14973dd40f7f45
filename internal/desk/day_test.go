package desk_test

import (
	"testing"
	"time"

	"guiche/internal/authorization"
)

// TestDesk_Counts_SummerTime: what was closed in the last hour of the day before is not of today,
// where the day begins at one o'clock.
func TestDesk_Counts_SummerTime(t *testing.T) {
	t.Parallel()
	f, ctx := MustDesk(t), t.Context()
	f.clock.now = time.Date(2018, 11, 4, 2, 30, 0, 0, time.UTC) // half past eleven in São Paulo
	MustDo(t, f.Withdraw(ctx, ana, f.MustSubmit(t, ana, nil)))
	for _, want := range []int{1, 0} {
		counts, err := f.Counts(ctx, ana)
		MustDo(t, err)
		if got := counts.Groups[authorization.Closed].Count; got != want {
			t.Errorf("at %v: got %d closed today, want %d", f.clock.Now(), got, want)
		}
		f.clock.Advance(12 * time.Hour)
	}
}
