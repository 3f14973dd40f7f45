package account

import (
	"context"
	"fmt"
	"math"
	"time"

	"guiche/internal/problem"
)

// limit says how many failed logins are free, and what comes after them.
type limit struct {
	kind     string        // keeps an account and an address of the same text apart
	budget   int           // failures without a delay
	leak     time.Duration // one failure is forgotten after each
	maxDelay time.Duration
}

// An account's delay grows, so that guessing is hopeless and its owner still gets
// in. A whole clinic shares one address, so that one has a high budget.
var (
	accountLimit = limit{kind: "conta", budget: 10, leak: time.Hour, maxDelay: 15 * time.Minute}
	addressLimit = limit{kind: "endereco", budget: 300, leak: time.Minute, maxDelay: time.Minute}
)

const (
	firstDelay       = 30 * time.Second
	failuresOutdated = 48 * time.Hour // by then every count has leaked away
)

// subject names who is counted; only a hash, for people type passwords into the
// wrong field.
func (l limit) subject(name string) Hash { return hashOf(l.kind + "\x00" + name) }

// left returns f without the failures that are forgotten by now.
func (l limit) left(f Failures, now time.Time) Failures {
	forgotten := int(max(0, now.Sub(f.At)) / l.leak)
	return Failures{Count: max(0, f.Count-forgotten), At: f.At}
}

// wait returns how long from now the next attempt has to wait.
func (l limit) wait(f Failures, now time.Time) time.Duration {
	f = l.left(f, now)
	if f.Count < l.budget {
		return 0
	}
	delay := firstDelay << min(f.Count-l.budget, 16)
	return max(0, f.At.Add(min(delay, l.maxDelay)).Sub(now))
}

// attempt counts one more try as failed before it is made, so that a thousand at
// once are a thousand; forgive and clear take it back. A try that has to wait is not
// counted and gets a problem.Throttled error.
func (l limit) attempt(ctx context.Context, tx ThrottleTx, name string, now time.Time) error {
	f, err := tx.Failures(ctx, l.subject(name))
	if err != nil {
		return err
	}
	if wait := l.wait(f, now); wait > 0 {
		return throttled(wait)
	}
	f = l.left(f, now)
	return tx.SetFailures(ctx, l.subject(name), Failures{Count: f.Count + 1, At: now})
}

// forgive takes one counted attempt back: it was none.
func (l limit) forgive(ctx context.Context, tx ThrottleTx, name string) error {
	f, err := tx.Failures(ctx, l.subject(name))
	if err != nil {
		return err
	}
	return tx.SetFailures(ctx, l.subject(name), Failures{Count: max(0, f.Count-1), At: f.At})
}

// clear forgets all failures.
func (l limit) clear(ctx context.Context, tx ThrottleTx, name string) error {
	return tx.SetFailures(ctx, l.subject(name), Failures{})
}

func throttled(wait time.Duration) error {
	minutes := int(math.Ceil(wait.Minutes()))
	unit := "minutos"
	if minutes == 1 {
		unit = "minuto"
	}
	return problem.New(problem.Throttled, fmt.Sprintf("Muitas tentativas sem sucesso. Tente de novo em %d %s.", minutes, unit))
}
