package admin

import (
	"context"
	"fmt"
	"slices"

	"guiche/internal/password"
	"guiche/internal/problem"
	"guiche/internal/service/access"

	"github.com/google/uuid"
)

// EnsureProfile adds a profile; one with the same ID stays as it is.
func (a *Admin) EnsureProfile(ctx context.Context, p access.Profile) error {
	return a.access.EnsureProfile(ctx, trimProfile(p))
}

// PutProfile adds a profile or replaces the one with the same ID. Disabling one ends
// its tokens at once and for good; its keys, users and clients come in again when it
// is enabled.
func (a *Admin) PutProfile(ctx context.Context, p access.Profile) error {
	return a.access.PutProfile(ctx, trimProfile(p))
}

// ChangeProfile puts in place of a profile what change makes of it as it stands by then: what
// somebody else did meanwhile, such as disabling it, is not undone unseen. An error of change
// leaves it so. change may run more than once.
func (a *Admin) ChangeProfile(ctx context.Context, id uuid.UUID, change func(access.Profile) (access.Profile, error)) error {
	return a.access.ChangeProfile(ctx, id, func(kept access.Profile) (access.Profile, error) {
		p, err := change(kept)
		return trimProfile(p), err
	})
}

// Profiles lists all profiles by name.
func (a *Admin) Profiles(ctx context.Context) ([]access.Profile, error) {
	return a.access.Profiles(ctx)
}

// Profile returns one profile, or problem.NotFound.
func (a *Admin) Profile(ctx context.Context, id uuid.UUID) (access.Profile, error) {
	all, err := a.access.Profiles(ctx)
	if err != nil {
		return access.Profile{}, err
	}
	i := slices.IndexFunc(all, func(p access.Profile) bool { return p.ID == id })
	if i < 0 {
		return access.Profile{}, fmt.Errorf("admin: profile %s: %w", id, problem.New(problem.NotFound, ""))
	}
	return all[i], nil
}

// CheckProfile refuses a profile that must not be kept: problem.Invalid about
// "nome", "metodos", "escopos" and "limite", problem.Conflict for the desk's own,
// which stays as it is.
func (a *Admin) CheckProfile(ctx context.Context, p access.Profile) error {
	if p.Permanent() {
		return errPermanent()
	}
	p = trimProfile(p)
	all, err := a.access.Profiles(ctx)
	if err != nil {
		return err
	}
	fields := p.Problems()
	if nameTaken(all, p) {
		fields = append(fields, problem.Field{Path: "nome", Code: "repetido", Message: "Já existe um parceiro com este nome."})
	}
	return problem.InvalidFields(fields)
}

// nameTaken reports whether p comes to be called as another profile, but for case, accents and
// spaces, by which nobody would tell them apart. What is called so already may stay.
func nameTaken(all []access.Profile, p access.Profile) bool {
	name, taken := password.Fold(p.Name), false
	for _, o := range all {
		alike := password.Fold(o.Name) == name
		if alike && o.ID == p.ID {
			return false
		}
		taken = taken || alike
	}
	return taken
}

// CheckOpen refuses to change who may come in as the desk itself.
func (a *Admin) CheckOpen(p access.Profile) error {
	if p.Permanent() {
		return errPermanent()
	}
	return nil
}

func errPermanent() error {
	return problem.New(problem.Conflict, "Este é o acesso do próprio Guichê: ele se renova a cada início e não muda aqui.")
}
