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
// are returned as they are; problem.NotFound says that it has neither list.
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
	var s synchronisation
	err = r.store.Write(ctx, func(tx Tx) error {
		here, err := read(ctx, tx, service)
		if err != nil {
			return err
		}
		s = compare(here, listed)
		return s.apply(ctx, tx, by.User, service, seen)
	})
	if err != nil {
		return Comparison{}, err
	}
	for _, step := range s.steps {
		r.replicate(ctx, step.after)
	}
	return s.Comparison, nil
}

// Synchronised reports of which directory the service listed anything that is known
// here.
func (r *Directory) Synchronised(ctx context.Context, from Lister) (units, professionals bool, err error) {
	here, err := read(ctx, r.store, from.Service())
	units = slices.ContainsFunc(here.units, func(u Unit) bool { return u.SyncState == Listed })
	professionals = slices.ContainsFunc(here.professionals, func(p Professional) bool { return p.SyncState == Listed })
	return units, professionals, err
}

// apply does what a person agreed to, within a transaction.
func (s synchronisation) apply(ctx context.Context, tx Tx, by uuid.UUID, service, seen string) error {
	now, err := s.Fingerprint()
	switch {
	case err != nil:
		return err
	case now != seen:
		return problem.New(problem.Conflict, "Os cadastros ou a lista do serviço mudaram desde então. Confira de novo.")
	case s.Empty():
		return nil
	}
	for _, step := range s.steps {
		if err := step.after.record(ctx, tx, by, step.event); err != nil {
			return err
		}
	}
	if err := tx.SetSyncStates(ctx, service, s.states); err != nil {
		return err
	}
	return tx.Append(ctx, audit.Entry{Actor: by, Event: audit.DirectorySynchronised, Object: audit.ObjectUnit, Detail: s.counts()})
}

// counts is what the audit trail keeps of it.
func (s synchronisation) counts() string {
	n := map[audit.Event]int{}
	for _, c := range slices.Concat(s.Units.Changes, s.Professionals.Changes) {
		n[c.Event]++
	}
	return fmt.Sprintf("unidades=%d executantes=%d novos=%d alterados=%d desativados=%d reativados=%d", s.Units.Listed, s.Professionals.Listed,
		n[audit.DirectoryAdded], n[audit.DirectoryChanged], n[audit.DirectoryDisabled], n[audit.DirectoryEnabled])
}
