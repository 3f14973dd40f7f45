// Package engine is what the packages of internal/store write to: a database, its
// transactions and their rows, as every storage engine has them. Engines
// (internal/sqlite, internal/postgres) implement it; stores import nothing else of them.
//
// A new query is one text that every engine takes: ON CONFLICT and not INSERT OR, IS NOT DISTINCT
// FROM and not IS, CASE for the greater of two, string_agg put in order in Go, CROSS JOIN with its
// condition in WHERE, "col + 0" to keep an index away, a column named with its table in ON CONFLICT
// DO UPDATE. Placeholders are ? and ?N. A list is one value: InNumbers, InNames. Words are found by
// Tx.Match and written by Tx.AddText; columns and tables that a copy may lack are asked of the Tx. Where it
// depends on a value which index leaves little to read, Tx.ByValue stands behind the table: see there.
//
// Another engine implements DB and Conn, has the migrations of migrations/postgres in its own form,
// and passes the tests of the stores: storetest opens what GUICHE_TEST_ENGINE names.
package engine

import (
	"context"
	"time"
)

// DB is a database. It is safe for concurrent use.
//
// A function given to it may run again, after what it did was taken back: what it finds and
// makes begins anew in each run, is handed out once the method has returned, and it touches
// nothing outside of the transaction that another run could not touch once more. It keeps
// neither the Tx nor waits for anything slow, and calls no other method of the database.
type DB interface {
	// Read runs fn in a read-only snapshot: all it reads is of one moment, and it waits for
	// nobody who writes. A write in it fails. A database that is out of reach is problem.Busy.
	Read(ctx context.Context, fn func(*Tx) error) error
	// Write runs fn in a transaction and returns once what it wrote is on disk. An error of fn
	// takes back what fn wrote and nothing else, and is returned as it is; a panic does the
	// same. A ctx cancelled before fn's turn returns without running it; one cancelled later
	// stops it at its next statement; once fn returned nil only the commit decides. Without
	// space on the disk the error is problem.NoSpace.
	Write(ctx context.Context, fn func(*Tx) error) error
	// WriteAlone is Write in a transaction of its own: fn sees what is committed and nothing
	// that may still be taken back, and nobody writes until it returns. It is for what no
	// rollback can undo, such as removing a file.
	WriteAlone(ctx context.Context, fn func(*Tx) error) error
	// WriteDerived is Write for what is made again after a power cut, from what is on disk
	// already. It does not wait for the disk.
	WriteDerived(ctx context.Context, fn func(*Tx) error) error
	// WriteMany is WriteAlone for many rows: those of Insert are collected and written many
	// with one statement, in the order of their tables' first rows, before the transaction's
	// next statement of another kind.
	WriteMany(ctx context.Context, fn func(*Tx) error) error
	// ReadTogether runs fn with a context under which all that is read of the database is of
	// one moment. Under that context nothing is read at the same time, and what is written
	// meanwhile is not seen.
	ReadTogether(ctx context.Context, fn func(context.Context) error) error
	// Shared reports whether other processes may write to the database as well.
	Shared() bool
	// Close ends what runs and gives back what the database holds.
	Close() error
}

// readsOn is a DB to which each way is long.
type readsOn interface {
	ReadOn(ctx context.Context, name string) (on context.Context, end func())
}

// ReadOn returns a context under which an engine to which each way is long reads in one transaction, up to the end of
// the first ReadTogether or until end is called. Under it one thing is read after the other, and nothing slow is done
// before that. name says what is read and by whom: what it asked the last time is asked at once, unless name is "".
func ReadOn(ctx context.Context, db DB, name string) (on context.Context, end func()) {
	if db, ok := db.(readsOn); ok {
		return db.ReadOn(ctx, name)
	}
	return ctx, func() {}
}

// Conn is a transaction as its engine runs it, for one goroutine at a time. Errors of its
// driver are a *Failure. The values of a statement are nobody's any more when it returns:
// nil, texts, bytes, numbers, booleans, kinds of these with a name, or a driver.Valuer.
type Conn interface {
	// Exec runs a statement that returns no rows, and returns how many it changed.
	Exec(ctx context.Context, query string, args []any) (changed int64, err error)
	// InsertID runs a statement that inserts one row, and returns its number.
	InsertID(ctx context.Context, query string, args []any) (id int64, err error)
	// Query runs a statement that returns rows.
	Query(ctx context.Context, query string, args []any) (Cursor, error)
	// NextID returns the number of the next row of a table. last is the one that this
	// transaction was given before and may not have written yet, 0 without one.
	NextID(ctx context.Context, table string, last int64) (int64, error)
	// DeleteCopies runs a statement that deletes what lies beside the database as well.
	DeleteCopies(ctx context.Context, query string, args []any) error
	// HasTable reports whether there is a table of that name.
	HasTable(ctx context.Context, name string) (bool, error)
	// Dialect is what the engine says differently.
	Dialect() *Dialect
	// WordsFrom, TextParts, MergeText and RebuildText are those of Tx.
	WordsFrom(ctx context.Context, index TextIndex, beginning string, most int) ([]string, error)
	TextParts(ctx context.Context, index TextIndex) (int, error)
	MergeText(ctx context.Context, index TextIndex, pages int) (merged bool, err error)
	RebuildText(ctx context.Context, index TextIndex) error
	// HasColumn reports whether there is a table of that name with such a column.
	HasColumn(ctx context.Context, table, column string) (bool, error)
	// Match returns how a statement reads what a search finds.
	Match(index TextIndex, s Search) Found
	// AddText has a row found by its texts.
	AddText(ctx context.Context, index TextIndex, id int64, texts []string) error
	// RemoveText has a row found no more by the texts that it was found by.
	RemoveText(ctx context.Context, index TextIndex, id int64, texts []string) error
	// ChangeText has a row found by other texts than those that it was found by.
	ChangeText(ctx context.Context, index TextIndex, id int64, was, is []string) error
}

// Cursor reads what a query returns.
type Cursor interface {
	Next() error           // io.EOF behind the last row
	Scan(dest []any) error // the row at hand; see Assign
	Close() error
}

// NewTx returns a transaction for one function; now is in UTC and whole microseconds. What
// follows is an engine's to call: UseCache first, where it has one, End when the function has
// returned, TakenBack when what it did is taken back, and Over last.
func NewTx(conn Conn, now time.Time, write bool) *Tx { return &Tx{Now: now, conn: conn, write: write} }
