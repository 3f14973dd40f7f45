package servicestore

import (
	"context"

	"guiche/internal/problem"
	"guiche/internal/service"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// References implements service.DirectoryStore.
func (s *Store) References(ctx context.Context, credential, unit, professional uuid.UUID) (found service.References, err error) {
	err = s.read(ctx, func(tx *engine.Tx) (err error) {
		found.Credential, err = named(credential, func(c choice) (service.Credential, error) {
			found, err := s.findCredential(ctx, tx, c.where, c.args...)
			return found, engine.Error(err)
		})
		if err != nil {
			return err
		}
		found.Unit, err = named(unit, func(c choice) (service.Unit, error) { return one(s.unitsIn(ctx, tx, c)) })
		if err != nil {
			return err
		}
		found.Professional, err = named(professional, func(c choice) (service.Professional, error) {
			return one(s.professionalsIn(ctx, tx, c))
		})
		return err
	})
	return found, err
}

// named finds an entry by its uid, the zero value for none.
func named[T any](id uuid.UUID, find func(choice) (T, error)) (entry T, err error) {
	if id == uuid.Nil {
		return entry, nil
	}
	found, err := find(alone(id))
	if problem.Is(err, problem.NotFound) {
		return entry, nil
	}
	return found, err
}
