package engine

import (
	"context"
	"errors"

	"guiche/internal/problem"
)

// Get runs fn over a snapshot and hands on what it returns.
func Get[T any](ctx context.Context, db DB, fn func(*Tx) (T, error)) (result T, err error) {
	err = db.Read(ctx, func(tx *Tx) (err error) {
		result, err = fn(tx)
		return err
	})
	return result, err
}

// Row is what a query returned, one row or the one at hand of many.
type Row interface{ Scan(dest ...any) error }

// List runs a query and scans each row; errors are as Error returns them.
func List[T any](ctx context.Context, tx *Tx, scan func(Row) (T, error), query string, args ...any) ([]T, error) {
	rows, err := tx.Query(ctx, query, args...)
	if err != nil {
		return nil, Error(err)
	}
	defer func() { _ = rows.Close() }() // Err below tells what went wrong
	var all []T
	for rows.Next() {
		item, err := scan((*eachRow)(rows))
		if err != nil {
			return nil, Error(err)
		}
		all = append(all, item)
	}
	return all, Error(rows.Err())
}

// OrDamaged scans the rows of a list that goes on where one cannot be read: damaged makes of what was read of that one
// what the list tells of it.
func OrDamaged[T any](scan func(Row) (T, error), damaged func(T) T) func(Row) (T, error) {
	return func(row Row) (T, error) {
		item, err := scan(row)
		if errors.Is(err, problem.ErrUnread) {
			return damaged(item), nil
		}
		return item, err
	}
}
