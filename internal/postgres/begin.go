package postgres

import (
	"fmt"
	"time"
)

const (
	// statementWithin bounds one statement, so that none outlives who waits for it by much.
	statementWithin = time.Minute
	// lockWithin bounds the wait for another transaction.
	lockWithin = 15 * time.Second
	// idleWithin ends the transaction of a process that stopped in it, with its locks.
	idleWithin = time.Minute
)

// beginnings are what transactions begin with, each sent at once. What a connection is told
// is of its transaction alone: PgBouncer may give the next one another connection.
type beginnings struct {
	schema                      string
	read, write, alone, derived string
}

func beginningsOf(schema string) beginnings {
	settings := fmt.Sprintf(`; SET LOCAL search_path = %s; SET LOCAL statement_timeout = %d; SET LOCAL lock_timeout = %d;
		SET LOCAL idle_in_transaction_session_timeout = %d`,
		schema, statementWithin.Milliseconds(), lockWithin.Milliseconds(), idleWithin.Milliseconds())
	write := `BEGIN ISOLATION LEVEL SERIALIZABLE` + settings
	// Whoever writes alone waits for the others, and they for it, before they see anything.
	const lock = `; LOCK TABLE schema_floor IN `
	together := write + lock + `ROW SHARE MODE`
	return beginnings{
		schema:  schema,
		read:    `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY` + settings,
		write:   together,
		alone:   write + lock + `EXCLUSIVE MODE`,
		derived: together + `; SET LOCAL synchronous_commit = off`,
	}
}
