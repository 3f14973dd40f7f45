package sqlite

import (
	"database/sql"
	"errors"
	"fmt"

	"guiche/internal/problem"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Error turns what the driver returned into what callers act on, by code and
// never by text: no row is problem.NotFound, a taken unique value is
// problem.Conflict, a database out of reach is problem.Busy. An application error
// passes as it is, nil stays nil, anything else is wrapped. SQLite's own messages name
// tables and columns, never values.
func Error(err error) error {
	var app *problem.Error
	switch {
	case err == nil, errors.As(err, &app):
		return err
	case errors.Is(err, sql.ErrNoRows):
		return problem.Wrap(problem.NotFound, "Não encontrado.", err)
	case isUnique(err):
		return problem.Wrap(problem.Conflict, "Já existe um registro igual.", err)
	case isOutOfReach(err):
		return problem.NewBusy(err)
	case isContent(err):
		return fmt.Errorf("sqlite: %w: %w", problem.ErrPermanent, err)
	default:
		return fmt.Errorf("sqlite: %w", err)
	}
}

// isContent reports whether the same statement with the same values fails again.
func isContent(err error) bool {
	var driver *sqlite.Error
	if !errors.As(err, &driver) {
		return false
	}
	switch driver.Code() & 0xff {
	case sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_MISMATCH, sqlite3.SQLITE_TOOBIG, sqlite3.SQLITE_RANGE:
		return true
	}
	return false
}

// unlessOutOfReach returns problem.Busy for a database that is out of reach, and any other
// error as it is.
func unlessOutOfReach(err error) error {
	var app *problem.Error
	if isOutOfReach(err) && !errors.As(err, &app) {
		return problem.NewBusy(err)
	}
	return err
}

// isOutOfReach reports whether nothing was read or written because another process keeps
// the database longer than we wait, or because its files cannot be opened. SQLite says
// the latter when the process has no descriptors left.
func isOutOfReach(err error) bool {
	var driver *sqlite.Error
	if !errors.As(err, &driver) {
		return false
	}
	switch driver.Code() & 0xff {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_PROTOCOL, sqlite3.SQLITE_CANTOPEN:
		return true
	}
	return false
}

// isFull reports whether there was no space on the disk, for the database or for what
// SQLite keeps beside it, which it begins with three bytes (SHMOPEN) and then extends.
func isFull(err error) bool {
	var driver *sqlite.Error
	if !errors.As(err, &driver) {
		return false
	}
	switch driver.Code() {
	case sqlite3.SQLITE_IOERR_SHMOPEN, sqlite3.SQLITE_IOERR_SHMSIZE:
		return true
	}
	return driver.Code()&0xff == sqlite3.SQLITE_FULL
}

// endsTransaction reports whether SQLite may have taken back the whole transaction.
func endsTransaction(err error) bool {
	var driver *sqlite.Error
	if !errors.As(err, &driver) {
		return false
	}
	switch driver.Code() & 0xff {
	case sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_NOMEM:
		return true
	}
	return false
}

func isUnique(err error) bool {
	var driver *sqlite.Error
	if !errors.As(err, &driver) {
		return false
	}
	switch driver.Code() {
	case sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_ROWID:
		return true
	default:
		return false
	}
}
