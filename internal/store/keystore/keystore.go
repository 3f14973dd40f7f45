// Package keystore notes the ids of the keys that the desk's database rests
// on. It satisfies keyfile.Register.
package keystore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"

	"guiche/internal/keyfile"
	"guiche/internal/store/engine"
)

// Store notes keys. It is safe for concurrent use.
type Store struct{ db engine.DB }

var _ keyfile.Register = (*Store)(nil)

// New returns a store over an open database.
func New(db engine.DB) *Store { return &Store{db: db} }

// Uses implements keyfile.Register.
func (s *Store) Uses(ctx context.Context) (map[keyfile.Name]keyfile.Use, error) {
	return engine.Get(ctx, s.db, func(tx *engine.Tx) (map[keyfile.Name]keyfile.Use, error) {
		uses := map[keyfile.Name]keyfile.Use{}
		for _, name := range keyfile.Names() {
			id, err := InUse(ctx, tx, name)
			if err != nil {
				return nil, err
			}
			needed, err := s.needed(ctx, tx, name)
			if err != nil {
				return nil, err
			}
			uses[name] = keyfile.Use{ID: id, Needed: needed}
		}
		return uses, nil
	})
}

// restsOn finds whether anything stored rests on a key; without a query nothing is lost
// with the key.
var restsOn = map[keyfile.Name]string{
	keyfile.Audit: `SELECT EXISTS (SELECT 1 FROM audit_entry)`,
	keyfile.Seal:  `SELECT EXISTS (SELECT 1 FROM connection_secret)`,
}

func (s *Store) needed(ctx context.Context, tx *engine.Tx, name keyfile.Name) (some bool, err error) {
	query, ok := restsOn[name]
	if !ok {
		return false, nil
	}
	if name == keyfile.Audit && s.db.Shared() {
		query += ` OR EXISTS (SELECT 1 FROM audit_unlinked)` // entries that have no place in the chain yet
	}
	if err := tx.QueryRow(ctx, query).Scan(&some); err != nil {
		return false, fmt.Errorf("keystore: what rests on a key: %w", err)
	}
	return some, nil
}

// InUse returns the id of the key in use, "" where none was noted.
func InUse(ctx context.Context, tx *engine.Tx, name keyfile.Name) (id string, err error) {
	err = tx.QueryRow(ctx, `SELECT key_id FROM installation_key WHERE name = ? AND retired_at = 0`, string(name)).Scan(&id)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return "", fmt.Errorf("keystore: key in use: %w", err)
	}
	return id, nil
}

// Note implements keyfile.Register.
func (s *Store) Note(ctx context.Context, ids map[keyfile.Name]string) error {
	return s.db.Write(ctx, func(tx *engine.Tx) error {
		for _, name := range slices.Sorted(maps.Keys(ids)) {
			noted, err := InUse(ctx, tx, name)
			if err == nil && noted == "" {
				err = insert(ctx, tx, name, ids[name])
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

func insert(ctx context.Context, tx *engine.Tx, name keyfile.Name, id string) error {
	_, err := tx.Exec(ctx, `INSERT INTO installation_key (name, key_id, used_at) VALUES (?, ?, ?)`, string(name), id, engine.Micros(tx.Now))
	if err != nil {
		return fmt.Errorf("keystore: note: %w", err)
	}
	return nil
}

// Replace retires the key in use and notes another one in its place.
func Replace(ctx context.Context, tx *engine.Tx, name keyfile.Name, id string) error {
	_, err := tx.Exec(ctx, `UPDATE installation_key SET retired_at = ? WHERE name = ? AND retired_at = 0`,
		engine.Micros(tx.Now), string(name))
	if err != nil {
		return fmt.Errorf("keystore: retire: %w", err)
	}
	return insert(ctx, tx, name, id)
}

// Noted is a key as the database knows it.
type Noted struct {
	Name  keyfile.Name
	ID    string
	InUse bool
}

// List returns every key that was ever noted, by name, the one in use first.
func (s *Store) List(ctx context.Context) ([]Noted, error) {
	return engine.Get(ctx, s.db, func(tx *engine.Tx) ([]Noted, error) {
		return engine.List(ctx, tx, func(row engine.Row) (n Noted, err error) {
			err = row.Scan(&n.Name, &n.ID, &n.InUse)
			return n, err
		}, `SELECT name, key_id, retired_at = 0 FROM installation_key ORDER BY name, retired_at > 0, retired_at DESC`)
	})
}
