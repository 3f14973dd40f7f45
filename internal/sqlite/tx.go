package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"sync/atomic"
	"time"
)

// Tx is one transaction (or one job's part of a group's transaction). It ends
// with the function it was given to.
type Tx struct {
	Now time.Time // UTC, microseconds, the same through the whole transaction; who writes the past sets it

	tx    *sql.Tx
	write bool
	ended atomic.Bool
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
	if err := tx.aborted(); err != nil {
		return nil, err
	}
	result, err := tx.tx.ExecContext(tx.scope(ctx), query, texts(args)...)
	return result, tx.noted(err)
}

// Query runs a statement that returns rows; the caller closes them before the
// transaction ends.
func (tx *Tx) Query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if err := tx.flush(ctx); err != nil {
		return nil, err
	}
	if err := tx.aborted(); err != nil {
		return nil, err
	}
	rows, err := tx.tx.QueryContext(tx.scope(ctx), query, texts(args)...)
	return rows, tx.noted(err)
}

// QueryRow runs a statement that returns at most one row.
func (tx *Tx) QueryRow(ctx context.Context, query string, args ...any) *sql.Row {
	if tx.flush(ctx) != nil || tx.failed != nil {
		ctx = endedContext // who gave the function tells why
	}
	row := tx.tx.QueryRowContext(tx.scope(ctx), query, texts(args)...)
	_ = tx.noted(row.Err())
	return row
}

var endedContext = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()

// scope returns the context for one statement. An interrupted write makes SQLite
// roll back the whole transaction, other people's jobs included, so a write looks
// at its context before each statement and never within one. A transaction kept
// beyond its function answers context.Canceled.
func (tx *Tx) scope(ctx context.Context) context.Context {
	switch {
	case tx.ended.Load():
		return endedContext
	case tx.write && ctx.Err() == nil:
		return context.WithoutCancel(ctx)
	default:
		return ctx
	}
}

// Read runs fn in a read-only snapshot: all it reads is of one moment, and it
// waits for no writer. A write in it fails. A database that is out of reach is
// problem.Busy.
//
// fn may run again, as Write says.
func (db *DB) Read(ctx context.Context, fn func(*Tx) error) error {
	sqlTx, err := db.reader.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return unlessOutOfReach(fmt.Errorf("sqlite: begin read: %w", err))
	}
	tx := &Tx{Now: db.now(), tx: sqlTx}
	defer func() {
		tx.ended.Store(true)
		_ = sqlTx.Rollback() // nothing was written; a cancelled ctx has ended it already
	}()
	if db.strict {
		fn = rehearsed(fn)
	}
	return unlessOutOfReach(fn(tx))
}
