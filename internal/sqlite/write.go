package sqlite

import (
	"cmp"
	"context"
	"database/sql/driver"
	"errors"
	"fmt"

	"guiche/internal/problem"
	"guiche/internal/store/engine"
)

// groupLimit bounds how many jobs share one commit, and so how long the first of
// them waits for the last.
const groupLimit = 64

// job is one call of Write. Its function runs in the caller's goroutine while the
// writer waits, so a panic keeps its stack and cannot harm the writer.
type job struct {
	alone bool            // shares its transaction with nobody
	lazy  bool            // its caller does not wait for the disk
	turn  chan *engine.Tx // the writer gives the transaction
	ended chan error      // the caller gives it back: nil keeps what was written
	done  chan error      // the writer says how the group's commit went
}

// Write implements engine.DB. Concurrent calls share commits: each has a savepoint of its
// own. If the commit fails, every job of the group gets that error. It is problem.Busy when
// another process keeps the database, and then no fn of those who waited has run.
func (db *DB) Write(ctx context.Context, fn func(*engine.Tx) error) error {
	return db.write(ctx, job{}, fn)
}

// WriteAlone implements engine.DB.
func (db *DB) WriteAlone(ctx context.Context, fn func(*engine.Tx) error) error {
	return db.write(ctx, job{alone: true}, fn)
}

// WriteDerived implements engine.DB: what it wrote is seen by everybody and outlives the
// process, and gets to the disk with the next Write at the latest. A power cut before that
// takes it away as a whole, with all that was written after it.
func (db *DB) WriteDerived(ctx context.Context, fn func(*engine.Tx) error) error {
	return db.write(ctx, job{lazy: true}, fn)
}

// WriteMany implements engine.DB.
func (db *DB) WriteMany(ctx context.Context, fn func(*engine.Tx) error) error {
	return db.WriteAlone(ctx, engine.Many(ctx, fn))
}

func (db *DB) write(ctx context.Context, kind job, fn func(*engine.Tx) error) error {
	if db.strict {
		fn = engine.Rehearsed(fn)
	}
	kind.turn, kind.ended, kind.done = make(chan *engine.Tx), make(chan error), make(chan error, 1)
	err := db.queue(ctx, &kind, fn)
	if isFull(err) && !problem.Is(err, problem.NoSpace) {
		return db.disk.Full(err)
	}
	return unlessOutOfReach(err)
}

// queue waits for the writer and runs fn in its transaction.
func (db *DB) queue(ctx context.Context, j *job, fn func(*engine.Tx) error) error {
	select {
	case <-db.quit:
		return ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	case db.jobs <- j:
	}
	select {
	case err := <-j.done:
		return err
	case tx := <-j.turn:
		own := j.call(ctx, tx, fn)
		err := cmp.Or(<-j.done, own)
		if err != nil {
			tx.TakenBack()
		}
		return err
	}
}

func (j *job) call(ctx context.Context, tx *engine.Tx, fn func(*engine.Tx) error) error {
	result := errPanic
	defer func() {
		tx.End()
		j.ended <- result
	}()
	err := ctx.Err()
	if err == nil {
		err = fn(tx)
	}
	result = err
	return err
}

// errPanic stands for what a job did not return.
var errPanic = errors.New("sqlite: the job ended with a panic")

// writeLoop is the only goroutine that uses the writer's connection.
func (db *DB) writeLoop() {
	defer close(db.stopped)
	for {
		select {
		case <-db.quit:
			return
		case j := <-db.jobs:
			for j != nil {
				j = db.commitGroup(j)
			}
		}
	}
}

