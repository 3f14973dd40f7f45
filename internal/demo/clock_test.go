package demo_test

import (
	"testing"
	"time"

	"guiche/internal/demo"
)

func TestClock(t *testing.T) {
	present := time.Date(2026, 11, 18, 14, 30, 0, 0, time.UTC)
	clock := demo.NewClock(func() time.Time { return present })
	check := func(what string, want time.Time, elsewhere bool) {
		t.Helper()
		if got := clock.Now(); !got.Equal(want) || clock.Elsewhere() != elsewhere {
			t.Errorf("%s: got %v, elsewhere %v, want %v, %v", what, got, clock.Elsewhere(), want, elsewhere)
		}
	}
	check("at first", present, false)
	past := time.Date(2026, 10, 28, 8, 12, 0, 0, time.UTC)
	clock.Set(past)
	check("set", past, true)
	present = present.Add(time.Second)
	check("a second later", past.Add(time.Second), true)
	clock.Advance(time.Minute)
	check("advanced", past.Add(time.Minute+time.Second), true)
	clock.Return()
	check("returned", present, false)
}

// TestStart: the past begins before three weeks of work, on a day of work.
func TestStart(t *testing.T) {
	for day := range 7 {
		now := time.Date(2026, 11, 16+day, 9, 0, 0, 0, time.UTC)
		start := demo.Start(now)
		if days := now.Sub(start).Hours() / 24; days < 21 || days > 25 || start.Weekday() == time.Saturday || start.Weekday() == time.Sunday {
			t.Errorf("%s: got %s", now.Weekday(), start)
		}
	}
}
