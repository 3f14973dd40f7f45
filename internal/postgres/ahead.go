package postgres

import (
	"bytes"
	"context"
	"slices"

	"guiche/internal/store/engine"

	"github.com/jackc/pgx/v5/pgconn"
)

// waiting is a statement that goes to the server with the next one.
type waiting struct {
	statement *statement
	values    [][]byte
	formats   []int16
}

// ahead is a query that comes soon.
type ahead struct {
	waiting
	fields []pgconn.FieldDescription
	rows   [][][]byte
}

// Ahead implements what engine.Tx asks of it. A statement whose types are not known yet is asked when it comes.
func (c *conn) Ahead(query string, args []any) {
	s := c.db.statement(query)
	if c.write || s.shape.Load() == nil || c.bind(args) != nil {
		return
	}
	a := &ahead{waiting: c.waiting(s)}
	same := func(b *ahead) bool { return b.is(a.statement, a.values) }
	if !slices.ContainsFunc(c.soon, same) && !slices.ContainsFunc(c.ahead, same) {
		c.soon = append(c.soon, a)
	}
}

// Single implements what engine.Tx asks of it.
func (c *conn) Single() { c.single = c.begin == c.db.begin.read && len(c.soon) == 0 && !c.goesOn }

// waiting is a statement with the values that were bound last.
func (c *conn) waiting(s *statement) waiting {
	return waiting{s, copied(c.values), slices.Clone(c.formats)}
}

// ExecLater implements what engine.Tx asks of it. A statement whose types are not known yet runs now.
func (c *conn) ExecLater(ctx context.Context, query string, args []any) error {
	s := c.db.statement(query)
	if s.shape.Load() == nil {
		_, err := c.Exec(ctx, query, args)
		return err
	}
	if err := c.bind(args); err != nil {
		return err
	}
	c.later = append(c.later, c.waiting(s))
	return nil
}

// read keeps what the query returns.
func (a *ahead) read(found *pgconn.ResultReader) error {
	a.fields = slices.Clone(found.FieldDescriptions())
	for found.NextRow() {
		a.rows = append(a.rows, copied(found.Values()))
	}
	_, err := found.Close()
	return err
}

func (w waiting) is(s *statement, values [][]byte) bool {
	return w.statement == s && slices.EqualFunc(w.values, values, sameValue)
}

// sameValue compares two values, of which nil is NULL.
func sameValue(a, b []byte) bool { return bytes.Equal(a, b) && (a == nil) == (b == nil) }

// wasAsked returns what a query that is about to run returned when it was asked ahead, nil otherwise.
// Nothing changes in a snapshot.
func (c *conn) wasAsked(ctx context.Context, s *statement) (engine.Cursor, error) {
	same := func(a *ahead) bool { return a.is(s, c.values) }
	if slices.ContainsFunc(c.soon, same) {
		if err := c.readOpen(); err != nil {
			return nil, err
		}
		if _, err := c.start(ctx, nil); err != nil {
			return nil, c.noted(err)
		}
	}
	if at := slices.IndexFunc(c.ahead, same); at >= 0 {
		c.notes(s)
		return &cursor{conn: c, fields: c.ahead[at].fields, rest: c.ahead[at].rows, ended: true}, nil
	}
	return nil, nil
}
