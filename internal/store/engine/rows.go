package engine

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"slices"
)

// Rows are what a query returned, read one after the other.
type Rows struct {
	tx     *Tx
	ctx    context.Context // of the query
	found  Cursor
	dest   []any // of Scan
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
	return r.tx.orEnded(r.ctx, r.found.Next())
}

// Scan copies the columns of the row at hand.
func (r *Rows) Scan(dest ...any) error {
	r.dest = append(r.dest[:0], dest...) // so that the caller's list need not be put on the heap
	return r.scan(r.dest)
}

func (r *Rows) scan(dest []any) error {
	if r.closed {
		return cmp.Or(r.err, errNoRow)
	}
	return r.found.Scan(dest)
}

// Values are the columns of a row that was read before.
type Values []driver.Value

// Scan implements Row.
func (v Values) Scan(dest ...any) error { return ScanValues(v, dest) }

var errNoRow = errors.New("database: there is no row at hand")

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

// eachRow is the row at hand of many, for a caller whose lists are on the heap already.
type eachRow Rows

// Scan implements Row.
func (r *eachRow) Scan(dest ...any) error { return (*Rows)(r).scan(dest) }

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
	return cmp.Or(o.rows.scan(dest), o.rows.Close())
}
