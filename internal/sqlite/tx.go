package sqlite

import (
	"context"
	"database/sql"
	"fmt"
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
}

// Exec runs a statement that returns no rows.
func (tx *Tx) Exec(ctx context.Context, query string, args ...any) (sql.Result, error) {
	if err := tx.flush(ctx); err != nil {
		return nil, err
	}
	return tx.exec(ctx, query, args)
}

func (tx *Tx) exec(ctx context.Context, query string, args []any) (sql.Result, error) {
	return tx.tx.ExecContext(tx.scope(ctx), query, texts(args)...)
}

// Query runs a statement that returns rows; the caller closes them before the
// transaction ends.
func (tx *Tx) Query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if err := tx.flush(ctx); err != nil {
		return nil, err
	}
	return tx.tx.QueryContext(tx.scope(ctx), query, texts(args)...)
}

// QueryRow runs a statement that returns at most one row.
func (tx *Tx) QueryRow(ctx context.Context, query string, args ...any) *sql.Row {
	if tx.flush(ctx) != nil {
		ctx = endedContext // WriteMany tells why
	}
	return tx.tx.QueryRowContext(tx.scope(ctx), query, texts(args)...)
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
	return unlessOutOfReach(fn(tx))
}
