package app_test

import (
	"testing"
	"time"

	"guiche/internal/app"
)

// TestUntilNext: a start within a day of a check that came to its end reads nothing again.
func TestUntilNext(t *testing.T) {
	now := time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)
	for name, tc := range map[string]struct {
		last time.Time
		want time.Duration
	}{
		"Never":       {time.Time{}, 0},
		"JustNow":     {now, 24 * time.Hour},
		"AnHourAgo":   {now.Add(-time.Hour), 23 * time.Hour},
		"ADayAgo":     {now.Add(-24 * time.Hour), 0},
		"LongAgo":     {now.AddDate(-1, 0, 0), 0},
		"InTheFuture": {now.Add(time.Minute), 0},
	} {
		if got := app.UntilNext(tc.last, now); got != tc.want {
			t.Errorf("%s: got %v, want %v", name, got, tc.want)
		}
	}
}
