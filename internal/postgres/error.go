package postgres

import (
	"context"
	"errors"
	"fmt"

	"guiche/internal/store/engine"

	"github.com/jackc/pgx/v5/pgconn"
)

// SQLSTATEs that something is done about.
const (
	uniqueViolation      = "23505"
	serializationFailure = "40001"
	deadlockDetected     = "40P01"
	noSuchStatement      = "26000"
	duplicateStatement   = "42P05"
	diskFull             = "53100"
	lockNotAvailable     = "55P03"
	queryCanceled        = "57014"
	insufficientRight    = "42501"
	readOnly             = "25006"
	notSupported         = "0A000"
)

// serverError is what the server said. Its message is left out where it may quote a value.
type serverError struct{ code, message string }

func (e *serverError) Error() string {
	if e.message == "" {
		return "SQLSTATE " + e.code
	}
	return e.message + " (SQLSTATE " + e.code + ")"
}

// quiet are the classes of errors whose messages name tables, columns, tokens of statements
// and settings alone.
var quiet = map[string]bool{
	"08": true, "0A": true, "23": true, "25": true, "26": true, "40": true, "42": true, "53": true, "55": true, "57": true, "58": true,
}

// failure returns an error of the driver as callers see it: what it was and what is done
// about it, by code and never by text. The details in which the server quotes values go.
func failure(err error) error {
	var server *pgconn.PgError
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.As(err, &server):
		said := &serverError{code: server.Code}
		if quiet[server.Code[:2]] {
			said.message = server.Message
		}
		return &engine.Failure{Kind: kindOf(server.Code), Err: said}
	default:
		return &engine.Failure{Kind: engine.OutOfReach, Err: fmt.Errorf("connection: %w", err)}
	}
}

// ErrRefused says that the server lets nobody in as its address says: while it works that passes
// once the password or the database is there again, at a start it is a mistake in the address.
var ErrRefused = errors.New("the server lets nobody in with this address")

// refusals say why. The server's own words quote names of users and databases.
var refusals = map[string]string{
	"28P01": "user or password is wrong",
	"28000": "it does not take this user",
	"3D000": "it has no such database",
	"42501": "this user has no right to connect to the database",
	"55000": "the database takes no connections",
}

// unconnected returns why there is no connection: who is refused has changed nothing.
func unconnected(err error) error {
	err = failure(err)
	why, refused := refusals[codeOf(err)]
	if !refused {
		return err
	}
	return &engine.Failure{Kind: engine.OutOfReach, Err: fmt.Errorf("%w: %w", ErrRefused, &serverError{codeOf(err), why})}
}

func kindOf(code string) engine.Kind {
	switch code {
	case uniqueViolation:
		return engine.Unique
	case lockNotAvailable, queryCanceled, serializationFailure, deadlockDetected:
		return engine.OutOfReach
	case diskFull:
		return engine.Other
	}
	switch code[:2] {
	case "08", "53", "57": // connection, resources, an operator
		return engine.OutOfReach
	case "22", "23": // data, constraints
		return engine.Content
	}
	return engine.Other
}

// IsAway reports whether an error means that the server does not answer: it is not there, starts,
// ends, or lets nobody in.
func IsAway(err error) bool {
	var failure *engine.Failure
	if !errors.As(err, &failure) || failure.Kind != engine.OutOfReach {
		return false
	}
	code := codeOf(err)
	return code == "" || code[:2] == "08" || code[:3] == "57P" || errors.Is(err, ErrRefused)
}

// codeOf is the SQLSTATE of an error, "" without one.
func codeOf(err error) string {
	var server *pgconn.PgError
	var said *serverError
	switch {
	case errors.As(err, &server):
		return server.Code
	case errors.As(err, &said):
		return said.code
	}
	return ""
}
