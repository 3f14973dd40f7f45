package throttle

import (
	"context"
	"time"
)

// Budget is how often somebody may do something: so many times at once, then once in each
// Refill. A store keeps the uses of a budget as it does failures.
type Budget struct {
	Kind   string // distinguishes it from others of the same name
	AtOnce int
	Refill time.Duration
}

// Spent reports whether there is nothing left to use now.
func (b Budget) Spent(used Failures, now time.Time) bool {
	return b.counting(used, now).Count >= b.AtOnce
}

// Use returns the uses with n more, AtOnce at most: whoever used more, at several places at
// the same time, waits no longer for it.
func (b Budget) Use(used Failures, n int, now time.Time) Failures {
	used = b.counting(used, now)
	return Failures{Count: min(used.Count+n, b.AtOnce), At: used.At}
}

// counting returns the uses without those that are refilled by now. The time of what is left
// moves by whole refills, so that none is lost however often it is asked.
func (b Budget) counting(used Failures, now time.Time) Failures {
	refilled := int(max(0, now.Sub(used.At)) / b.Refill)
	if refilled >= used.Count || used.At.Sub(now) > maxClockSkew {
		return Failures{At: now}
	}
	return Failures{Count: used.Count - refilled, At: used.At.Add(time.Duration(refilled) * b.Refill)}
}

// Share adds n uses to those that others put into the store, and returns all.
func (b Budget) Share(ctx context.Context, s Store, name string, n int, now time.Time) (Failures, error) {
	subject := Limit{Kind: b.Kind}.subject(name)
	used, err := s.Failures(ctx, subject)
	if err != nil {
		return Failures{}, err
	}
	used = b.Use(used, n, now)
	return used, s.SetFailures(ctx, subject, used)
}
