package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"slices"
	"sync/atomic"
	"time"
)

// Tx is one transaction (or one job's part of a group's transaction). It ends
// with the function it was given to, and the rows that are still open with it.
type Tx struct {
	Now time.Time // UTC, microseconds, the same through the whole transaction; who writes the past sets it

	conn  *conn
	write bool
	ended atomic.Bool
	open  []*Rows
	many  *inserts // of WriteMany
	undo  []func() // see OnRollback

	strict bool  // see Options.Strict
	failed error // of a statement, in a strict transaction
}

// OnRollback has fn called when what the transaction's function did is taken back: because it
// failed, because the commit did, or because it runs again. It is for what a function does
// in memory.
func (tx *Tx) OnRollback(fn func()) { tx.undo = append(tx.undo, fn) }

// takenBack calls what OnRollback was given, the last one first.
func (tx *Tx) takenBack() {
	for _, undo := range slices.Backward(tx.undo) {
		undo()
	}
	tx.undo = nil
}

// Exec runs a statement that returns no rows.
func (tx *Tx) Exec(ctx context.Context, query string, args ...any) (sql.Result, error) {
	if err := tx.flush(ctx); err != nil {
		return nil, err
	}
	return tx.exec(ctx, query, args)
}

func (tx *Tx) exec(ctx context.Context, query string, args []any) (sql.Result, error) {
	values, err := tx.ready(ctx, args)
	if err != nil {
		return nil, tx.noted(err)
	}
	result, err := tx.conn.ExecContext(context.Background(), query, values)
	return result, tx.noted(tx.orEnded(ctx, err))
}

// DeleteCopies runs a statement that deletes what lies beside the database as well, in files
// that stay. Pages that come free with it are not overwritten until they are used again: with
// secure_delete every one of them would be written to the log once more.
func (tx *Tx) DeleteCopies(ctx context.Context, query string, args ...any) error {
	if _, err := tx.Exec(ctx, "PRAGMA secure_delete = FAST"); err != nil {
		return Error(err)
	}
	_, err := tx.Exec(ctx, query, args...)
	// Whatever became of the statement: the next one may delete what lies nowhere else.
	_, restored := tx.conn.session.ExecContext(context.Background(), "PRAGMA secure_delete = ON", nil)
	return Error(cmp.Or(err, restored))
}

// Query runs a statement that returns rows.
func (tx *Tx) Query(ctx context.Context, query string, args ...any) (*Rows, error) {
	if err := tx.flush(ctx); err != nil {
		return nil, err
	}
	values, err := tx.ready(ctx, args)
	if err != nil {
		return nil, tx.noted(err)
	}
	found, err := tx.conn.QueryContext(context.Background(), query, values)
	if err != nil {
		return nil, tx.noted(tx.orEnded(ctx, err))
	}
	rows := &Rows{tx: tx, ctx: ctx, found: found, values: make([]driver.Value, len(found.Columns()))}
	tx.open = append(tx.open, rows)
	return rows, nil
}

// QueryRow runs a statement that returns at most one row.
func (tx *Tx) QueryRow(ctx context.Context, query string, args ...any) Row {
	rows, err := tx.Query(ctx, query, args...)
	return oneRow{rows, err}
}

// ready returns the values of a statement that may run. It looks at the context before
// each: an interrupted write makes SQLite roll back the whole transaction, other people's
// jobs included, so a write is not interrupted within one. A transaction kept beyond
// its function answers context.Canceled.
func (tx *Tx) ready(ctx context.Context, args []any) ([]driver.NamedValue, error) {
	if err := tx.aborted(); err != nil {
		return nil, err
	}
	if tx.ended.Load() {
		return nil, context.Canceled
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return tx.conn.values(args)
}

// orEnded returns the end of the context as what failed a statement that it interrupted.
func (tx *Tx) orEnded(ctx context.Context, err error) error {
	if err != nil && !tx.write && ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// end closes what the function left open.
func (tx *Tx) end() {
	tx.ended.Store(true)
	for _, rows := range slices.Clone(tx.open) {
		rows.err = context.Canceled
		_ = rows.Close() // nobody reads them
	}
}

// Read runs fn in a read-only snapshot: all it reads is of one moment, and it
// waits for no writer. A write in it fails. A database that is out of reach is
// problem.Busy.
//
// fn may run again, as Write says.
func (db *DB) Read(ctx context.Context, fn func(*Tx) error) error {
	if db.strict {
		fn = rehearsed(fn)
	}
	if tx, ok := ctx.Value(sharedRead{db}).(*Tx); ok {
		return fn(tx)
	}
	return unlessOutOfReach(using(ctx, db.reader, func(c *conn) error { return db.readWith(ctx, c, fn) }))
}

// readWith runs fn in a read-only transaction of a connection.
func (db *DB) readWith(ctx context.Context, c *conn, fn func(*Tx) error) error {
	began, err := c.BeginTx(ctx, driver.TxOptions{ReadOnly: true})
	if err != nil {
		return fmt.Errorf("sqlite: begin read: %w", err)
	}
	tx := &Tx{Now: db.now(), conn: c}
	letGo := c.interruptAfter(ctx)
	defer func() {
		letGo()
		tx.end()
		_ = began.Rollback() // nothing was written
	}()
	return fn(tx)
}

// sharedRead is the key of the transaction that reads of a database share.
type sharedRead struct{ db *DB }

// ReadTogether runs fn with a context under which all that is read of the database is of one
// moment: to begin a transaction costs as much as a short query. Under that context nothing
// is read at the same time, and what is written meanwhile is not seen.
func (db *DB) ReadTogether(ctx context.Context, fn func(context.Context) error) error {
	if _, ok := ctx.Value(sharedRead{db}).(*Tx); ok {
		return fn(ctx)
	}
	return unlessOutOfReach(using(ctx, db.reader, func(c *conn) error {
		return db.readWith(ctx, c, func(tx *Tx) error { return fn(context.WithValue(ctx, sharedRead{db}, tx)) })
	}))
}
