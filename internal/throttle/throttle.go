// Package throttle slows down the guessing of passwords: it counts failed attempts by
// account and by address, and says how long the next one has to wait. The caller
// brings the store of the counts.
package throttle

import (
	"context"
	"crypto/sha256"
	"time"
)

// Limit says how many failed attempts have no delay, and how the delay grows then.
type Limit struct {
	Kind     string        // distinguishes an account from an address of the same text
	Budget   int           // failures without a delay
	Leak     time.Duration // the time in which one failure is forgotten
	MaxDelay time.Duration
}

// Secret is how many unknown keys and tokens an address may present. Good ones are
// looked up before, so that it refuses none of them.
var Secret = Limit{Kind: "segredo", Budget: 300, Leak: time.Minute, MaxDelay: time.Minute}

const firstDelay = 30 * time.Second

// maxClockSkew is how far in the future a failure may be. One further ahead was
// counted before the clock was set back, and must not lock anybody out until then.
const maxClockSkew = time.Minute

// Outdated is the time without an attempt after which a store deletes a count.
const Outdated = 48 * time.Hour

// Failures are the failed attempts of one subject.
type Failures struct {
	Count int
	At    time.Time // of the last one
}

// Store keeps the counts. The caller makes each call of a Limit one transaction.
type Store interface {
	Failures(ctx context.Context, subject [sha256.Size]byte) (Failures, error)    // zero when there are none
	SetFailures(ctx context.Context, subject [sha256.Size]byte, f Failures) error // a Count of 0 forgets the subject
}

// subject identifies an account or an address. It is a hash, because people type
// passwords into the wrong field.
func (l Limit) subject(name string) [sha256.Size]byte {
	return sha256.Sum256([]byte(l.Kind + "\x00" + name))
}

// remaining returns f without the failures that are forgotten by now.
func (l Limit) remaining(f Failures, now time.Time) Failures {
	forgotten := int(max(0, now.Sub(f.At)) / l.Leak)
	return Failures{Count: max(0, f.Count-forgotten), At: f.At}
}

// wait returns how long from now the next attempt has to wait.
func (l Limit) wait(f Failures, now time.Time) time.Duration {
	f = l.remaining(f, now)
	if f.Count < l.Budget || f.At.Sub(now) > maxClockSkew {
		return 0
	}
	delay := firstDelay << min(f.Count-l.Budget, 16)
	return max(0, f.At.Add(min(delay, l.MaxDelay)).Sub(now))
}

// Attempt counts an attempt as failed before it is made, so that of many at once
// each counts; Forgive and Clear undo that. An attempt that has to wait is not
// counted.
func (l Limit) Attempt(ctx context.Context, s Store, name string, now time.Time) (wait time.Duration, err error) {
	f, err := s.Failures(ctx, l.subject(name))
	if err != nil {
		return 0, err
	}
	if wait := l.wait(f, now); wait > 0 {
		return wait, nil
	}
	f = l.remaining(f, now)
	return 0, s.SetFailures(ctx, l.subject(name), Failures{Count: f.Count + 1, At: now})
}

// used returns how many failures count by now.
func (l Limit) used(ctx context.Context, s Store, name string, now time.Time) (int, error) {
	f, err := s.Failures(ctx, l.subject(name))
	return l.remaining(f, now).Count, err
}

// count adds a failure whether or not the budget is used up, to twice the budget at
// most, so that what went on for long is forgotten soon after its end.
func (l Limit) count(ctx context.Context, s Store, name string, now time.Time) error {
	f, err := s.Failures(ctx, l.subject(name))
	if err != nil {
		return err
	}
	f = l.remaining(f, now)
	return s.SetFailures(ctx, l.subject(name), Failures{Count: min(f.Count+1, 2*l.Budget), At: now})
}

// Forgive takes back one counted attempt, which turned out not to be a guess.
func (l Limit) Forgive(ctx context.Context, s Store, name string) error {
	f, err := s.Failures(ctx, l.subject(name))
	if err != nil {
		return err
	}
	return s.SetFailures(ctx, l.subject(name), Failures{Count: max(0, f.Count-1), At: f.At})
}

// Clear forgets all failures.
func (l Limit) Clear(ctx context.Context, s Store, name string) error {
	return s.SetFailures(ctx, l.subject(name), Failures{})
}