// commitGroup runs first and whoever waits behind it in one transaction. Even a
// job that failed is answered after the commit: it may have failed because of what
// an earlier job of the group wrote. A job that cannot join the group is returned; it
// is the first of the next one. Those that wait for the disk join no group that does not.
func (db *DB) commitGroup(first *job) (next *job) {
	db.disk.MakeRoom()
	began := false
	err := using(context.Background(), db.writer, func(c *conn) error {
		tx, err := db.begin(c, first.lazy)
		if err != nil {
			return err
		}
		began = true
		next = db.serveGroup(c, tx, first)
		return nil
	})
	if !began {
		db.refuseWaiting(first, fmt.Errorf("sqlite: begin write: %w", err))
	}
	return next
}

// serveGroup lends the transaction to one job after the other, ends it and tells them how
// that went.
func (db *DB) serveGroup(c *conn, tx driver.Tx, first *job) (next *job) {
	group := []*job{first}
	err := db.serveFirst(c, first)
	for !first.alone {
		if next = db.waiting(len(group), err); next == nil || next.alone || first.lazy && !next.lazy {
			break
		}
		group = append(group, next)
		err = db.serve(c, next)
	}
	err = endGroup(tx, err)
	for _, j := range group {
		j.done <- err
	}
	return next
}

// endGroup commits, unless something broke the transaction: then that is what is reported.
func endGroup(tx driver.Tx, broken error) error {
	if broken == nil {
		broken = tx.Commit()
	} else {
		_ = tx.Rollback()
	}
	if broken == nil || errors.Is(broken, errTakenBack) {
		return nil // the job knows why
	}
	return fmt.Errorf("sqlite: commit: %w", broken)
}

// begin begins the transaction of a group, whose commit waits for the disk unless it is
// lazy. SQLite takes that setting only between two transactions.
func (db *DB) begin(c *conn, lazy bool) (driver.Tx, error) {
	ctx := context.Background()
	if lazy != db.lazy {
		setting := syncedCommits
		if lazy {
			setting = unsyncedCommits
		}
		if _, err := c.ExecContext(ctx, setting, nil); err != nil {
			db.lazy = true // whichever it is: the next commit that must be synced says so again
			return nil, err
		}
		db.lazy = lazy
	}
	return c.BeginTx(ctx, driver.TxOptions{})
}

// refuseWaiting tells the first job and all who wait behind it why no transaction could
// begin: each would wait as long for the same answer, one after the other.
func (db *DB) refuseWaiting(first *job, cause error) {
	for j := first; j != nil; j = db.waiting(0, nil) {
		j.done <- cause
	}
}

// waiting returns the next job of a group, nil when nobody waits, the group is
// full or its transaction is broken.
func (db *DB) waiting(size int, broken error) *job {
	if size == groupLimit || broken != nil {
		return nil
	}
	select {
	case j := <-db.jobs:
		return j
	default:
		return nil
	}
}

// errTakenBack ends the transaction of a first job that failed.
var errTakenBack = errors.New("sqlite: the job took back what it wrote")

// serveFirst lends the transaction to the first job of its group, which needs no savepoint: to
// take back what it wrote is to take back all. A savepoint keeps the pages that change.
func (db *DB) serveFirst(c *conn, j *job) error {
	if own := db.lend(c, j); own != nil {
		return errTakenBack
	}
	return nil
}

// lend lends the transaction to a job and returns how it ended.
func (db *DB) lend(c *conn, j *job) error {
	j.turn <- engine.NewTx(c, db.now(), true)
	return <-j.ended
}

// serve lends the transaction to one more job. Its error means that the whole
// transaction is broken, which a job's own error is not, but for one: without space
// SQLite takes back what the jobs before have written, too.
func (db *DB) serve(c *conn, j *job) error {
	ctx := context.Background()
	if _, err := c.ExecContext(ctx, "SAVEPOINT job", nil); err != nil {
		return err
	}
	if own := db.lend(c, j); own != nil {
		if _, err := c.ExecContext(ctx, "ROLLBACK TO job", nil); isFull(own) {
			return own
		} else if err != nil {
			return err
		}
	}
	_, err := c.ExecContext(ctx, "RELEASE job", nil)
	return err
}
