// Package reportstore finds cases for the history and keeps its filters in
// SQLite. It satisfies report.Store; what is listed is package caselist's.
package reportstore

import (
	"context"

	"guiche/internal/audit"
	"guiche/internal/report"
	"guiche/internal/sqlite"
	"guiche/internal/store/checksum"

	"github.com/google/uuid"
)

// Trail takes audit entries within the transaction of what they tell.
type Trail interface {
	Append(ctx context.Context, tx *sqlite.Tx, e audit.Entry) error
}

// Damage is told of rows that are not as they were written.
type Damage interface {
	Found(row checksum.Row)
}

// Store reads the history. It is safe for concurrent use.
type Store struct {
	db    *sqlite.DB
	trail Trail
	cases Damage
}

// damaged tells of a damaged row.
func (s *Store) damaged(row checksum.Row) { s.cases.Found(row) }

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
