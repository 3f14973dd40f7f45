package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"strings"

	"modernc.org/sqlite"
)

// keptStatements is how many prepared statements a connection keeps. The program
// has about as many; those with conditions put together come on top.
const keptStatements = 256

// open returns a pool whose connections keep what they prepared: to read a
// statement's text takes SQLite about as long as to run it.
func open(dsn string) (*sql.DB, error) {
	connect, err := sqlite.NewConnector(dsn)
	if err != nil {
		return nil, err
	}
	return sql.OpenDB(connector{connect}), nil
}

type connector struct{ driver.Connector }

func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	connection, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	s, ok := connection.(session)
	if !ok {
		return nil, fmt.Errorf("sqlite: the driver's connection is a %T", connection)
	}
	handle, err := handleOf(connection)
	if err != nil {
		return nil, errors.Join(err, connection.Close())
	}
	return &conn{session: s, handle: handle, kept: map[string]*statement{}}, nil
}

// using runs fn with a connection of a pool. database/sql gives it out and takes it back and
// does nothing in between: it would start goroutines for each transaction and each query.
func using(ctx context.Context, pool *sql.DB, fn func(*conn) error) error {
	one, err := pool.Conn(ctx)
	if err != nil {
		return fmt.Errorf("sqlite: connect: %w", err)
	}
	defer func() { _ = one.Close() }() // it goes back to its pool
	return one.Raw(func(connection any) error {
		c, ok := connection.(*conn)
		if !ok {
			return fmt.Errorf("sqlite: the connection is a %T", connection)
		}
		return fn(c)
	})
}

// session is what database/sql uses of the driver's connection.
type session interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// conn is a connection with the statements it keeps. database/sql uses it, its
// statements and their rows by one goroutine at a time.
type conn struct {
	session
	handle uintptr               // SQLite's own
	kept   map[string]*statement // by text
	began  bool                  // a transaction
	lost   error                 // what may have ended it
	args   []driver.NamedValue   // of the statement that is about to run
}

// statement is a prepared statement. It is busy while its rows are read: the same
// text asked meanwhile is another statement.
type statement struct {
	prepared
	busy   bool
	values []driver.Value // of the row at hand
}

type prepared interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// BeginTx implements driver.ConnBeginTx: with statements that are kept as well. What may
// write takes its place at once, never by a read that fails when it turns into a write.
func (c *conn) BeginTx(ctx context.Context, o driver.TxOptions) (driver.Tx, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	text := "BEGIN IMMEDIATE"
	if o.ReadOnly {
		text = "BEGIN"
	}
	// Without its end, which could be reported of a transaction that has begun.
	if _, err := c.ExecContext(context.WithoutCancel(ctx), text, nil); err != nil {
		return nil, err
	}
	c.began = true
	return transaction{c}, nil
}

// transaction is the one that a connection has begun.
type transaction struct{ *conn }

// Commit implements driver.Tx. A commit that fails may leave the transaction open, which
// database/sql does not expect.
func (t transaction) Commit() error {
	_, err := t.ExecContext(context.Background(), "COMMIT", nil)
	if err != nil {
		_ = t.Rollback() // it may have ended
	}
	t.began = false
	return err
}

// Rollback implements driver.Tx.
func (t transaction) Rollback() error {
	t.began, t.lost = false, nil
	_, err := t.ExecContext(context.Background(), "ROLLBACK", nil)
	return err
}

// ExecContext implements driver.ExecerContext.
func (c *conn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	s, err := c.statement(ctx, query)
	if err != nil {
		return nil, err
	}
	if s == nil {
		result, err := c.session.ExecContext(ctx, query, args)
		return result, c.noted(err)
	}
	result, err := s.ExecContext(ctx, args)
	if err != nil {
		c.drop(query, s)
	}
	return result, c.noted(err)
}

// noted keeps an error after which SQLite may have taken back the transaction: what followed
// would be written for itself.
func (c *conn) noted(err error) error {
	if c.began && err != nil && endsTransaction(err) {
		c.lost = err
	}
	return err
}

// QueryContext implements driver.QueryerContext.
func (c *conn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	found, err := c.query(ctx, query, args)
	if err != nil {
		return nil, err
	}
	return found, nil
}

func (c *conn) query(ctx context.Context, query string, args []driver.NamedValue) (*rows, error) {
	s, err := c.statement(ctx, query)
	if err != nil {
		return nil, err
	}
	if s == nil {
		found, err := c.session.QueryContext(ctx, query, args)
		if err != nil {
			return nil, c.noted(err)
		}
		return &rows{Rows: found, values: make([]driver.Value, len(found.Columns()))}, nil
	}
	found, err := s.QueryContext(ctx, args)
	if err != nil {
		c.drop(query, s)
		return nil, c.noted(err)
	}
	s.busy = true
	if s.values == nil {
		s.values = make([]driver.Value, len(found.Columns()))
	}
	return &rows{Rows: found, conn: c, query: query, of: s, values: s.values}, nil
}

// statement returns the statement kept for a text, prepared now if there is none,
// nil when that one is busy. A setting is not kept: it takes effect when it is prepared.
func (c *conn) statement(ctx context.Context, query string) (*statement, error) {
	if c.lost != nil {
		return nil, fmt.Errorf("after %w", c.lost)
	}
	if strings.HasPrefix(query, "PRAGMA") {
		return nil, nil
	}
	if s, ok := c.kept[query]; ok {
		if s.busy {
			return nil, nil
		}
		return s, nil
	}
	found, err := c.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	ready, ok := found.(prepared)
	if !ok {
		return nil, errors.Join(fmt.Errorf("sqlite: the driver's statement is a %T", found), found.Close())
	}
	c.makeRoom()
	s := &statement{prepared: ready}
	c.kept[query] = s
	return s, nil
}

// makeRoom drops any statement that is not busy when there are enough.
func (c *conn) makeRoom() {
	if len(c.kept) < keptStatements {
		return
	}
	for query, s := range c.kept {
		if !s.busy {
			c.drop(query, s)
			return
		}
	}
}

// drop keeps a statement no longer: another took its place, or it failed and
// nobody should depend on what a failure leaves behind.
func (c *conn) drop(query string, s *statement) {
	delete(c.kept, query)
	_ = s.Close() // repeats the error of its last use
}

// Close implements driver.Conn.
func (c *conn) Close() error {
	for query, s := range c.kept {
		c.drop(query, s)
	}
	return c.session.Close()
}

// rows tell their statement when they are closed, and whether reading them failed.
type rows struct {
	driver.Rows
	values []driver.Value // of the row at hand, for a cursor

	conn  *conn
	query string
	of    *statement // nil if it is not kept
	err   error
}

// Next implements driver.Rows.
func (r *rows) Next(dest []driver.Value) error {
	err := r.Rows.Next(dest)
	if err != nil && !errors.Is(err, io.EOF) {
		r.err = err
	}
	return err
}

// Close implements driver.Rows.
func (r *rows) Close() error {
	err := r.Rows.Close()
	if r.of == nil {
		return err
	}
	r.of.busy = false
	clear(r.values)
	if failed := errors.Join(r.err, err); failed != nil {
		r.conn.drop(r.query, r.of)
		_ = r.conn.noted(failed)
	}
	return err
}
