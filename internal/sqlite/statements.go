package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"runtime"
	"strings"

	"modernc.org/sqlite"
)

// keptStatements is how many prepared statements a connection keeps. The program
// has about as many; those with conditions put together come on top.
const keptStatements = 256

// open returns a pool whose connections keep what they prepared: to read a
// statement's text takes SQLite about as long as to run it.
func open(dsn string) (*sql.DB, error) {
	// A commit waits for its bytes and not, as with fsync, for the time of the file's last change,
	// which a file system with a journal waits for once more.
	_, _ = sqlite.Fdatasync(true) // macOS and Windows have none
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
	own, err := handleOf(connection)
	if err != nil {
		return nil, errors.Join(err, connection.Close())
	}
	own.ownLog()
	return &conn{session: s, own: own, kept: map[string]*statement{}}, nil
}

// using runs fn with a connection of a pool. database/sql gives it out and takes it back and
// does nothing in between: it would start goroutines for each transaction and each query.
func using(ctx context.Context, pool *sql.DB, fn func(*conn) error) error {
	one, err := pool.Conn(ctx)
	if err != nil {
		return fmt.Errorf("sqlite: connect: %w", err)
	}
	defer func() { _ = one.Close() }() // it goes back to its pool
	return with(one, fn)
}

// with runs fn with a connection that its pool has given out.
func with(one *sql.Conn, fn func(*conn) error) error {
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

// conn is a connection with the statements it keeps. Statements of transactions go to SQLite
// itself, by one goroutine at a time; those of database/sql go through the driver.
type conn struct {
	session
	own   handle
	kept  map[string]*statement // by text
	began bool                  // a transaction
	lost  error                 // what may have ended it
	texts texts                 // that it changes
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
		c.own.keepPages()
	}
	if err := c.order(text); err != nil {
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
	err := t.writeTexts()
	t.texts.failing = t.texts.failing || err != nil
	if err == nil {
		done := t.own.log.gather()
		err = t.order("COMMIT")
		done()
		t.own.log.hasten()
	}
	if err != nil {
		_ = t.Rollback() // it may have ended
	}
	t.began = false
	t.texts.forget()
	return err
}

// Rollback implements driver.Tx.
func (t transaction) Rollback() error {
	t.began, t.lost = false, nil
	t.texts.forget()
	return t.order("ROLLBACK")
}

// order runs a statement that has no values.
func (c *conn) order(query string) error {
	_, _, err := c.run(query, nil)
	return err
}

// run runs a statement to its end, and returns how many rows it changed and the number of the
// last one that was inserted.
func (c *conn) run(query string, args []any) (changed, id int64, err error) {
	s, err := c.statement(query)
	if err != nil {
		return 0, 0, err
	}
	more, err := s.start(args)
	for more && err == nil {
		more, err = s.step()
	}
	if err == nil {
		changed, id = s.changed()
		c.texts.follow(query)
	}
	return changed, id, c.done(query, s, err)
}

// done gives back a statement that ran, with what failed, and returns that.
func (c *conn) done(query string, s *statement, err error) error {
	if failed := s.reset(); err == nil {
		err = failed
	}
	s.busy = false
	if err != nil || !s.kept {
		c.drop(query, s)
	}
	return c.noted(err)
}

// noted keeps an error after which SQLite may have taken back the transaction: what followed
// would be written for itself.
func (c *conn) noted(err error) error {
	if c.began && err != nil && endsTransaction(err) {
		c.lost = err
	}
	return err
}

// statement returns the statement kept for a text, prepared now if there is none, or one of
// its own while that one is busy. A setting is not kept: it takes effect when it is prepared.
func (c *conn) statement(query string) (*statement, error) {
	if c.lost != nil {
		return nil, fmt.Errorf("after %w", c.lost)
	}
	known, ok := c.kept[query]
	if ok && !known.busy {
		known.busy = true
		return known, nil
	}
	keep := !ok && !strings.HasPrefix(query, "PRAGMA")
	s, err := c.own.prepare(query, keep)
	if err != nil {
		return nil, err
	}
	if keep {
		c.makeRoom()
		c.kept[query], s.kept = s, true
	}
	s.busy = true
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

// drop closes a statement: another took its place, or it failed and nobody should depend on
// what a failure leaves behind.
func (c *conn) drop(query string, s *statement) {
	if s.kept {
		delete(c.kept, query)
	}
	s.close()
}

// Close implements driver.Conn.
func (c *conn) Close() error {
	for query, s := range c.kept {
		c.drop(query, s)
	}
	err := c.session.Close()
	runtime.KeepAlive(c) // with its log
	return err
}
