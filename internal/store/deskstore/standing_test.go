package deskstore_test

import (
	"testing"
	"time"

	"guiche/internal/desk"

	"github.com/google/go-cmp/cmp"
)

// TestStore_Standings: every request that has not ended counts once, where it stands, with
// the age of the oldest.
func TestStore_Standings(t *testing.T) {
	e := mustEnv(t)
	if got, err := e.Standings(t.Context()); got != (desk.Standings{}) || err != nil {
		t.Errorf("an empty desk: got %v, %v", got, err)
	}
	began := e.now
	later := func(minutes int) time.Time { return began.Add(time.Duration(minutes) * time.Minute) }
	for _, to := range []desk.State{desk.Unknown, desk.Unknown, desk.Answered, desk.Queued} {
		e.submit(t)
		e.settle(t, e.claim(t), to, func(s *desk.Settlement) {
			if to == desk.Queued {
				s.Alert, s.Due = desk.AlertHeld, e.now.Add(time.Hour)
			}
		})
		e.pass(time.Minute)
	}
	e.submit(t)
	e.claim(t)
	e.pass(time.Minute)
	e.submit(t)
	e.submit(t)
	want := desk.Standings{
		Queued: desk.Standing{Count: 2, Oldest: later(5)}, Held: desk.Standing{Count: 1, Oldest: later(3)},
		Sending: desk.Standing{Count: 1, Oldest: later(4)}, Unknown: desk.Standing{Count: 2, Oldest: began},
	}
	got, err := e.Standings(t.Context())
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("-want +got, %v\n%s", err, diff)
	}
}

// TestStore_Silences: who does not answer is told by the identifier alone.
func TestStore_Silences(t *testing.T) {
	e := mustEnv(t)
	for range desk.OutageAfter {
		e.submit(t, toOther)
		e.settle(t, e.claim(t), desk.Unknown, silent(desk.OperatorSilent))
	}
	e.pass(time.Minute)
	for range desk.OutageAfter {
		e.submit(t)
		e.settle(t, e.claim(t), desk.Unknown, silent(desk.ServiceSilent))
	}
	got, err := e.Silences(t.Context(), e.now.Add(-time.Hour), 9)
	if diff := cmp.Diff([]desk.Silence{{Credential: other, Since: e.now.Add(-time.Minute)}, {Since: e.now}}, got); diff != "" || err != nil {
		t.Errorf("-want +got, %v\n%s", err, diff)
	}
}
