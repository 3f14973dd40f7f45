// Package reportstore finds cases for the history and keeps its filters in
// SQLite. It satisfies report.Store; the schema is
// migrations/desk/00005_history.sql.
package reportstore

import (
	"context"

	"guiche/internal/audit"
	"guiche/internal/report"
	"guiche/internal/sqlite"
)

// Trail takes audit entries within the transaction of what they tell.
type Trail interface {
	Append(ctx context.Context, tx *sqlite.Tx, e audit.Entry) error
}

// Store reads the history. It is safe for concurrent use.
type Store struct {
	db    *sqlite.DB
	trail Trail
}

var _ report.Store = (*Store)(nil)

// New returns a store over an open database.
func New(db *sqlite.DB, trail Trail) *Store { return &Store{db: db, trail: trail} }
