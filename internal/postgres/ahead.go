package postgres

import (
	"bytes"
	"slices"

	"guiche/internal/store/engine"

	"github.com/jackc/pgx/v5/pgconn"
)

// ahead is a query that comes soon.
type ahead struct {
	statement *statement
	values    [][]byte
	formats   []int16

	fields []pgconn.FieldDescription
	rows   [][][]byte
}

// Ahead implements what engine.Tx asks of it. A statement whose types are not known yet is asked when it comes.
func (c *conn) Ahead(query string, args []any) {
	s := c.db.statement(query)
	if c.write || s.shape.Load() == nil || c.bind(args) != nil {
		return
	}
	c.soon = append(c.soon, &ahead{statement: s, values: slices.Clone(c.values), formats: slices.Clone(c.formats)})
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

func (a *ahead) is(s *statement, values [][]byte) bool {
	return a.statement == s && slices.EqualFunc(a.values, values, sameValue)
}

// sameValue compares two values, of which nil is NULL.
func sameValue(a, b []byte) bool { return bytes.Equal(a, b) && (a == nil) == (b == nil) }

// wasAsked returns what a query that is about to run returned when it was asked ahead, nil otherwise.
// Nothing changes in a snapshot.
func (c *conn) wasAsked(s *statement) engine.Cursor {
	same := func(a *ahead) bool { return a.is(s, c.values) }
	c.soon = slices.DeleteFunc(c.soon, same)
	if at := slices.IndexFunc(c.ahead, same); at >= 0 {
		return &cursor{conn: c, fields: c.ahead[at].fields, rest: c.ahead[at].rows, ended: true}
	}
	return nil
}
