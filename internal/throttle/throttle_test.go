package throttle_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"testing"
	"time"

	"guiche/internal/throttle"
)

// counts keeps failures in memory.
type counts map[[sha256.Size]byte]throttle.Failures

func (c counts) Failures(_ context.Context, subject [sha256.Size]byte) (throttle.Failures, error) {
	return c[subject], nil
}

func (c counts) SetFailures(_ context.Context, subject [sha256.Size]byte, f throttle.Failures) error {
	c[subject] = f
	return nil
}

func TestLimit_Attempt(t *testing.T) {
	start := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	limit := throttle.Limit{Kind: "x", Budget: 3, Leak: time.Hour, MaxDelay: time.Minute}
	store := counts{}
	for _, step := range []struct {
		after time.Duration // since the start
		wait  time.Duration
	}{
		{0, 0}, {0, 0}, {0, 0}, // the budget
		{0, 30 * time.Second}, {time.Second, 29 * time.Second}, // what waits is not counted
		{30 * time.Second, 0},
		{31 * time.Second, 59 * time.Second}, // the delay grows, to its most
		{90 * time.Second, 0},
		{91 * time.Second, 59 * time.Second},
		{90*time.Second + 2*time.Hour, 0}, // two of five are forgotten: one more is delayed, by the least
		{90*time.Second + 2*time.Hour + time.Second, 59 * time.Second},
		{90*time.Second + 8*time.Hour, 0}, {90*time.Second + 8*time.Hour, 0}, // all are
	} {
		wait, err := limit.Attempt(t.Context(), store, "alguém", start.Add(step.after))
		if err != nil || wait != step.wait {
			t.Errorf("after %v: got %v, %v, want %v", step.after, wait, err, step.wait)
		}
	}
}

func TestLimit_Forgive(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	limit := throttle.Limit{Kind: "x", Budget: 2, Leak: time.Hour, MaxDelay: time.Minute}
	attempts := func(store counts, n int) (wait time.Duration) {
		for range n {
			wait, _ = limit.Attempt(t.Context(), store, "alguém", now)
		}
		return wait
	}
	store := counts{}
	attempts(store, 2)
	if err := limit.Forgive(t.Context(), store, "alguém"); err != nil {
		t.Fatal(err)
	}
	if first, second := attempts(store, 1), attempts(store, 1); first != 0 || second == 0 {
		t.Errorf("after one was forgiven: got %v, %v, want one more free", first, second)
	}
	if err := limit.Clear(t.Context(), store, "alguém"); err != nil {
		t.Fatal(err)
	}
	if wait := attempts(store, 2); wait != 0 {
		t.Errorf("after all were forgotten: got %v, want 0", wait)
	}
	other := throttle.Limit{Kind: "y", Budget: 1, Leak: time.Hour, MaxDelay: time.Minute}
	if wait, _ := other.Attempt(t.Context(), store, "alguém", now); wait != 0 {
		t.Errorf("another kind: got %v, want a count of its own", wait)
	}
}

// TestLimits: an owner who mistypes waits little, and who guesses waits longer each
// time; an address that presents unknown secrets has far more attempts.
func TestLimits(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		limit throttle.Limit
		free  int
		waits []time.Duration
	}{
		{throttle.Network, 10, []time.Duration{
			30 * time.Second, time.Minute, 2 * time.Minute, 4 * time.Minute, 8 * time.Minute, 15 * time.Minute, 15 * time.Minute}},
		{throttle.Secret, 300, []time.Duration{30 * time.Second, time.Minute, time.Minute}},
	} {
		t.Run(tt.limit.Kind, func(t *testing.T) {
			tt.limit.Leak = 1000 * time.Hour // nothing is forgotten here
			store, at := counts{}, now
			attempt := func() time.Duration {
				wait, err := tt.limit.Attempt(t.Context(), store, "alguém", at)
				if err != nil {
					t.Fatal(err)
				}
				return wait
			}
			for i := range tt.free {
				if wait := attempt(); wait != 0 {
					t.Fatalf("attempt %d: got %v, want none", i+1, wait)
				}
			}
			for i, want := range tt.waits {
				if wait := attempt(); wait != want {
					t.Errorf("delay %d: got %v, want %v", i+1, wait, want)
				}
				at = at.Add(want)
				if wait := attempt(); wait != 0 {
					t.Errorf("after delay %d: got %v, want none", i+1, wait)
				}
			}
		})
	}
	t.Run("ManyFailures", func(t *testing.T) {
		store := counts{}
		if _, err := throttle.Network.Attempt(t.Context(), store, "alguém", now); err != nil {
			t.Fatal(err)
		}
		for subject := range store {
			store[subject] = throttle.Failures{Count: 1 << 30, At: now}
		}
		if wait, err := throttle.Network.Attempt(t.Context(), store, "alguém", now); err != nil || wait != 15*time.Minute {
			t.Errorf("got %v, error %v, want the longest delay", wait, err)
		}
	})
}

