package postgres

import (
	"context"

	"guiche/internal/store/engine"

	"github.com/jackc/pgx/v5/pgxpool"
)

// reading is a transaction in which several functions read, one after the other, until it is ended. The first
// of them begins it; when a statement fails the next one begins another.
type reading struct {
	db       *DB
	page     pageKey
	tx       *engine.Tx
	conn     *conn // nil where none has begun
	acquired *pgxpool.Conn
	ended    bool
}

// goesOn is the key of the reading of a database.
type goesOn struct{ db *DB }

// ReadOn implements what engine.ReadOn asks of a database.
func (db *DB) ReadOn(ctx context.Context, page string) (on context.Context, end func()) {
	r := &reading{db: db, page: pageKeyOf(page)}
	return context.WithValue(ctx, goesOn{db}, r), r.end
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
	c.rollback()
	r.release()
	if r.db.pages.forget(r.page) && ctx.Err() == nil {
		return lost, err // by what was asked ahead, perhaps, and nobody needs
	}
	return c.outcome(), err
}

// begin takes a connection, which asks with its first query what the page asked the last time.
func (r *reading) begin(ctx context.Context) (err error) {
	if r.conn, r.acquired, err = r.db.acquire(ctx, r.db.reader, r.db.begin.read); err != nil {
		return err
	}
	r.tx = engine.NewTx(r.conn, r.db.now(), false)
	r.conn.goesOn, r.conn.soon = true, r.db.pages.asked(r.page)
	return nil
}

// end ends the transaction, if it has begun and has not ended.
func (r *reading) end() {
	r.ended = true
	if r.conn != nil {
		r.conn.read = r.conn.begin == nil
		r.db.pages.remember(r.page, r.conn.asked)
		r.release()
	}
}

func (r *reading) release() {
	r.tx.End()
	r.conn.release(r.acquired)
	r.conn = nil
}
