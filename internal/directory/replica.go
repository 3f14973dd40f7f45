package directory

import (
	"context"

	"golang.org/x/sync/errgroup"
)

// Replica keeps a copy of what requests refer to: an authorization service that
// has no other source for it.
type Replica interface {
	ReplicateUnit(ctx context.Context, u Unit) error
	ReplicateProfessional(ctx context.Context, p Professional) error
}

// atOnce is how many entries a replica is told at the same time: their commits are one.
const atOnce = 64

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
		all.Go(func() error { return to.ReplicateUnit(ctx, u) })
	}
	for _, p := range professionals {
		all.Go(func() error { return to.ReplicateProfessional(ctx, p) })
	}
	return all.Wait()
}

// replicate copies what was just committed, even when the request that did it was
// cancelled meanwhile. After an error the replica gets it at the next start.
func (r *Directory) replicate(ctx context.Context, e entry) error {
	if r.replica == nil || e.replicate == nil {
		return nil
	}
	return e.replicate(context.WithoutCancel(ctx), r.replica)
}