// TestLimit_Forgetting: one failure is forgotten in each Leak, all in the end.
func TestLimit_Forgetting(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	limit := throttle.Limit{Kind: "x", Budget: 5, Leak: time.Hour, MaxDelay: time.Minute}
	for after, want := range map[time.Duration]int{
		0: 5, time.Hour - 1: 5, time.Hour: 4, 2 * time.Hour: 3, 4 * time.Hour: 1, 5 * time.Hour: 1, 90 * time.Hour: 1,
	} {
		store := counts{}
		for range 4 {
			if _, err := limit.Attempt(t.Context(), store, "alguém", now); err != nil {
				t.Fatal(err)
			}
		}
		at := now.Add(after)
		if _, err := limit.Attempt(t.Context(), store, "alguém", at); err != nil {
			t.Fatal(err)
		}
		for _, got := range store {
			if got.Count != want || !got.At.Equal(at) {
				t.Errorf("after %v: got %+v, want %d", after, got, want)
			}
		}
	}
}

func TestLimit_Forgive_None(t *testing.T) {
	store := counts{}
	if err := throttle.Network.Forgive(t.Context(), store, "alguém"); err != nil {
		t.Fatal(err)
	}
	for _, got := range store {
		if got.Count != 0 {
			t.Errorf("got %+v, want no negative count", got)
		}
	}
}

// broken fails to read or to write.
type broken struct {
	counts
	read, write error
}

func (b broken) Failures(ctx context.Context, subject [sha256.Size]byte) (throttle.Failures, error) {
	f, _ := b.counts.Failures(ctx, subject)
	return f, b.read
}

func (b broken) SetFailures(context.Context, [sha256.Size]byte, throttle.Failures) error {
	return b.write
}

func TestLimit_StoreFails(t *testing.T) {
	lost := errors.New("disk failed")
	for name, store := range map[string]broken{"Read": {read: lost}, "Write": {write: lost}} {
		_, attempt := throttle.Network.Attempt(t.Context(), store, "alguém", time.Now())
		for doing, err := range map[string]error{"Attempt": attempt, "Forgive": throttle.Network.Forgive(t.Context(), store, "alguém")} {
			if !errors.Is(err, lost) {
				t.Errorf("%s, %s: got %v, want %v", name, doing, err, lost)
			}
		}
	}
	if err := throttle.Network.Clear(t.Context(), broken{write: lost}, "alguém"); !errors.Is(err, lost) {
		t.Errorf("Clear: got %v, want %v", err, lost)
	}
}

// A clock that was set back locks nobody out until the wrong time comes.
func TestLimit_Attempt_ClockSetBack(t *testing.T) {
	wrong := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	limit := throttle.Limit{Kind: "x", Budget: 1, Leak: time.Hour, MaxDelay: time.Minute}
	store := counts{}
	right := wrong.Add(-24 * time.Hour)
	for i, step := range []struct {
		at   time.Time
		wait time.Duration
	}{
		{wrong, 0}, {wrong, 30 * time.Second}, {wrong.Add(-time.Minute), 90 * time.Second}, // as two computers may differ
		{right, 0}, {right, time.Minute}, {right.Add(time.Minute), 0},
	} {
		if wait, err := limit.Attempt(t.Context(), store, "alguém", step.at); err != nil || wait != step.wait {
			t.Errorf("attempt %d: got %v, %v, want %v", i, wait, err, step.wait)
		}
	}
}
