package postgres

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"guiche/internal/store/engine"

	"github.com/jackc/pgx/v5/pgconn"
)

// conn is a transaction on a connection. It implements engine.Conn.
type conn struct {
	db      *DB
	pg      *pgconn.PgConn
	write   bool
	begin   *beginning         // until the transaction has begun
	single  bool               // the next query is all that it reads
	goesOn  bool               // several functions read in it, see reading
	asked   []waiting          // what they asked
	read    bool               // all that it reads
	open    *cursor            // that reads from the connection
	later   []waiting          // not run yet
	soon    []*ahead           // not asked yet
	ahead   []*ahead           // asked
	byValue bool               // statements are planned for their values
	ids     map[string][]int64 // given out by the server and not used yet, by table

	failed error // the first failure of a statement since the transaction's beginning or its savepoint

	values  [][]byte // of the statement that is about to run
	formats []int16
}

// kept are the statements that a connection has on the server, by name.
type kept map[string]*pgconn.StatementDescription

// mostKept is how many those are. The program has about as many.
const mostKept = 512

// Exec implements engine.Conn.
func (c *conn) Exec(ctx context.Context, query string, args []any) (changed int64, err error) {
	c.single = false
	found, err := c.run(ctx, query, args)
	if err != nil {
		return 0, err
	}
	tag, err := found.Close()
	if err == nil && strings.HasPrefix(query, "ROLLBACK TO") {
		c.failed = nil
	}
	return tag.RowsAffected(), c.noted(err)
}

// InsertID implements engine.Conn.
func (c *conn) InsertID(ctx context.Context, query string, args []any) (id int64, err error) {
	return c.number(ctx, query+` RETURNING id`, args...)
}

// number is what a query returns that returns one number.
func (c *conn) number(ctx context.Context, query string, args ...any) (n int64, err error) {
	found, err := c.Query(ctx, query, args)
	if err != nil {
		return 0, err
	}
	if err := found.Next(); err != nil {
		if errors.Is(err, io.EOF) {
			err = fmt.Errorf("postgres: %w: %w", sql.ErrNoRows, err)
		}
		return 0, err
	}
	if err := found.Scan([]any{&n}); err != nil {
		_ = found.Close()
		return 0, err
	}
	return n, found.Close()
}

// idsAtOnce is how many numbers are asked for at once by who writes many rows.
const idsAtOnce = 32

// NextID implements engine.Conn. Numbers may be left out.
func (c *conn) NextID(ctx context.Context, table string, last int64) (int64, error) {
	const next = `SELECT nextval(pg_get_serial_sequence(?, 'id'))`
	if last == 0 && len(c.ids[table]) == 0 {
		return c.number(ctx, next, table)
	}
	if len(c.ids[table]) == 0 {
		if err := c.reserve(ctx, next+` FROM generate_series(1, ?)`, table); err != nil {
			return 0, err
		}
	}
	id := c.ids[table][0]
	c.ids[table] = c.ids[table][1:]
	return id, nil
}

func (c *conn) reserve(ctx context.Context, query, table string) error {
	found, err := c.Query(ctx, query, []any{table, idsAtOnce})
	if err != nil {
		return err
	}
	if c.ids == nil {
		c.ids = map[string][]int64{}
	}
	for err = found.Next(); err == nil; err = found.Next() {
		var id int64
		if err := found.Scan([]any{&id}); err != nil {
			return err
		}
		c.ids[table] = append(c.ids[table], id)
	}
	return found.Close()
}

// DeleteCopies implements engine.Conn.
func (c *conn) DeleteCopies(ctx context.Context, query string, args []any) error {
	_, err := c.Exec(ctx, query, args)
	return err
}

// HasTable implements engine.Conn.
func (c *conn) HasTable(ctx context.Context, name string) (bool, error) {
	n, err := c.number(ctx, `SELECT (to_regclass(quote_ident(?)) IS NOT NULL)::int`, name)
	return n == 1, err
}

// HasColumn implements engine.Conn.
func (c *conn) HasColumn(ctx context.Context, table, column string) (bool, error) {
	n, err := c.number(ctx, `SELECT count(*) FROM information_schema.columns
		WHERE table_schema = current_schema() AND table_name = ? AND column_name = ?`, table, column)
	return n == 1, err
}

// Query implements engine.Conn.
func (c *conn) Query(ctx context.Context, query string, args []any) (engine.Cursor, error) {
	if len(c.soon)+len(c.ahead) > 0 && c.bind(args) == nil {
		if found, err := c.wasAsked(ctx, c.db.statement(query)); found != nil || err != nil {
			return found, err
		}
	}
	found, err := c.run(ctx, query, args)
	if err != nil {
		return nil, err
	}
	c.notes(c.db.statement(query))
	c.open = &cursor{conn: c, found: found}
	return c.open, nil
}

