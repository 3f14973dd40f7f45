package sqlite

import (
	"bytes"
	"cmp"
	"context"
	"database/sql/driver"
	"fmt"
	"io"

	"guiche/internal/store/engine"

	"github.com/google/uuid"

	sqlite3 "modernc.org/sqlite/lib"
)

// conn is a transaction to whoever was given one.
var _ engine.Conn = (*conn)(nil)

// Exec implements engine.Conn. An interrupted write makes SQLite roll back the whole
// transaction, other people's jobs included, so no statement is given its context.
func (c *conn) Exec(_ context.Context, query string, args []any) (changed int64, err error) {
	changed, _, err = c.run(query, args)
	return changed, failure(err)
}

// InsertID implements engine.Conn.
func (c *conn) InsertID(_ context.Context, query string, args []any) (id int64, err error) {
	_, id, err = c.run(query, args)
	return id, failure(err)
}

// Query implements engine.Conn.
func (c *conn) Query(_ context.Context, query string, args []any) (engine.Cursor, error) {
	s, err := c.statement(query)
	if err != nil {
		return nil, failure(err)
	}
	row, err := s.start(args)
	if err != nil {
		return nil, failure(c.done(query, s, err))
	}
	return &cursor{conn: c, query: query, of: s, row: row, columns: s.columns()}, nil
}

// NextID implements engine.Conn. Nobody else writes meanwhile.
func (c *conn) NextID(ctx context.Context, table string, last int64) (id int64, err error) {
	if last > 0 {
		return last + 1, nil
	}
	err = c.one(ctx, &id, `SELECT COALESCE(MAX(id), 0) + 1 FROM `+table)
	return id, err
}

// HasTable implements engine.Conn.
func (c *conn) HasTable(ctx context.Context, name string) (has bool, err error) {
	err = c.one(ctx, &has, `SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?)`, name)
	return has, err
}

// HasColumn implements engine.Conn.
func (c *conn) HasColumn(ctx context.Context, table, column string) (has bool, err error) {
	err = c.one(ctx, &has, `SELECT EXISTS (SELECT 1 FROM pragma_table_info(?) WHERE name = ?)`, table, column)
	return has, err
}

// one reads the only column of the only row.
func (c *conn) one(ctx context.Context, to any, query string, args ...any) error {
	found, err := c.Query(ctx, query, args)
	if err != nil {
		return err
	}
	if err = found.Next(); err == nil {
		err = found.Scan([]any{to})
	}
	return cmp.Or(err, found.Close())
}

// DeleteCopies implements engine.Conn. Pages that come free with it are not overwritten until
// they are used again: with secure_delete every one of them would be written to the log once
// more.
func (c *conn) DeleteCopies(ctx context.Context, query string, args []any) error {
	if _, err := c.Exec(ctx, "PRAGMA secure_delete = FAST", nil); err != nil {
		return err
	}
	_, err := c.Exec(ctx, query, args)
	// Whatever became of the statement: the next one may delete what lies nowhere else.
	_, restored := c.ExecContext(context.Background(), "PRAGMA secure_delete = ON", nil)
	return cmp.Or(err, failure(restored))
}

// valueOf is a value as statements take it.
func valueOf(arg any) (driver.Value, error) {
	switch v := arg.(type) {
	case nil, string, []byte, int64, bool:
		return v, nil
	case int:
		return int64(v), nil
	}
	return driver.DefaultParameterConverter.ConvertValue(arg)
}

// cursor reads rows for the stores.
type cursor struct {
	conn       *conn
	query      string
	of         *statement
	row, begun bool // there is a row at hand; the first one was read
	columns    int
	failed     error
	texts      engine.RowTexts
}

// Next implements engine.Cursor.
func (c *cursor) Next() error {
	if c.begun && c.row {
		c.row, c.failed = c.of.step()
	}
	c.begun = true
	switch {
	case c.failed != nil:
		return failure(c.failed)
	case !c.row:
		return io.EOF
	}
	return nil
}

// Scan implements engine.Cursor.
func (c *cursor) Scan(dest []any) error {
	if !c.row || len(dest) != c.columns {
		return fmt.Errorf("database: %d columns into %d variables", c.columns, len(dest))
	}
	row := c.of.row(c.columns)
	for i, to := range dest {
		v := &row[i]
		if to == nil || c.read(v, to) {
			continue
		}
		if err := engine.Assign(to, c.value(v)); err != nil {
			return fmt.Errorf("database: column %d: %w", i+1, err)
		}
	}
	return nil
}

// read copies a column to a variable of its own kind: nearly all are.
func (c *cursor) read(v *value, dest any) (done bool) {
	switch to := dest.(type) {
	case *string:
		if done = v.isText(); done {
			c.keep(to, v.bytes())
		}
	case *int64:
		if done = v.kind() == sqlite3.MEM_Int; done {
			*to = v.integer()
		}
	case *int:
		if done = v.kind() == sqlite3.MEM_Int; done {
			*to = int(v.integer())
		}
	case *bool:
		if v.kind() == sqlite3.MEM_Int {
			n := v.integer()
			*to, done = n == 1, n == 0 || n == 1
		}
	case *any:
		*to, done = c.value(v), true
	case *[]byte:
		if done = v.kind() == sqlite3.MEM_Blob; done {
			*to = bytes.Clone(v.bytes())
		}
	case *uuid.UUID:
		if v.kind() == sqlite3.MEM_Blob {
			done = copy(to[:], v.bytes()) == int(v.Fn) && len(to) == int(v.Fn)
		}
	}
	return done
}

// keep has a variable hold a text. One that holds it already, as that of the row before often does, keeps it.
func (c *cursor) keep(to *string, text []byte) {
	if *to != string(text) {
		*to = c.texts.String(text)
	}
}

// value is nil, int64, float64, string or []byte.
func (c *cursor) value(v *value) driver.Value {
	switch {
	case v.isText():
		return c.texts.String(v.bytes())
	case v.kind() == sqlite3.MEM_Int:
		return v.integer()
	case v.kind() == sqlite3.MEM_Blob:
		return bytes.Clone(v.bytes())
	}
	return c.of.any(v)
}

// Close implements engine.Cursor.
func (c *cursor) Close() error {
	if c.of == nil {
		return nil
	}
	s := c.of
	c.of, c.row = nil, false
	return failure(c.conn.done(c.query, s, c.failed))
}
