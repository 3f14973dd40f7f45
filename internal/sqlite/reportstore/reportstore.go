// Package reportstore finds cases for the history and keeps its filters in
// SQLite. It satisfies report.Store; the schema is
// migrations/desk/00005_history.sql.
package reportstore

import (
	"context"
	"database/sql"

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

// list runs a query and scans each row.
func list[T any](ctx context.Context, tx *sqlite.Tx, scan func(*sql.Rows) (T, error), query string, args ...any) ([]T, error) {
	rows, err := tx.Query(ctx, query, args...)
	if err != nil {
		return nil, sqlite.Error(err)
	}
	defer func() { _ = rows.Close() }() // Err below tells what went wrong
	var all []T
	for rows.Next() {
		item, err := scan(rows)
		if err != nil {
			return nil, sqlite.Error(err)
		}
		all = append(all, item)
	}
	return all, sqlite.Error(rows.Err())
}
