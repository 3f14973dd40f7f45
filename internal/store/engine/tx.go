package engine

import (
	"context"
	"slices"
	"sync/atomic"
	"time"
)

// Tx is one transaction (or one function's part of a transaction that several share). It
// ends with the function it was given to, and the rows that are still open with it.
type Tx struct {
	Now time.Time // UTC, microseconds, the same through the whole transaction; who writes the past sets it

	conn  Conn
	write bool
	ended atomic.Bool
	open  []*Rows
	many  *inserts    // of WriteMany
	undo  []func()    // see OnRollback
	known map[any]any // see Once

	cache       *Cache // see Cached; nil where nothing is kept
	turn        uint64 // of the cache, when it began
	invalidates bool   // the cache

	strict bool  // see Rehearsed
	failed error // of a statement, in a strict transaction

	args  []any   // of the statement that is about to run
	space [12]any // of args, for most statements
}

// Once returns what read finds under a key, and reads it once in a snapshot, in which nothing
// changes: several reads of one page need the same. Keys are as those of contexts.
func Once[T any](tx *Tx, key any, read func() (T, error)) (T, error) {
	if found, ok := tx.known[key].(T); ok {
		return found, nil
	}
	found, err := read()
	if err == nil && !tx.write {
		if tx.known == nil {
			tx.known = map[any]any{}
		}
		tx.known[key] = found
	}
	return found, err
}

// OnRollback has fn called when what the transaction's function did is taken back: because it
// failed, because the commit did, or because it runs again. It is for what a function does
// in memory.
func (tx *Tx) OnRollback(fn func()) { tx.undo = append(tx.undo, fn) }

// TakenBack calls what OnRollback was given, the last one first.
func (tx *Tx) TakenBack() {
	for _, undo := range slices.Backward(tx.undo) {
		undo()
	}
	tx.undo = nil
}

// End closes what the function left open.
func (tx *Tx) End() {
	tx.ended.Store(true)
	for _, rows := range slices.Clone(tx.open) {
		rows.err = context.Canceled
		_ = rows.Close() // nobody reads them
	}
}

// Exec runs a statement that returns no rows, and returns how many it changed.
func (tx *Tx) Exec(ctx context.Context, query string, args ...any) (changed int64, err error) {
	if err := tx.flush(ctx); err != nil {
		return 0, err
	}
	return tx.exec(ctx, query, args)
}

func (tx *Tx) exec(ctx context.Context, query string, args []any) (changed int64, err error) {
	values, err := tx.ready(ctx, args)
	if err != nil {
		return 0, tx.noted(err)
	}
	changed, err = tx.conn.Exec(ctx, query, values)
	return changed, tx.noted(tx.orEnded(ctx, err))
}

// runsLater is a Conn of an engine to which each way is long.
type runsLater interface {
	// ExecLater runs a statement with the next one or with the transaction's end, which fails where it does.
	ExecLater(ctx context.Context, query string, args []any) error
}

// ExecLater runs a statement of which nobody looks at what comes of it. An engine to which each way is long
// runs it with the next one or with the transaction's end, which fails where it does.
func (tx *Tx) ExecLater(ctx context.Context, query string, args ...any) error {
	if err := tx.flush(ctx); err != nil {
		return err
	}
	return tx.execLater(ctx, query, args)
}

func (tx *Tx) execLater(ctx context.Context, query string, args []any) error {
	later, ok := tx.conn.(runsLater)
	if !ok {
		_, err := tx.exec(ctx, query, args)
		return err
	}
	values, err := tx.ready(ctx, args)
	if err == nil {
		err = later.ExecLater(ctx, query, values)
	}
	return tx.noted(err)
}

// InsertID runs a statement that inserts one row into a table whose rows are numbered as they
// come, and returns its number.
func (tx *Tx) InsertID(ctx context.Context, query string, args ...any) (id int64, err error) {
	if err := tx.flush(ctx); err != nil {
		return 0, err
	}
	values, err := tx.ready(ctx, args)
	if err != nil {
		return 0, tx.noted(err)
	}
	id, err = tx.conn.InsertID(ctx, query, values)
	return id, tx.noted(tx.orEnded(ctx, err))
}

