// Package reportstore finds cases for the history and keeps its filters. It satisfies
// report.Store; what is listed is package caselist's.
package reportstore

import (
	"context"

	"guiche/internal/audit"
	"guiche/internal/report"
	"guiche/internal/store/checksum"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// Trail takes audit entries within the transaction of what they tell.
type Trail interface {
	Append(ctx context.Context, tx *engine.Tx, e audit.Entry) error
}

// Damage is told of rows that are not as they were written.
type Damage interface {
	Found(row checksum.Row)
}

// Store reads the history. It is safe for concurrent use.
type Store struct {
	db    engine.DB
	trail Trail
	cases Damage
}

// damaged tells of a damaged row.
func (s *Store) damaged(row checksum.Row) { s.cases.Found(row) }

var _ report.Store = (*Store)(nil)

// New returns a store over an open database.
func New(db engine.DB, trail Trail, cases Damage) *Store {
	return &Store{db: db, trail: trail, cases: cases}
}

// AppendAudit commits an entry about something that was only read.
func (s *Store) AppendAudit(ctx context.Context, entry audit.Entry) error {
	return s.db.Write(ctx, func(tx *engine.Tx) error { return s.trail.Append(ctx, tx, entry) })
}

// has answers a SELECT EXISTS about an identifier.
func (s *Store) has(ctx context.Context, query string, uid uuid.UUID) (bool, error) {
	return engine.Get(ctx, s.db, func(tx *engine.Tx) (there bool, err error) {
		err = tx.QueryRow(ctx, query, engine.UID(uid)).Scan(&there)
		return there, engine.Error(err)
	})
}
