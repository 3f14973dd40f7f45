// Package accountstore keeps the people of package account in the desk's database.
package accountstore

import (
	"context"
	"time"

	"guiche/internal/account"
	"guiche/internal/audit"
	"guiche/internal/store/engine"
)

// Trail is where entries go, in the transaction of what they tell.
type Trail interface {
	Append(ctx context.Context, tx *engine.Tx, e audit.Entry) error
}

// Store satisfies account.Store.
type Store struct {
	db    engine.DB
	trail Trail
}

// New returns the store.
func New(db engine.DB, trail Trail) *Store { return &Store{db: db, trail: trail} }

// Read implements account.Store.
func (s *Store) Read(ctx context.Context, fn func(account.Tx) error) error {
	return s.db.Read(ctx, func(t *engine.Tx) error { return fn(&tx{Tx: t, trail: s.trail}) })
}

// Write implements account.Store.
func (s *Store) Write(ctx context.Context, fn func(account.Tx) error) error {
	return s.db.Write(ctx, func(t *engine.Tx) error { return fn(&tx{Tx: t, trail: s.trail}) })
}

// tx satisfies account.Tx.
type tx struct {
	*engine.Tx
	trail Trail
}

// Now implements account.Tx.
func (t *tx) Now() time.Time { return t.Tx.Now }

// Append implements account.Tx.
func (t *tx) Append(ctx context.Context, e audit.Entry) error { return t.trail.Append(ctx, t.Tx, e) }

// run executes a statement whose effect needs no counting.
func (t *tx) run(ctx context.Context, query string, args ...any) error {
	_, err := t.Exec(ctx, query, args...)
	return engine.Error(err)
}
