package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"slices"
)

// Rows are what a query returned, read one after the other. They are those of database/sql
// without its goroutine for each query.
type Rows struct {
	tx     *Tx
	ctx    context.Context //nolint:containedctx // of the query
	found  driver.Rows
	values []driver.Value // of the row at hand
	err    error
	closed bool
}

// Next reads the next row, and returns false behind the last one or when reading failed.
func (r *Rows) Next() bool {
	if r.closed {
		return false
	}
	err := r.next()
	if err == nil {
		return true
	}
	if !errors.Is(err, io.EOF) {
		r.err = err
	}
	r.err = cmp.Or(r.err, r.Close())
	return false
}

func (r *Rows) next() error {
	if err := r.ctx.Err(); err != nil && !r.tx.write {
		return err
	}
	return r.tx.orEnded(r.ctx, r.found.Next(r.values))
}

// Scan copies the columns of the row at hand.
func (r *Rows) Scan(dest ...any) error {
	if r.closed {
		return cmp.Or(r.err, errNoRow)
	}
	return scan(r.values, dest)
}

func scan(values []driver.Value, dest []any) error {
	if len(dest) != len(values) {
		return fmt.Errorf("sqlite: %d columns into %d variables", len(values), len(dest))
	}
	for i, value := range values {
		if err := assign(dest[i], value); err != nil {
			return fmt.Errorf("sqlite: column %d: %w", i+1, err)
		}
	}
	return nil
}

// Values are the columns of a row that was read before.
type Values []driver.Value

// Scan implements Row.
func (v Values) Scan(dest ...any) error { return scan(v, dest) }

var errNoRow = errors.New("sqlite: there is no row at hand")

// Err returns why reading ended before the last row, if it did.
func (r *Rows) Err() error { return r.err }

// Close ends reading. Further calls do nothing.
func (r *Rows) Close() error {
	if r.closed {
		return nil
	}
	r.closed = true
	if at := slices.Index(r.tx.open, r); at >= 0 {
		r.tx.open = slices.Delete(r.tx.open, at, at+1)
	}
	return r.found.Close()
}

// oneRow is the first row of a query, or why there is none.
type oneRow struct {
	rows *Rows
	err  error
}

// Scan implements Row: sql.ErrNoRows without one.
func (o oneRow) Scan(dest ...any) error {
	if o.err != nil {
		return o.err
	}
	if !o.rows.Next() {
		return cmp.Or(o.rows.Err(), sql.ErrNoRows)
	}
	return cmp.Or(o.rows.Scan(dest...), o.rows.Close())
}
