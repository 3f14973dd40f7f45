// Package directorystore keeps the directory of units, professionals, procedures
// and credentials in the desk's database. It satisfies directory.Store.
package directorystore

import (
	"context"
	"database/sql"
	"slices"

	"guiche/internal/audit"
	"guiche/internal/directory"
	"guiche/internal/store/engine"
)

// Trail takes audit entries within the transaction of what they tell.
type Trail interface {
	Append(ctx context.Context, tx *engine.Tx, e audit.Entry) error
}

// Store keeps the directory. It is safe for concurrent use.
type Store struct {
	db    engine.DB
	trail Trail
}

var _ directory.Store = (*Store)(nil)

// New returns a store over an open database.
func New(db engine.DB, trail Trail) *Store { return &Store{db: db, trail: trail} }

// tx satisfies directory.Tx.
type tx struct {
	*engine.Tx
	trail Trail
}

// Write implements directory.Store.
func (s *Store) Write(ctx context.Context, fn func(directory.Tx) error) error {
	return s.db.Write(ctx, func(t *engine.Tx) error {
		t.Invalidate()
		return fn(&tx{Tx: t, trail: s.trail})
	})
}

// Append implements directory.Tx.
func (t *tx) Append(ctx context.Context, e audit.Entry) error { return t.trail.Append(ctx, t.Tx, e) }

// part is a row that belongs to another: a care point, a specialty.
type part[T any] struct {
	of    int64
	value T
}

// grouped gathers parts by what they belong to, by name without regard to case and accents.
func grouped[T any](parts []part[T], name func(T) string) map[int64][]T {
	of := make(map[int64][]T)
	for _, p := range parts {
		of[p.of] = append(of[p.of], p.value)
	}
	for _, all := range of {
		engine.SortByName(all, name)
	}
	return of
}

// copied is a kept list for somebody who may change it; own copies one entry.
func copied[T any](kept []T, own func(T) T) []T {
	all := slices.Clone(kept)
	for i, e := range all {
		all[i] = own(e)
	}
	return all
}

// one returns the only row that a query of list gave.
func one[T any](items []T, err error) (T, error) {
	if err == nil && len(items) == 0 {
		err = sql.ErrNoRows
	}
	if err != nil {
		var none T
		return none, engine.DamagedIfUnread(err)
	}
	return items[0], nil
}

// exec runs a statement whose result nobody needs.
func exec(ctx context.Context, tx *engine.Tx, query string, args ...any) error {
	_, err := tx.Exec(ctx, query, args...)
	return engine.Error(err)
}
