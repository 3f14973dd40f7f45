package throttle_test

import (
	"context"
	"crypto/sha256"
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

// A clock that was set back locks nobody out until the wrong time comes.
func TestLimit_Attempt_ClockSetBack(t *testing.T) {
	wrong := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	limit := throttle.Limit{Kind: "x", Budget: 1, Leak: time.Hour, MaxDelay: time.Minute}
	store := counts{}
	right := wrong.Add(-24 * time.Hour)
	for i, step := range []struct {
		at   time.Time
		wait time.Duration
	}{{wrong, 0}, {wrong, 30 * time.Second}, {right, 0}, {right, time.Minute}, {right.Add(time.Minute), 0}} {
		if wait, err := limit.Attempt(t.Context(), store, "alguém", step.at); err != nil || wait != step.wait {
			t.Errorf("attempt %d: got %v, %v, want %v", i, wait, err, step.wait)
		}
	}
}