// run sends a statement. A connection answers one statement after the other, so what is
// still to be read of the one before is read first. What writes is not interrupted.
func (c *conn) run(ctx context.Context, query string, args []any) (results, error) {
	if err := c.readOpen(); err != nil {
		return nil, err
	}
	if err := c.bind(args); err != nil {
		return nil, err
	}
	if c.write && c.begin == nil {
		ctx = context.WithoutCancel(ctx)
	}
	s := c.db.statement(query)
	c.plan(s.byValue)
	if c.begin != nil || len(c.later)+len(c.soon) > 0 {
		if s.shape.Load() != nil {
			found, err := c.start(ctx, s)
			return found, c.noted(err)
		}
		if _, err := c.start(ctx, nil); err != nil { // what the statement names is found in the transaction
			return nil, c.noted(err)
		}
	}
	if c.write {
		ctx = context.WithoutCancel(ctx)
	}
	types, err := c.shape(ctx, s)
	if err != nil {
		return nil, c.noted(err)
	}
	if c.db.unnamed.Load() {
		return c.pg.ExecParams(ctx, s.text, c.values, types.params, c.formats, types.formats), nil
	}
	if err := c.keep(ctx, s, types); err != nil {
		return nil, c.noted(err)
	}
	return c.pg.ExecPrepared(ctx, s.name, c.values, c.formats, types.formats), nil
}

// plan has statements from here on planned for their values, or once for any.
func (c *conn) plan(byValue bool) {
	if c.byValue == byValue {
		return
	}
	how := c.db.begin.byAny
	if byValue {
		how = c.db.begin.byValue
	}
	c.byValue = byValue
	c.later = append(c.later, waiting{statement: how})
}

// readOpen reads what is still to be read of the statement before.
func (c *conn) readOpen() error {
	if c.open == nil {
		return nil
	}
	return c.open.readAll()
}

// shape returns the types of a statement, asked of the server once.
func (c *conn) shape(ctx context.Context, s *statement) (*shape, error) {
	if known := s.shape.Load(); known != nil {
		return known, nil
	}
	described, err := c.pg.Prepare(ctx, "", s.text, nil)
	if err != nil {
		return nil, err
	}
	types := shapeOf(described)
	s.shape.Store(types)
	return types, nil
}

// keep has the server keep a statement for this connection.
func (c *conn) keep(ctx context.Context, s *statement, types *shape) error {
	all := c.kept()
	if all[s.name] != nil {
		return nil
	}
	if err := c.makeRoom(ctx, 1); err != nil {
		return err
	}
	described, err := c.pg.Prepare(ctx, s.name, s.text, types.params)
	if err == nil {
		all[s.name] = described
	}
	return err
}

const keptKey = "guiche"

// kept are the statements that the server keeps for the connection.
func (c *conn) kept() kept {
	all, _ := c.pg.CustomData()[keptKey].(kept)
	if all == nil {
		all = kept{}
		c.pg.CustomData()[keptKey] = all
	}
	return all
}

// makeRoom has the server forget statements, so that it can keep so many more.
func (c *conn) makeRoom(ctx context.Context, n int) error {
	all := c.kept()
	for other := range all {
		if len(all)+n <= mostKept {
			break
		}
		delete(all, other)
		if err := c.pg.Deallocate(ctx, other); err != nil {
			return err
		}
	}
	return nil
}

// noted keeps the first failure of the transaction: no statement goes on after it.
func (c *conn) noted(err error) error {
	err = failure(err)
	if !errors.Is(err, context.DeadlineExceeded) { // who asked waits no longer
		c.db.forget(err)
	}
	if c.takesNothing(err) {
		err = &engine.Failure{Kind: engine.OutOfReach, Err: err}
	}
	if c.failed == nil {
		c.failed = err
	}
	return err
}

// takesNothing reports whether the server refused a transaction because it takes nothing new: a standby refuses its
// beginning, one that was set so its first change.
func (c *conn) takesNothing(err error) bool {
	switch codeOf(err) {
	case readOnly:
		return c.write
	case notSupported:
		return c.write && c.pg.TxStatus() == 'I'
	}
	return false
}

// bind writes the values of a statement as the server reads them: as texts, and bytes as they
// are.
func (c *conn) bind(args []any) error {
	c.values, c.formats = c.values[:0], c.formats[:0]
	for i, arg := range args {
		value, format, err := wire(arg)
		if err != nil {
			return fmt.Errorf("postgres: value %d: %w", i+1, err)
		}
		c.values, c.formats = append(c.values, value), append(c.formats, format)
	}
	return nil
}

// Formats of the protocol.
const (
	asText  int16 = 0
	asBytes int16 = 1
)

func wire(arg any) (value []byte, format int16, err error) {
	switch v := arg.(type) {
	case nil:
		return nil, asText, nil
	case []byte:
		return v, asBytes, nil // nil is NULL
	case string:
		return append(make([]byte, 0, len(v)), v...), asText, nil // empty is no NULL
	case int64:
		return strconv.AppendInt(nil, v, 10), asText, nil
	case int:
		return strconv.AppendInt(nil, int64(v), 10), asText, nil
	case float64:
		return strconv.AppendFloat(nil, v, 'g', -1, 64), asText, nil
	case bool:
		if v {
			return []byte("1"), asText, nil
		}
		return []byte("0"), asText, nil
	}
	converted, err := driver.DefaultParameterConverter.ConvertValue(arg)
	if err != nil {
		return nil, 0, err
	}
	if _, same := converted.(interface{ IsZero() bool }); same {
		return nil, 0, fmt.Errorf("%T is bound as a number, see engine.Micros", arg)
	}
	return wire(converted)
}
