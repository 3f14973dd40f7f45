package desk_test

import (
	"testing"
	"time"
)

// A new deadline is that of what is submitted afterwards; times that are none
// change nothing.
func TestDesk_SetDeadline(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	for _, tc := range []struct{ set, want time.Duration }{{0, 30 * time.Minute}, {time.Hour, time.Hour}, {-1, time.Hour}} {
		f.SetDeadline(tc.set)
		uid, err := f.Submit(t.Context(), ana, f.MustDraft(t, ana, nil).UID)
		MustDo(t, err)
		if got := f.MustCase(t, uid).Deadline.Sub(f.clock.Now()); got != tc.want {
			t.Errorf("set to %v: got %v, want %v", tc.set, got, tc.want)
		}
	}
}
