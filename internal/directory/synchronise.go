package directory

import (
	"context"
	"fmt"
	"slices"

	"guiche/internal/audit"
	"guiche/internal/permission"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// Compare says what Synchronise would do, and does nothing. Errors of the service
// pass as they are; problem.NotFound says that it has neither list.
func (r *Directory) Compare(ctx context.Context, from Lister) (Comparison, error) {
	listed, err := ask(ctx, from)
	if err != nil {
		return Comparison{}, err
	}
	here, err := read(ctx, r.store, from.Service())
	if err != nil {
		return Comparison{}, err
	}
	return compare(here, listed).Comparison, nil
}

// Synchronise takes units and professionals from the service, with its identifiers,
// all or nothing: new ones come in, changed ones follow, and what it listed once and
// no longer lists is switched off. What it never listed stays. seen is the
// fingerprint of the comparison that the person agreed to: where it would do
// something else by now, it does nothing and is problem.Conflict.
func (r *Directory) Synchronise(ctx context.Context, by permission.Actor, from Lister, seen string) (Comparison, error) {
	if err := by.Require(permission.ManageDirectory); err != nil {
		return Comparison{}, err
	}
	service := from.Service()
	listed, err := ask(ctx, from)
	if err != nil {
		return Comparison{}, err
	}
	var w work
	err = r.store.Write(ctx, func(tx Tx) error {
		here, err := read(ctx, tx, service)
		if err != nil {
			return err
		}
		w = compare(here, listed)
		return w.do(ctx, tx, by.User, service, seen)
	})
	if err != nil {
		return Comparison{}, err
	}
	for _, a := range w.acts {
		if err := r.tell(ctx, a.after); err != nil {
			return Comparison{}, err
		}
	}
	return w.Comparison, nil
}

// Synchronised reports of which directory the service listed anything that is known
// here.
func (r *Directory) Synchronised(ctx context.Context, from Lister) (units, professionals bool, err error) {
	here, err := read(ctx, r.store, from.Service())
	units = slices.ContainsFunc(here.units, func(u Unit) bool { return u.Standing == Listed })
	professionals = slices.ContainsFunc(here.professionals, func(p Professional) bool { return p.Standing == Listed })
	return units, professionals, err
}

func (w work) do(ctx context.Context, tx Tx, by uuid.UUID, service, seen string) error {
	now, err := w.Fingerprint()
	switch {
	case err != nil:
		return err
	case now != seen:
		return problem.New(problem.Conflict, "Os cadastros ou a lista do serviço mudaram desde então. Confira de novo.")
	case w.Nothing():
		return nil
	}
	for _, a := range w.acts {
		if err := a.do(ctx, tx, by); err != nil {
			return err
		}
	}
	if err := tx.SetStandings(ctx, service, w.standings); err != nil {
		return err
	}
	return tx.Append(ctx, audit.Entry{Actor: by, Event: audit.DirectorySynchronised, Object: audit.ObjectUnit, Detail: w.counts()})
}

// counts is what the trail keeps of it.
func (w work) counts() string {
	n := map[audit.Event]int{}
	for _, c := range append(w.Units.Changes[:len(w.Units.Changes):len(w.Units.Changes)], w.Professionals.Changes...) {
		n[c.Event]++
	}
	return fmt.Sprintf("unidades=%d executantes=%d novos=%d alterados=%d desativados=%d reativados=%d", w.Units.Listed, w.Professionals.Listed,
		n[audit.DirectoryAdded], n[audit.DirectoryChanged], n[audit.DirectoryDisabled], n[audit.DirectoryEnabled])
}
