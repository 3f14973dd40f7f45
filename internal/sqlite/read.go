package sqlite

import (
	"context"
	"database/sql/driver"
	"fmt"

	"guiche/internal/store/engine"
)

// Read implements engine.DB. A snapshot waits for no writer.
func (db *DB) Read(ctx context.Context, fn func(*engine.Tx) error) error {
	if db.strict {
		fn = engine.Rehearsed(ctx, fn)
	}
	if tx, ok := ctx.Value(sharedRead{db}).(*engine.Tx); ok {
		return fn(tx)
	}
	if r := db.readingOf(ctx); r != nil {
		return db.outcome(r.run(ctx, fn))
	}
	return db.outcome(using(ctx, db.reader, func(c *conn) error { return db.readWith(ctx, c, fn) }))
}

// readWith runs fn in a read-only transaction of a connection.
func (db *DB) readWith(ctx context.Context, c *conn, fn func(*engine.Tx) error) error {
	tx, end, err := db.beginRead(ctx, c)
	if err != nil {
		return err
	}
	defer end()
	return fn(tx)
}

// beginRead begins a read-only transaction of a connection, which lasts until it is ended.
func (db *DB) beginRead(ctx context.Context, c *conn) (tx *engine.Tx, end func(), err error) {
	began, err := c.BeginTx(ctx, driver.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, nil, fmt.Errorf("sqlite: begin read: %w", err)
	}
	tx = db.newTx(c, false)
	letGo := c.interruptAfter(ctx)
	return tx, func() {
		letGo()
		tx.End()
		_ = began.Rollback() // nothing was written
	}, nil
}

// sharedRead is the key of the transaction that reads of a database share.
type sharedRead struct{ db *DB }

// ReadTogether implements engine.DB: to begin a transaction costs as much as a short query.
func (db *DB) ReadTogether(ctx context.Context, fn func(context.Context) error) error {
	if _, ok := ctx.Value(sharedRead{db}).(*engine.Tx); ok {
		return fn(ctx)
	}
	share := func(tx *engine.Tx) error { return fn(context.WithValue(ctx, sharedRead{db}, tx)) }
	if r := db.readingOf(ctx); r != nil {
		defer r.end()
		return db.outcome(r.run(ctx, share))
	}
	return db.outcome(using(ctx, db.reader, func(c *conn) error { return db.readWith(ctx, c, share) }))
}
