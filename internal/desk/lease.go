package desk

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"guiche/internal/problem"

	"github.com/google/uuid"
)

// LeaseStore keeps which processes send.
type LeaseStore interface {
	// HoldLease makes the lease hold until then; problem.Conflict when another process
	// ended it.
	HoldLease(ctx context.Context, lease uuid.UUID, until time.Time) error
	// TakeOver ends the leases of other processes that ran out, all others where this
	// process is the only one, and puts their attempts under the lease.
	TakeOver(ctx context.Context, lease uuid.UUID, only bool) ([]Orphan, error)
}

// lease is this process's right to send. It ends by itself: a process that was
// suspended, or could not renew it, begins nothing until it holds it again.
type lease struct {
	mu    sync.Mutex
	id    uuid.UUID
	until time.Time // of the desk's clock; monotonic where that is
}

// errLeaseLost keeps the first byte of an attempt from leaving.
var errLeaseLost = errors.New("desk: the lease ran out")

// newLease returns a lease that is not held yet.
func newLease() (*lease, error) {
	id, err := uuid.NewRandom()
	if err != nil {
		return nil, fmt.Errorf("desk: lease: %w", err)
	}
	return &lease{id: id}, nil
}

func (l *lease) current() uuid.UUID {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.id
}

// holds reports whether attempts under the id may begin.
func (l *lease) holds(id uuid.UUID, now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.id == id && now.Before(l.until)
}

// left is how long the lease still holds.
func (l *lease) left(now time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.until.Sub(now)
}

func (l *lease) set(id uuid.UUID, until time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.id, l.until = id, until
}

// holdLease renews the lease when half of it is over. One that another process ended is
// followed by a new one: what was under it is no longer this process's.
func (d *Desk) holdLease(ctx context.Context) error {
	now := d.config.Clock() // before the commit: what a slow one takes is lost, not won
	if left := d.lease.left(now); d.config.LeaseTime/2 < left && left <= d.config.LeaseTime {
		return nil
	}
	id := d.lease.current()
	until := now.Add(d.config.LeaseTime)
	err := d.config.Store.HoldLease(ctx, id, until.UTC())
	if problem.Is(err, problem.Conflict) {
		if id, err = uuid.NewRandom(); err == nil {
			err = d.config.Store.HoldLease(ctx, id, until.UTC())
		}
	}
	if err != nil {
		return fmt.Errorf("desk: lease: %w", err)
	}
	d.lease.set(id, until)
	return nil
}

// keepLease renews the lease until ctx is done: requests are on the wire longer than it
// holds.
func (d *Desk) keepLease(ctx context.Context) {
	tick := time.NewTicker(d.config.LeaseTime / 4)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		if err := d.holdLease(ctx); err != nil && ctx.Err() == nil {
			d.config.Logger.ErrorContext(ctx, "renew the lease", "error", err)
		}
	}
}

// mayBegin is asked last before the first byte of an attempt leaves. A lease that ran out
// is good still when nobody took it over.
func (d *Desk) mayBegin(ctx context.Context, c Claim) error {
	if d.lease.holds(c.Lease, d.config.Clock()) {
		return nil
	}
	if err := d.holdLease(ctx); err != nil {
		return err
	}
	if !d.lease.holds(c.Lease, d.config.Clock()) {
		return errLeaseLost
	}
	return nil
}
