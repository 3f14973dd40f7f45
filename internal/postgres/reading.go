package postgres

import (
	"context"
	"fmt"

	"guiche/internal/store/engine"

	"github.com/jackc/pgx/v5/pgxpool"
)

// reading is a transaction in which several functions read, one after the other, until it is ended. The first
// of them begins it; when a statement fails the next one begins another.
type reading struct {
	db       *DB
	id       readingID
	tx       *engine.Tx
	conn     *conn // nil where none has begun
	acquired *pgxpool.Conn
	ended    bool
}

// readingKey is the key of the reading of a database.
type readingKey struct{ db *DB }

// ReadOn implements what engine.ReadOn asks of a database.
func (db *DB) ReadOn(ctx context.Context, name string) (on context.Context, end func()) {
	r := &reading{db: db, id: readingIDOf(name)}
	return context.WithValue(ctx, readingKey{db}, r), r.end
}

// once runs fn in the transaction, which goes on unless a statement failed.
func (r *reading) once(ctx context.Context, fn func(*engine.Tx) error) (outcome, error) {
	if err := ctx.Err(); err != nil {
		return ended, err
	}
	if r.conn == nil {
		if err := r.begin(ctx); err != nil {
			return ended, err
		}
	}
	c := r.conn
	err := fn(r.tx)
	if c.failed == nil {
		return ended, err
	}
	if err == nil {
		err = fmt.Errorf("%w: %w", engine.ErrAborted, c.failed)
	}
	c.rollback()
	r.release()
	if r.db.last.forget(r.id) && ctx.Err() == nil {
		return lost, err // by what was asked ahead, perhaps
	}
	return c.outcome(), err
}

// begin takes a connection, which asks with its first query what was asked the last time.
func (r *reading) begin(ctx context.Context) (err error) {
	if r.conn, r.acquired, err = r.db.acquire(ctx, r.db.reader, r.db.begin.read); err != nil {
		return err
	}
	r.tx = engine.NewTx(r.conn, r.db.now(), false)
	r.conn.goesOn, r.conn.soon = true, r.db.last.soon(r.id)
	return nil
}

// end ends the transaction, if it has begun and has not ended.
func (r *reading) end() {
	r.ended = true
	if r.conn != nil {
		r.conn.read = r.conn.begin == nil
		r.db.last.remember(r.id, r.conn.asked)
		r.release()
	}
}

func (r *reading) release() {
	r.tx.End()
	r.conn.release(r.acquired)
	r.conn = nil
}
