package engine

import (
	"context"
	"errors"
	"fmt"
)

// ErrAborted is what a strict database says to every statement after one that failed, and
// to a function that passes over the failure.
var ErrAborted = errors.New("database: an earlier statement of this transaction failed")

// Rehearsed runs fn twice in one transaction, for a database that is strict: what the first
// run wrote is taken back, what it returned counts for nothing, and no statement follows one
// that failed. Tests ask of stores with it what some engines ask. A transaction may wait for
// others at its first statement, for as long as ctx lasts.
func Rehearsed(ctx context.Context, fn func(*Tx) error) func(*Tx) error {
	return func(tx *Tx) error {
		if _, err := tx.conn.Exec(ctx, "SAVEPOINT rehearsal", nil); err != nil {
			return err
		}
		rehearsal := NewTx(tx.conn, tx.Now, tx.write)
		rehearsal.cache, rehearsal.turn = tx.cache, tx.turn
		first := strictly(fn, rehearsal)
		rehearsal.End()
		rehearsal.TakenBack()
		rehearsal.Over()
		for _, statement := range []string{"ROLLBACK TO SAVEPOINT rehearsal", "RELEASE SAVEPOINT rehearsal"} {
			if _, err := tx.conn.Exec(context.WithoutCancel(ctx), statement, nil); err != nil {
				return errors.Join(first, Error(err)) // of what runs later, too
			}
		}
		return strictly(fn, tx)
	}
}

// strictly runs fn so that the transaction ends with the first statement that fails.
func strictly(fn func(*Tx) error, tx *Tx) error {
	tx.strict = true
	err := fn(tx)
	if err == nil && tx.failed != nil {
		err = tx.aborted()
	}
	return err
}

// noted keeps the error of a statement in a strict transaction, and returns it.
func (tx *Tx) noted(err error) error {
	if tx.strict && tx.failed == nil {
		tx.failed = err
	}
	return err
}

// aborted returns why no statement runs any more, nil as long as they do.
func (tx *Tx) aborted() error {
	if tx.failed == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", ErrAborted, tx.failed)
}
