package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"guiche/internal/problem"
	"guiche/internal/store/engine"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	// mostRuns is how often a function runs whose transaction could not be put in a row with
	// the others.
	mostRuns = 12
	// aloneFrom is the run from which on such a function writes alone: nothing is in its way then,
	// however many write.
	aloneFrom = 3
	// firstPause is the longest pause before its second run; it doubles from run to run.
	firstPause = 4 * time.Millisecond
	// longestPause bounds that.
	longestPause = 250 * time.Millisecond
	// endWithin bounds the end of a transaction, beyond who waits for it.
	endWithin = 30 * time.Second
)

// Read implements engine.DB.
func (db *DB) Read(ctx context.Context, fn func(*engine.Tx) error) error {
	if db.strict {
		fn = engine.Rehearsed(ctx, fn)
	}
	if tx, ok := ctx.Value(sharedRead{db}).(*engine.Tx); ok {
		return fn(tx)
	}
	if r, ok := ctx.Value(readingKey{db}).(*reading); ok && !r.ended {
		return db.repeated(ctx, func(bool) (outcome, error) { return r.once(ctx, fn) })
	}
	return db.repeated(ctx, func(bool) (outcome, error) { return db.once(ctx, db.reader, db.begin.read, fn) })
}

// sharedRead is the key of the transaction that reads of a database share.
type sharedRead struct{ db *DB }

// ReadTogether implements engine.DB.
func (db *DB) ReadTogether(ctx context.Context, fn func(context.Context) error) error {
	if _, ok := ctx.Value(sharedRead{db}).(*engine.Tx); ok {
		return fn(ctx)
	}
	if r, ok := ctx.Value(readingKey{db}).(*reading); ok {
		defer r.end()
	}
	return db.Read(ctx, func(tx *engine.Tx) error { return fn(context.WithValue(ctx, sharedRead{db}, tx)) })
}

// Write implements engine.DB.
func (db *DB) Write(ctx context.Context, fn func(*engine.Tx) error) error {
	return db.written(ctx, db.begin.write, fn)
}

// WriteAlone implements engine.DB.
func (db *DB) WriteAlone(ctx context.Context, fn func(*engine.Tx) error) error {
	return db.written(ctx, db.begin.alone, fn)
}

// WriteDerived implements engine.DB. A server that is killed may lose it, and nothing else.
func (db *DB) WriteDerived(ctx context.Context, fn func(*engine.Tx) error) error {
	return db.written(ctx, db.begin.derived, fn)
}

// WriteMany implements engine.DB.
func (db *DB) WriteMany(ctx context.Context, fn func(*engine.Tx) error) error {
	return db.WriteAlone(ctx, engine.Many(ctx, fn))
}

// Shared implements engine.DB.
func (db *DB) Shared() bool { return true }

func (db *DB) written(ctx context.Context, begin *beginning, fn func(*engine.Tx) error) error {
	if db.strict {
		fn = engine.Rehearsed(ctx, fn)
	}
	return db.repeated(ctx, func(alone bool) (outcome, error) {
		if alone {
			begin = db.begin.alone
		}
		return db.once(ctx, db.writer, begin, fn)
	})
}

// outcome is what came of one run of a transaction.
type outcome int

const (
	ended     outcome = iota
	unordered         // it could not be put in a row with the others
	taken             // a unique value was taken: by one that this one did not see, perhaps
	lost              // the connection was, before anything was committed
	unkept            // the server does not keep statements for a connection
)

// repeated runs a transaction again that could not be put in a row with others. PostgreSQL
// says of two equal ones that a unique value is taken: the second run sees the first of them,
// and alone, so that what it finds free then is not taken either.
func (db *DB) repeated(ctx context.Context, once func(alone bool) (outcome, error)) error {
	left := map[outcome]int{unordered: mostRuns - 1, taken: 1, lost: int(db.writer.Config().MaxConns) + 1, unkept: 1}
	alone := false
	for run := 0; ; run++ {
		o, err := once(alone)
		if o == ended || left[o] == 0 {
			return busy(err)
		}
		left[o]--
		alone = alone || o == taken || run+1 >= aloneFrom
		if o == unordered && !pause(ctx, run) {
			return ctx.Err()
		}
	}
}

// busy returns problem.Busy for what did nothing, and any other error as it is.
func busy(err error) error {
	var failure *engine.Failure
	var app *problem.Error
	if errors.As(err, &failure) && !errors.As(err, &app) {
		if codeOf(err) == diskFull {
			return problem.Wrap(problem.NoSpace, "Falta espaço no disco do banco de dados, e nada foi gravado. Avise a administração.", err)
		}
		if failure.Kind == engine.OutOfReach {
			return problem.NewBusy(err)
		}
	}
	return err
}

// pause waits before the next run, and reports whether there is one.
func pause(ctx context.Context, run int) bool {
	longest := min(firstPause<<run, longestPause)
	select {
	case <-ctx.Done():
		return false
	case <-time.After(time.Duration(rand.Int64N(int64(longest)))): //nolint:gosec // no secret
		return true
	}
}

