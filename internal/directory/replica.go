package directory

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"
)

// Replica keeps a copy of what requests refer to: an authorization service that
// has no other source for it.
type Replica interface {
	ReplicateUnit(ctx context.Context, u Unit) error
	ReplicateProfessional(ctx context.Context, p Professional) error
}

const (
	// atOnce is how many entries a replica is told at the same time: their commits are one.
	atOnce = 64

	// The pauses after a replica could not be told.
	firstAgain = 100 * time.Millisecond
	lastAgain  = 10 * time.Second
)

// ReplicateTo copies all units and professionals to a replica now, and each one
// after the commit of a change to it. It is called once, before the directory is
// used by others.
func (r *Directory) ReplicateTo(ctx context.Context, to Replica) error {
	r.replica = to
	units, err := r.store.Units(ctx)
	if err != nil {
		return err
	}
	professionals, err := r.store.Professionals(ctx)
	if err != nil {
		return err
	}
	all, ctx := errgroup.WithContext(ctx)
	all.SetLimit(atOnce)
	for _, u := range units {
		all.Go(func() error { return r.replicateUnit(ctx, u) })
	}
	for _, p := range professionals {
		all.Go(func() error { return r.replicateProfessional(ctx, p) })
	}
	return all.Wait()
}

// CatchUp copies what the replica could not be told when it changed, until ctx is
// done. late is told of the first of several tries that failed.
func (r *Directory) CatchUp(ctx context.Context, late func(error)) {
	for again := firstAgain; ctx.Err() == nil; {
		err := r.behind.tell(ctx)
		if err == nil {
			again = firstAgain
			r.behind.wait(ctx)
			continue
		}
		if again == firstAgain && ctx.Err() == nil {
			late(err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(again):
		}
		again = min(2*again, lastAgain)
	}
}

// replicate copies what was just committed, even when the request that did it was
// cancelled meanwhile. That it is committed is what its person has to know: what the
// replica cannot be told now is left to CatchUp.
func (r *Directory) replicate(ctx context.Context, e entry) {
	if r.replica == nil || e.replicate == nil {
		return
	}
	tell := func(ctx context.Context) error { return e.replicate(ctx, r) }
	if err := tell(context.WithoutCancel(ctx)); err != nil {
		r.behind.add(e.uid, tell)
	}
}

func (r *Directory) replicateUnit(ctx context.Context, u Unit) error {
	return follow(ctx, u, r.replica.ReplicateUnit, func(ctx context.Context) (Unit, error) { return r.store.Unit(ctx, u.UID) })
}

func (r *Directory) replicateProfessional(ctx context.Context, p Professional) error {
	return follow(ctx, p, r.replica.ReplicateProfessional,
		func(ctx context.Context) (Professional, error) { return r.store.Professional(ctx, p.UID) })
}

// follow tells of an entry until it is the same afterwards: of two changes at once, here or
// in another process, whoever tells last has read the later one.
func follow[T interface{ same(T) bool }](ctx context.Context, now T, tell func(context.Context, T) error,
	read func(context.Context) (T, error)) error {
	for {
		if err := tell(ctx, now); err != nil {
			return err
		}
		told := now
		var err error
		if now, err = read(ctx); err != nil || now.same(told) {
			return err
		}
	}
}

// behind is what a replica is still to be told, by the identifiers of the entries.
type behind struct {
	mu   sync.Mutex
	left map[uuid.UUID]func(context.Context) error
	came chan struct{}
}

func newBehind() behind {
	return behind{left: map[uuid.UUID]func(context.Context) error{}, came: make(chan struct{}, 1)}
}

// add keeps what could not be told.
func (b *behind) add(uid uuid.UUID, tell func(context.Context) error) {
	b.mu.Lock()
	b.left[uid] = tell
	b.mu.Unlock()
	select {
	case b.came <- struct{}{}:
	default: // it will be looked at
	}
}

// wait waits until something is added, or ctx is done.
func (b *behind) wait(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-b.came:
	}
}

// tell tells all that is left, and keeps what could not be told.
func (b *behind) tell(ctx context.Context) error {
	b.mu.Lock()
	left := b.left
	b.left = map[uuid.UUID]func(context.Context) error{}
	b.mu.Unlock()
	var failed error
	for uid, tell := range left {
		if err := tell(ctx); err != nil {
			b.add(uid, tell)
			failed = errors.Join(failed, err)
		}
	}
	return failed
}
