// Package reportstore finds cases for the history and keeps its filters in
// SQLite. It satisfies report.Store; the schema is
// migrations/desk/00005_history.sql.
package reportstore

import (
	"context"

	"guiche/internal/audit"
	"guiche/internal/report"
	"guiche/internal/sqlite"

	"github.com/google/uuid"
)

// Trail takes audit entries within the transaction of what they tell.
type Trail interface {
	Append(ctx context.Context, tx *sqlite.Tx, e audit.Entry) error
}

// Damage knows which cases are not as they were written.
type Damage interface {
	// DamagedCases picks those of some submissions of which what a list shows is damaged.
	DamagedCases(ctx context.Context, tx *sqlite.Tx, ids []int64) (map[int64]bool, error)
}

// Store reads the history. It is safe for concurrent use.
type Store struct {
	db    *sqlite.DB
	trail Trail
	cases Damage
}

var _ report.Store = (*Store)(nil)

// New returns a store over an open database.
func New(db *sqlite.DB, trail Trail, cases Damage) *Store {
	return &Store{db: db, trail: trail, cases: cases}
}

// AppendAudit commits an entry about something that was only read.
func (s *Store) AppendAudit(ctx context.Context, entry audit.Entry) error {
	return s.db.Write(ctx, func(tx *sqlite.Tx) error { return s.trail.Append(ctx, tx, entry) })
}

// has answers a SELECT EXISTS about an identifier.
func (s *Store) has(ctx context.Context, query string, uid uuid.UUID) (bool, error) {
	return sqlite.Get(ctx, s.db, func(tx *sqlite.Tx) (there bool, err error) {
		err = tx.QueryRow(ctx, query, sqlite.UID(uid)).Scan(&there)
		return there, sqlite.Error(err)
	})
}
