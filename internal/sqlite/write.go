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

// job is one call of Write. Its function runs in the caller's goroutine, so a panic keeps
// its stack and harms nobody else.
type job struct {
	alone bool       // shares its transaction with nobody
	lazy  bool       // its caller does not wait for the disk
	turn  chan turn  // of one that waits: what it may do
	ended chan error // it gives the transaction back: nil keeps what was written
	done  chan error // how the commit went
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

// Shared implements engine.DB: one process serves a data folder.
func (db *DB) Shared() bool { return false }

func (db *DB) write(ctx context.Context, kind job, fn func(*engine.Tx) error) error {
	if db.strict {
		fn = engine.Rehearsed(ctx, fn)
	}
	err := db.runJob(ctx, &kind, fn)
	if isFull(err) && !problem.Is(err, problem.NoSpace) {
		return db.disk.Full(err)
	}
	return db.outcome(err)
}

// runJob runs fn in a transaction, as soon as there is one for it.
func (db *DB) runJob(ctx context.Context, j *job, fn func(*engine.Tx) error) error {
	got, err := db.turns.take(ctx, j)
	switch {
	case err != nil:
		return err
	case got.tx == nil:
		return db.commitGroup(ctx, j, fn)
	}
	defer got.tx.Over()
	own := j.share(ctx, got.tx, fn)
	return concluded(got.tx, <-j.done, own)
}

func (db *DB) newTx(c *conn, write bool) *engine.Tx {
	tx := engine.NewTx(c, db.now(), write)
	tx.UseCache(&db.cache)
	return tx
}

// share runs fn in the transaction of another job, which waits meanwhile.
func (j *job) share(ctx context.Context, tx *engine.Tx, fn func(*engine.Tx) error) (err error) {
	err = errPanic
	defer func() { j.ended <- err }()
	err = call(ctx, tx, fn)
	return err
}

// errPanic stands for what a function did not return.
var errPanic = errors.New("sqlite: the job ended with a panic")

func call(ctx context.Context, tx *engine.Tx, fn func(*engine.Tx) error) error {
	defer tx.End()
	if err := ctx.Err(); err != nil {
		return err
	}
	return fn(tx)
}

// concluded returns what a job is told, by how the commit and its own function went.
func concluded(tx *engine.Tx, commit, own error) error {
	err := cmp.Or(commit, own)
	if err != nil {
		tx.TakenBack()
	}
	return err
}

// commitGroup runs the function of a job that has the connection, and those who wait behind
// it, in one transaction, and passes the connection on. Those that wait for the disk join no
// group that does not.
func (db *DB) commitGroup(ctx context.Context, first *job, fn func(*engine.Tx) error) (err error) {
	defer db.turns.pass()
	db.disk.MakeRoom()
	began := false
	var tx *engine.Tx
	defer func() {
		if began {
			tx.Over()
		}
	}()
	var own error
	err = using(context.Background(), db.writer, func(c *conn) error {
		whole, err := db.begin(c, first.lazy)
		if err != nil {
			return err
		}
		began = true
		tx = db.newTx(c, true)
		own = callFirst(ctx, tx, whole, fn)
		return db.serveGroup(c, whole, first, own)
	})
	if !began { // each of the others would wait as long for the same answer
		err = fmt.Errorf("sqlite: begin write: %w", err)
		db.turns.refuse(err)
		return err
	}
	return concluded(tx, err, own)
}

// callFirst runs the function of the first job of a group, which needs no savepoint: to take
// back what it wrote is to take back all. A savepoint keeps the pages that change. A panic
// goes on through database/sql, which then opens the connection anew.
func callFirst(ctx context.Context, tx *engine.Tx, whole driver.Tx, fn func(*engine.Tx) error) error {
	returned := false
	defer func() {
		if !returned {
			_ = whole.Rollback()
		}
	}()
	err := call(ctx, tx, fn)
	returned = true
	return err
}

// serveGroup lends the transaction to those who wait, one after the other, ends it and tells
// them how that went. Even a job that failed is answered after the commit: it may have failed
// because of what an earlier job of the group wrote.
func (db *DB) serveGroup(c *conn, whole driver.Tx, first *job, own error) (err error) {
	var group []*job
	if own != nil {
		err = errTakenBack
	}
	mayShare := func(j *job) bool { return !j.alone && (j.lazy || !first.lazy) }
	for err == nil && !first.alone && len(group) < groupLimit-1 {
		next := db.turns.next(mayShare)
		if next == nil {
			break
		}
		group = append(group, next)
		err = db.serve(c, next)
	}
	err = endGroup(whole, err)
	for _, j := range group {
		j.done <- err
	}
	return err
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

// errTakenBack ends the transaction of a first job that failed.
var errTakenBack = errors.New("sqlite: the job took back what it wrote")

// begin begins the transaction of a group, whose commit waits for the disk unless it is
// lazy. SQLite takes that setting only between two transactions.
func (db *DB) begin(c *conn, lazy bool) (driver.Tx, error) {
	if lazy != db.lazy {
		setting := syncedCommits
		if lazy {
			setting = unsyncedCommits
		}
		if err := c.order(setting); err != nil {
			db.lazy = true // whichever it is: the next commit that must be synced says so again
			return nil, err
		}
		db.lazy = lazy
	}
	return c.BeginTx(context.Background(), driver.TxOptions{})
}

// serve lends the transaction to one more job. Its error means that the whole
// transaction is broken, which a job's own error is not, but for one: without space
// SQLite takes back what the jobs before have written, too.
func (db *DB) serve(c *conn, j *job) error {
	if err := c.order("SAVEPOINT job"); err != nil {
		j.turn <- turn{err: fmt.Errorf("sqlite: begin write: %w", err)}
		return err
	}
	j.turn <- turn{tx: db.newTx(c, true)}
	if own := <-j.ended; own != nil {
		if err := c.order("ROLLBACK TO job"); isFull(own) {
			return own
		} else if err != nil {
			return err
		}
	}
	return c.order("RELEASE job")
}