// DeleteCopies runs a statement that deletes what lies beside the database as well, in files
// that stay: it need not be overwritten at once.
func (tx *Tx) DeleteCopies(ctx context.Context, query string, args ...any) error {
	err := tx.flush(ctx)
	if err != nil {
		return err
	}
	values, err := tx.ready(ctx, args)
	if err == nil {
		err = tx.orEnded(ctx, tx.conn.DeleteCopies(ctx, query, values))
	}
	return Error(tx.noted(err))
}

// HasTable reports whether there is a table of that name, as not every copy has.
func (tx *Tx) HasTable(ctx context.Context, name string) (has bool, err error) {
	if _, err = tx.ready(ctx, nil); err == nil {
		has, err = tx.conn.HasTable(ctx, name)
	}
	return has, Error(tx.noted(tx.orEnded(ctx, err)))
}

// HasColumn reports whether there is a table of that name with such a column, as not every copy
// has.
func (tx *Tx) HasColumn(ctx context.Context, table, column string) (has bool, err error) {
	if _, err = tx.ready(ctx, nil); err == nil {
		has, err = tx.conn.HasColumn(ctx, table, column)
	}
	return has, Error(tx.noted(tx.orEnded(ctx, err)))
}

// Query runs a statement that returns rows.
func (tx *Tx) Query(ctx context.Context, query string, args ...any) (*Rows, error) {
	if err := tx.flush(ctx); err != nil {
		return nil, err
	}
	values, err := tx.ready(ctx, args)
	if err != nil {
		return nil, tx.noted(err)
	}
	found, err := tx.conn.Query(ctx, query, values)
	if err != nil {
		return nil, tx.noted(tx.orEnded(ctx, err))
	}
	rows := &Rows{tx: tx, ctx: ctx, found: found}
	tx.open = append(tx.open, rows)
	return rows, nil
}

// QueryRow runs a statement that returns at most one row.
func (tx *Tx) QueryRow(ctx context.Context, query string, args ...any) Row {
	rows, err := tx.Query(ctx, query, args...)
	return oneRow{rows, err}
}

// asksAhead is a Conn of an engine to which each way is long.
type asksAhead interface {
	// Ahead tells of a query that comes soon with these values.
	Ahead(query string, args []any)
}

// AsksAhead reports whether Ahead does anything.
func (tx *Tx) AsksAhead() bool {
	_, ok := tx.conn.(asksAhead)
	return ok && !tx.write
}

// Ahead tells of a query that comes soon with these values, in a snapshot. An engine to which each way is
// long asks it together with the next one; it need not come.
func (tx *Tx) Ahead(query string, args ...any) {
	if tx.AsksAhead() {
		tx.conn.(asksAhead).Ahead(query, Texts(args))
	}
}

// readsSingle is a Conn of an engine to which the beginning and the end of a transaction are long.
type readsSingle interface {
	// Single tells that the next query is all that the transaction reads.
	Single()
}

// Single tells that the next query is all that a transaction reads, which is of one moment in any case. One that
// comes after it is of another moment.
func (tx *Tx) Single() {
	if conn, ok := tx.conn.(readsSingle); ok && !tx.write {
		conn.Single()
	}
}

// ready returns the values of a statement that may run, until the next call. It looks at the
// context before each: who is cancelled ends between two statements, so that no engine has
// to interrupt a write. A transaction kept beyond its function answers context.Canceled.
func (tx *Tx) ready(ctx context.Context, args []any) ([]any, error) {
	if err := tx.aborted(); err != nil {
		return nil, err
	}
	if tx.ended.Load() {
		return nil, context.Canceled
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if tx.args == nil {
		tx.args = tx.space[:0]
	}
	// Copied, so that what a caller lists need not be put on the heap.
	tx.args = append(tx.args[:0], args...)
	cleanTexts(tx.args)
	return tx.args, nil
}

// orEnded returns the end of the context as what failed a statement that it interrupted.
func (tx *Tx) orEnded(ctx context.Context, err error) error {
	if err != nil && !tx.write && ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}
