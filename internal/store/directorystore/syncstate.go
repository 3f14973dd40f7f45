package directorystore

import (
	"context"

	"guiche/internal/directory"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// Source implements directory.Store.
func (s *Store) Source(ctx context.Context) (string, error) {
	return engine.Get(ctx, s.db, func(tx *engine.Tx) (string, error) { return source(ctx, tx) })
}

// Source implements directory.Tx.
func (t *tx) Source(ctx context.Context) (string, error) { return source(ctx, t.Tx) }

// source is the service that the lists were last synchronised with, empty before the
// first time.
func source(ctx context.Context, tx *engine.Tx) (service string, err error) {
	err = tx.QueryRow(ctx, `SELECT coalesce((SELECT service FROM register_source), '')`).Scan(&service)
	return service, engine.Error(err)
}

// SetSyncStates implements directory.Tx.
func (t *tx) SetSyncStates(ctx context.Context, service string, s directory.SyncStates) error {
	before, err := t.Source(ctx)
	if err != nil {
		return err
	}
	if before != service {
		if err := t.forget(ctx, service); err != nil {
			return err
		}
	}
	for _, set := range []struct {
		query string
		of    map[uuid.UUID]directory.SyncState
	}{
		{`UPDATE care_unit SET standing = ? WHERE uid = ?`, s.Units},
		{`UPDATE care_point SET standing = ? WHERE uid = ?`, s.CarePoints},
		{`UPDATE professional SET standing = ? WHERE uid = ?`, s.Professionals},
	} {
		for uid, state := range set.of {
			if err := exec(ctx, t.Tx, set.query, int(state), engine.UID(uid)); err != nil {
				return err
			}
		}
	}
	return nil
}

// forget begins anew with another service.
func (t *tx) forget(ctx context.Context, service string) error {
	for _, query := range []string{
		`UPDATE care_unit SET standing = 0 WHERE standing <> 0`, `UPDATE care_point SET standing = 0 WHERE standing <> 0`,
		`UPDATE professional SET standing = 0 WHERE standing <> 0`,
	} {
		if err := exec(ctx, t.Tx, query); err != nil {
			return err
		}
	}
	return exec(ctx, t.Tx, `INSERT INTO register_source (id, service) VALUES (1, ?)
		ON CONFLICT (id) DO UPDATE SET service = excluded.service`, service)
}