// once runs fn in a transaction.
func (db *DB) once(ctx context.Context, pool *pgxpool.Pool, begin *beginning, fn func(*engine.Tx) error) (outcome, error) {
	if err := ctx.Err(); err != nil {
		return ended, err
	}
	c, acquired, err := db.acquire(ctx, pool, begin)
	if err != nil {
		return ended, err
	}
	defer c.release(acquired)
	if begin.waits {
		if _, err := c.start(ctx, nil); err != nil {
			if ctx.Err() != nil { // the pool keeps no connection in a transaction
				return ended, ctx.Err()
			}
			err = c.noted(err)
			return c.outcome(), fmt.Errorf("postgres: begin: %w", err)
		}
	}
	return c.call(ctx, fn)
}

// acquire takes a connection for a transaction.
func (db *DB) acquire(ctx context.Context, pool *pgxpool.Pool, begin *beginning) (*conn, *pgxpool.Conn, error) {
	acquired, err := pool.Acquire(ctx)
	if err != nil {
		return nil, nil, notAcquired(ctx, err)
	}
	return &conn{db: db, pg: acquired.Conn().PgConn(), write: pool == db.writer, begin: begin}, acquired, nil
}

// release gives the connection back, one that is lost to nobody. Nobody waits for the end of what
// only read.
func (c *conn) release(acquired *pgxpool.Conn) {
	if !c.read {
		acquired.Release()
		return
	}
	go func() {
		defer acquired.Release()
		ctx, cancel := context.WithTimeout(context.Background(), endWithin)
		defer cancel()
		_, _ = c.pg.Exec(ctx, "COMMIT").ReadAll() // without it the pool gives the connection up
	}()
}

// notAcquired is why there is no connection.
func notAcquired(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err.Error() == "closed pool":
		return ErrClosed
	}
	return fmt.Errorf("postgres: connect: %w", unconnected(err))
}

// call runs fn in the transaction that has begun, and ends it.
func (c *conn) call(ctx context.Context, fn func(*engine.Tx) error) (o outcome, err error) {
	tx := engine.NewTx(c, c.db.now(), c.write)
	kept := false
	defer func() {
		tx.End()
		if !kept {
			c.rollback()
			tx.TakenBack()
		}
	}()
	if err := fn(tx); err != nil {
		return c.outcome(), err
	}
	if c.failed != nil {
		return c.outcome(), fmt.Errorf("%w: %w", engine.ErrAborted, c.failed)
	}
	tx.End()
	if err := c.end(ctx); err != nil {
		return c.outcome(), fmt.Errorf("postgres: commit: %w", engine.Error(err))
	}
	kept = true
	return ended, nil
}

// outcome is what the first failure of the transaction says about it.
func (c *conn) outcome() outcome {
	switch codeOf(c.failed) {
	case serializationFailure, deadlockDetected:
		return unordered
	case uniqueViolation:
		return taken
	case noSuchStatement, duplicateStatement:
		c.db.unnamed.Store(true)
		return unkept
	}
	if c.failed != nil && c.pg.IsClosed() && !errors.Is(c.failed, problem.ErrUnknown) {
		return lost
	}
	return ended
}

// end ends the transaction, if it has begun.
func (c *conn) end(ctx context.Context) error {
	switch {
	case c.begin != nil && len(c.later) == 0:
		return nil
	case c.write:
		return c.commit(ctx)
	}
	c.read = true
	return nil
}

// commit ends a transaction that writes. Once it was sent, only the server knows what came of it: on a
// connection that may have ended the transaction begins before that, so that another one takes it.
func (c *conn) commit(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endWithin)
	defer cancel()
	if c.begin != nil && !silent(c.pg.Conn()) {
		if _, err := c.start(ctx, nil); err != nil {
			return c.noted(err)
		}
	}
	c.values, c.formats = nil, nil
	found, err := c.start(ctx, c.db.begin.commit)
	var tag pgconn.CommandTag
	if err == nil {
		tag, err = found.Close()
	}
	var said *pgconn.PgError
	switch {
	case err == nil && tag.String() != "COMMIT":
		c.failed = errors.New("it was taken back")
	case errors.As(err, &said), pgconn.SafeToRetry(err):
		return c.noted(err)
	case err != nil:
		c.db.forget(err)
		c.failed = fmt.Errorf("the connection ended while the transaction did: %w: %w", problem.ErrUnknown, err)
	}
	return c.failed
}

// rollback takes back what was done, on a connection that goes on.
func (c *conn) rollback() {
	if c.pg.IsClosed() || c.pg.TxStatus() == 'I' {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), endWithin)
	defer cancel()
	_, err := c.pg.Exec(ctx, "ROLLBACK").ReadAll()
	c.failed = cmp.Or(c.failed, err)
}
