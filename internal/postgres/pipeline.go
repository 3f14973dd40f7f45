package postgres

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/jackc/pgx/v5/pgconn"
)

// results are what a statement returns.
type results interface {
	NextRow() bool
	Values() [][]byte
	FieldDescriptions() []pgconn.FieldDescription
	Close() (pgconn.CommandTag, error)
}

// start begins the transaction, where it has not begun, runs what waits, and the statement, if there is
// one: all that is sent at once. Who writes waits for others where it begins and nowhere else, so that
// nothing else is interrupted: see run.
func (c *conn) start(ctx context.Context, s *statement) (results, error) {
	soon := c.soon
	var before []waiting
	for _, b := range c.beginning(s) {
		before = append(before, waiting{statement: b})
	}
	before = append(before, c.later...)
	c.later, c.soon = nil, nil
	q := &queue{ctx: ctx, unnamed: c.db.unnamed.Load(), soon: soon}
	if !q.unnamed {
		if err := c.makeRoom(ctx, len(before)+len(q.soon)+1); err != nil {
			return nil, err
		}
		q.kept = c.kept()
	}
	q.pipeline = c.pg.StartPipeline(ctx)
	for _, b := range before {
		q.send(b)
	}
	for _, a := range q.soon {
		q.send(a.waiting)
	}
	if s != nil {
		q.send(waiting{s, c.values, c.formats})
	}
	found, err := q.results(len(before), s != nil)
	if err == nil {
		c.ahead = append(c.ahead, q.soon...)
		return found, nil
	}
	_ = q.pipeline.Close() // what failed is told already
	var said *pgconn.PgError
	if !errors.As(err, &said) {
		c.giveUp()
	}
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return nil, err
}

// beginning is what the transaction begins with before a statement, nothing once it has. What is sent at once is a
// transaction of its own: one that reads once ends with its statement, and has neither BEGIN nor COMMIT.
func (c *conn) beginning(s *statement) (all []*statement) {
	if c.begin == nil {
		return nil
	}
	all = c.begin.statements
	if c.single && s != nil {
		c.single = false
		return all[1:]
	}
	c.begin = nil
	return all
}

// giveUp ends a connection of which the server has not said what is wrong: it may have ended long ago.
func (c *conn) giveUp() {
	ctx, cancel := context.WithTimeout(context.Background(), endWithin)
	defer cancel()
	_ = c.pg.Close(ctx) // what failed is told already
}

// queue are statements that are sent at once.
type queue struct {
	ctx      context.Context // of the statements
	pipeline *pgconn.Pipeline
	unnamed  bool
	kept     kept     // by the server, where it keeps any
	asked    []string // names of those that it is asked to keep, in their order
	soon     []*ahead
}

func (q *queue) send(w waiting) {
	s, types := w.statement, w.statement.shape.Load()
	if q.unnamed {
		q.pipeline.SendQueryParams(s.text, w.values, types.params, w.formats, types.formats)
		return
	}
	if q.kept[s.name] == nil && !slices.Contains(q.asked, s.name) {
		q.pipeline.SendPrepare(s.name, s.text, types.params)
		q.asked = append(q.asked, s.name)
	}
	q.pipeline.SendQueryPrepared(s.name, w.values, w.formats, types.formats)
}

// results reads what so many statements return that nobody reads, keeps what was asked ahead, and
// returns what the one after them does, if there is one.
func (q *queue) results(before int, after bool) (results, error) {
	if err := q.pipeline.Sync(); err != nil {
		return nil, err
	}
	for range before {
		if err := q.skip(); err != nil {
			return nil, err
		}
	}
	for _, a := range q.soon {
		found, err := q.next()
		if err == nil {
			err = a.read(found)
		}
		if err != nil {
			return nil, err
		}
	}
	if !after {
		return nil, q.pipeline.Close()
	}
	found, err := q.next()
	if err != nil {
		return nil, err
	}
	return &firstResults{found, q.ctx, q.pipeline}, nil
}

func (q *queue) skip() error {
	found, err := q.next()
	if err == nil {
		_, err = found.Close()
	}
	return err
}

// next are the results of the next statement.
func (q *queue) next() (*pgconn.ResultReader, error) {
	for {
		found, err := q.pipeline.GetResults()
		if err != nil {
			return nil, err
		}
		switch found := found.(type) {
		case *pgconn.StatementDescription:
			q.kept[q.asked[0]], q.asked = found, q.asked[1:]
		case *pgconn.ResultReader:
			return found, nil
		default:
			return nil, errNoResults
		}
	}
}

// errNoResults says that the server answered fewer statements than were sent.
var errNoResults = errors.New("postgres: an answer is missing")

// firstResults are those of the statement with which a transaction began.
type firstResults struct {
	*pgconn.ResultReader
	ctx      context.Context // of the statement
	pipeline *pgconn.Pipeline
}

// Close implements results.
func (r *firstResults) Close() (pgconn.CommandTag, error) {
	tag, err := r.ResultReader.Close()
	if err = cmp.Or(err, r.pipeline.Close()); err != nil && r.ctx.Err() != nil {
		err = r.ctx.Err()
	}
	return tag, err
}
