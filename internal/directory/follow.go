package directory

import "context"

// Follower keeps a copy of what requests refer to: an authorization service that
// has no other source for it.
type Follower interface {
	FollowUnit(ctx context.Context, u Unit) error
	FollowProfessional(ctx context.Context, p Professional) error
}

// Follow tells f all units and professionals now, and each one after the commit
// of a change to it. It is called once, before the directory is used by others.
func (r *Directory) Follow(ctx context.Context, f Follower) error {
	r.follower = f
	units, err := r.store.Units(ctx)
	if err != nil {
		return err
	}
	for _, u := range units {
		if err := f.FollowUnit(ctx, u); err != nil {
			return err
		}
	}
	professionals, err := r.store.Professionals(ctx)
	if err != nil {
		return err
	}
	for _, p := range professionals {
		if err := f.FollowProfessional(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// tell tells the follower, if there is one, what was just committed, whoever has
// left meanwhile; an error means that it hears of it at the next start.
func (r *Directory) tell(ctx context.Context, e any) error {
	ctx = context.WithoutCancel(ctx)
	if r.follower == nil {
		return nil
	}
	switch e := e.(type) {
	case Unit:
		return r.follower.FollowUnit(ctx, e)
	case Professional:
		return r.follower.FollowProfessional(ctx, e)
	}
	return nil
}
