package directory

import "context"

// Replica keeps a copy of what requests refer to: an authorization service that
// has no other source for it.
type Replica interface {
	ReplicateUnit(ctx context.Context, u Unit) error
	ReplicateProfessional(ctx context.Context, p Professional) error
}

// ReplicateTo copies all units and professionals to a replica now, and each one
// after the commit of a change to it. It is called once, before the directory is
// used by others.
func (r *Directory) ReplicateTo(ctx context.Context, to Replica) error {
	r.replica = to
	units, err := r.store.Units(ctx)
	if err != nil {
		return err
	}
	for _, u := range units {
		if err := to.ReplicateUnit(ctx, u); err != nil {
			return err
		}
	}
	professionals, err := r.store.Professionals(ctx)
	if err != nil {
		return err
	}
	for _, p := range professionals {
		if err := to.ReplicateProfessional(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// replicate copies what was just committed, even when the request that did it was
// cancelled meanwhile. After an error the replica gets it at the next start.
func (r *Directory) replicate(ctx context.Context, e entry) error {
	if r.replica == nil || e.replicate == nil {
		return nil
	}
	return e.replicate(context.WithoutCancel(ctx), r.replica)
}
