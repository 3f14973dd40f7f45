package postgres

import (
	"fmt"
	"slices"
	"time"
)

const (
	// statementWithin bounds one statement, so that none outlives who waits for it by much.
	statementWithin = time.Minute
	// lockWithin bounds the wait for another transaction.
	lockWithin = 15 * time.Second
	// idleWithin ends the transaction of a process that stopped in it. Who reads holds nobody up.
	idleWithin = time.Minute
	// idleWriting is idleWithin of who may hold locks: no other process waits for much longer than
	// that. A process that merely was slow finds its transaction gone, and repeats it.
	idleWriting = 5 * time.Second
)

// beginnings are what transactions begin with. What a connection is told is of its transaction
// alone: PgBouncer may give the next one another connection.
type beginnings struct {
	schema                      string
	read, write, alone, derived *beginning
	commit                      *statement
	byValue, byAny              *statement // how statements are planned that follow
}

// beginning are the statements that a transaction begins with.
type beginning struct {
	statements []*statement
	// waits says that they are sent before anything else is done, not with the first statement.
	waits bool
}

func (db *DB) begins(schema string) {
	db.begin.schema = schema
	// To plan most statements takes longer than to run them, to compile them longer still: see statement.
	settings := func(idle time.Duration) string {
		return `SELECT set_config('search_path', '` + schema + `', true), set_config('plan_cache_mode', 'force_generic_plan', true),
			set_config('jit', 'off', true)` + setting("statement_timeout", statementWithin) + setting("idle_in_transaction_session_timeout", idle)
	}
	writing := settings(idleWriting)
	// Whoever writes alone waits for the others, and they for it, before they see anything: settings
	// are a query, which is the first thing that sees.
	write := []string{`BEGIN ISOLATION LEVEL SERIALIZABLE`, fmt.Sprintf(`SET LOCAL lock_timeout = %d`, lockWithin.Milliseconds())}
	lock := `LOCK TABLE ` + schema + `.schema_floor IN `
	together := append(slices.Clone(write), lock+`ROW SHARE MODE`)
	db.begin.read = &beginning{statements: db.fixed(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`, settings(idleWithin))}
	db.begin.write = &beginning{statements: db.fixed(append(slices.Clone(together), writing)...)}
	db.begin.derived = &beginning{statements: db.fixed(append(slices.Clone(together),
		writing+`, set_config('synchronous_commit', 'off', true)`)...)}
	db.begin.byAny = db.fixed(`SET LOCAL plan_cache_mode = force_generic_plan`)[0]
	db.begin.byValue = db.fixed(`SET LOCAL plan_cache_mode = force_custom_plan`)[0]
	db.begin.commit = db.fixed(`COMMIT`)[0]
	db.begin.alone = &beginning{statements: db.fixed(append(write, lock+`EXCLUSIVE MODE`, writing)...), waits: true}
}

func setting(name string, d time.Duration) string {
	return fmt.Sprintf(`, set_config('%s', '%d', true)`, name, d.Milliseconds())
}

// fixed are statements without values, of which nobody reads what they return.
func (db *DB) fixed(texts ...string) (all []*statement) {
	for _, text := range texts {
		s := db.statement(text)
		s.shape.Store(&shape{})
		all = append(all, s)
	}
	return all
}
