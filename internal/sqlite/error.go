package sqlite

import (
	"errors"

	"guiche/internal/problem"
	"guiche/internal/store/engine"

	sqlite3 "modernc.org/sqlite/lib"
)

// failure returns an error of the driver with what callers do about it, by code and never
// by text. SQLite's own messages name tables and columns, never values.
func failure(err error) error {
	if err == nil {
		return nil
	}
	kind := engine.Other
	switch {
	case isUnique(err):
		kind = engine.Unique
	case IsOutOfReach(err):
		kind = engine.OutOfReach
	case isContent(err):
		kind = engine.Content
	}
	return &engine.Failure{Kind: kind, Err: err}
}

// codeOf is SQLite's extended result code of an error, the driver's or our own; 0 of any other.
func codeOf(err error) int {
	var coded interface {
		error
		Code() int
	}
	if !errors.As(err, &coded) {
		return sqlite3.SQLITE_OK
	}
	return coded.Code()
}

// isContent reports whether the same statement with the same values fails again.
func isContent(err error) bool {
	switch codeOf(err) & 0xff {
	case sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_MISMATCH, sqlite3.SQLITE_TOOBIG, sqlite3.SQLITE_RANGE:
		return true
	}
	return false
}

// outcome is the error of a transaction as callers get it: problem.Busy for a database that is out of
// reach and for an index that has to be made anew, of which IndexDamaged tells; any other as it is.
func (db *DB) outcome(err error) error {
	damaged := isDamagedIndex(err)
	if damaged {
		select {
		case db.indexDamaged <- struct{}{}:
		default:
		}
	}
	var app *problem.Error
	if (damaged || IsOutOfReach(err)) && !errors.As(err, &app) {
		return problem.NewBusy(err)
	}
	return err
}

// isDamagedIndex reports whether an index, of texts or of rows, is not what SQLite wrote.
func isDamagedIndex(err error) bool {
	code := codeOf(err)
	return code == sqlite3.SQLITE_CORRUPT_VTAB || code == sqlite3.SQLITE_CORRUPT_INDEX
}

// IsOutOfReach reports whether nothing was read or written because another process keeps
// the database longer than we wait, or because its files cannot be opened. SQLite says
// the latter when the process has no descriptors left.
func IsOutOfReach(err error) bool {
	switch codeOf(err) & 0xff {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_PROTOCOL, sqlite3.SQLITE_CANTOPEN:
		return true
	}
	return false
}

// isFull reports whether there was no space on the disk, for the database or for what
// SQLite keeps beside it, which it begins with three bytes (SHMOPEN) and then extends.
func isFull(err error) bool {
	switch codeOf(err) {
	case sqlite3.SQLITE_IOERR_SHMOPEN, sqlite3.SQLITE_IOERR_SHMSIZE:
		return true
	}
	return codeOf(err)&0xff == sqlite3.SQLITE_FULL
}

// endsTransaction reports whether SQLite may have taken back the whole transaction.
func endsTransaction(err error) bool {
	switch codeOf(err) & 0xff {
	case sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_NOMEM:
		return true
	}
	return false
}

func isUnique(err error) bool {
	switch codeOf(err) {
	case sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_ROWID:
		return true
	default:
		return false
	}
}
