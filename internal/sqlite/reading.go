package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"guiche/internal/store/engine"
)

// reading is a read-only transaction in which several functions read, one after the other, until
// it is ended. The first of them begins it.
type reading struct {
	db    *DB
	one   *sql.Conn // nil where none has begun
	tx    *engine.Tx
	done  func()
	ended bool
}

// readingKey is the key of the reading of a database.
type readingKey struct{ db *DB }

// ReadOn implements what engine.ReadOn asks of a database: a page's session is read in the
// transaction of what the page shows.
func (db *DB) ReadOn(ctx context.Context, _ string) (on context.Context, end func()) {
	r := &reading{db: db}
	return context.WithValue(ctx, readingKey{db}, r), r.end
}

// readingOf is the reading that goes on under a context, nil without one.
func (db *DB) readingOf(ctx context.Context) *reading {
	r, _ := ctx.Value(readingKey{db}).(*reading)
	if r == nil || r.ended {
		return nil
	}
	return r
}

// run runs fn in the transaction, which goes on afterwards.
func (r *reading) run(ctx context.Context, fn func(*engine.Tx) error) (err error) {
	if r.one == nil {
		if r.one, err = r.db.reader.Conn(ctx); err != nil {
			return fmt.Errorf("sqlite: connect: %w", err)
		}
	}
	return with(r.one, func(c *conn) (err error) {
		if r.tx == nil {
			if r.tx, r.done, err = r.db.beginRead(ctx, c); err != nil {
				return err
			}
		}
		returned := false
		defer func() {
			if !returned { // by a panic, for which database/sql closes the connection
				r.over()
			}
		}()
		err = fn(r.tx)
		returned = true
		return err
	})
}

// over ends the transaction, if it goes on.
func (r *reading) over() {
	if r.tx != nil {
		r.done()
		r.tx = nil
	}
}

// end ends the reading. What comes later reads for itself.
func (r *reading) end() {
	r.ended = true
	if r.one == nil {
		return
	}
	_ = with(r.one, func(*conn) error { r.over(); return nil })
	_ = r.one.Close() // it goes back to its pool
	r.one = nil
}
