package engine

import (
	"database/sql"
	"errors"
	"fmt"

	"guiche/internal/problem"
)

// Failure is an error of an engine's driver, and what callers do about it. Its text names
// tables and columns, never values.
type Failure struct {
	Kind Kind
	Err  error
}

// Kind says what callers do about a failure.
type Kind int

// Kinds of failures.
const (
	Other      Kind = iota
	Unique          // a unique value is taken
	OutOfReach      // nothing was read or written
	Content         // the same statement with the same values fails again
)

// Error implements error.
func (f *Failure) Error() string { return f.Err.Error() }

// Unwrap returns the driver's error.
func (f *Failure) Unwrap() error { return f.Err }

// Error turns what an engine returned into what callers act on: no row is
// problem.NotFound, a taken unique value is problem.Conflict, a database out of reach is
// problem.Busy. An application error passes as it is, nil stays nil, anything else is
// wrapped.
func Error(err error) error {
	var app *problem.Error
	switch {
	case err == nil, errors.As(err, &app):
		return err
	case errors.Is(err, sql.ErrNoRows):
		return problem.Wrap(problem.NotFound, "Não encontrado.", err)
	}
	switch kindOf(err) {
	case Unique:
		return problem.Wrap(problem.Conflict, "Já existe um registro igual.", err)
	case OutOfReach:
		return problem.NewBusy(err)
	case Content:
		return fmt.Errorf("database: %w: %w", problem.ErrPermanent, err)
	default:
		return fmt.Errorf("database: %w", err)
	}
}

// DamagedIfUnread is for who reads one thing to show it: an error about a row that cannot be read is problem.Damaged,
// any other as Error returns it. Who commits what happened tries again instead: some rows are made anew.
func DamagedIfUnread(err error) error {
	if errors.Is(err, problem.ErrUnread) {
		return problem.NewDamaged(err)
	}
	return Error(err)
}

func kindOf(err error) Kind {
	var failure *Failure
	if errors.As(err, &failure) {
		return failure.Kind
	}
	return Other
}
