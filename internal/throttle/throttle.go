// Package throttle makes guessing a secret hopeless: it counts failed attempts by
// account and by address, and says how long the next one has to wait. Where the
// counts are kept is the caller's business.
package throttle

import (
	"context"
	"crypto/sha256"
	"time"
)

// Limit says how many failed attempts are free, and what comes after them.
type Limit struct {
	Kind     string        // keeps an account and an address of the same text apart
	Budget   int           // failures without a delay
	Leak     time.Duration // one failure is forgotten after each
	MaxDelay time.Duration
}

// The limits. An account's delay grows, so that guessing is hopeless and its owner
// still gets in. A whole clinic shares one address, so that one has a high budget.
var (
	Account = Limit{Kind: "conta", Budget: 10, Leak: time.Hour, MaxDelay: 15 * time.Minute}
	Address = Limit{Kind: "endereco", Budget: 300, Leak: time.Minute, MaxDelay: time.Minute}
)

const firstDelay = 30 * time.Second

// setBack is how far ahead a failure is only when the clock was set back since. The
// next attempt is then counted at its own time, so that nobody is locked out until
// the wrong time comes.
const setBack = time.Minute

// Outdated is after how long without an attempt every count has leaked away.
const Outdated = 48 * time.Hour

// Failures says how often attempts failed, and when the last one was made.
type Failures struct {
	Count int
	At    time.Time
}

// Store keeps the counts. What is done with one subject is done in one
// transaction of the caller's.
type Store interface {
	Failures(ctx context.Context, subject [sha256.Size]byte) (Failures, error)    // zero when there are none
	SetFailures(ctx context.Context, subject [sha256.Size]byte, f Failures) error // a Count of 0 forgets the subject
}

// subject names who is counted; only a hash, for people type passwords into the
// wrong field.
func (l Limit) subject(name string) [sha256.Size]byte {
	return sha256.Sum256([]byte(l.Kind + "\x00" + name))
}

// left returns f without the failures that are forgotten by now.
func (l Limit) left(f Failures, now time.Time) Failures {
	forgotten := int(max(0, now.Sub(f.At)) / l.Leak)
	return Failures{Count: max(0, f.Count-forgotten), At: f.At}
}

// wait returns how long from now the next attempt has to wait.
func (l Limit) wait(f Failures, now time.Time) time.Duration {
	f = l.left(f, now)
	if f.Count < l.Budget || f.At.Sub(now) > setBack {
		return 0
	}
	delay := firstDelay << min(f.Count-l.Budget, 16)
	return max(0, f.At.Add(min(delay, l.MaxDelay)).Sub(now))
}

// Attempt counts one more try as failed before it is made, so that a thousand at
// once are a thousand; Forgive and Clear take it back. A try that comes too early is
// not counted: wait says how much.
func (l Limit) Attempt(ctx context.Context, s Store, name string, now time.Time) (wait time.Duration, err error) {
	f, err := s.Failures(ctx, l.subject(name))
	if err != nil {
		return 0, err
	}
	if wait := l.wait(f, now); wait > 0 {
		return wait, nil
	}
	f = l.left(f, now)
	return 0, s.SetFailures(ctx, l.subject(name), Failures{Count: f.Count + 1, At: now})
}

// Forgive takes one counted attempt back: it was none.
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
