package sqlite

import (
	"cmp"
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"

	"guiche/internal/store/engine"
)

// conn is a transaction to whoever was given one.
var _ engine.Conn = (*conn)(nil)

// Exec implements engine.Conn. An interrupted write makes SQLite roll back the whole
// transaction, other people's jobs included, so no statement is given its context.
func (c *conn) Exec(_ context.Context, query string, args []any) (changed int64, err error) {
	result, err := c.run(query, args)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// InsertID implements engine.Conn.
func (c *conn) InsertID(_ context.Context, query string, args []any) (id int64, err error) {
	result, err := c.run(query, args)
	if err != nil {
		return 0, err
	}
	return result.LastInsertId()
}

func (c *conn) run(query string, args []any) (driver.Result, error) {
	values, err := c.values(args)
	if err != nil {
		return nil, err
	}
	result, err := c.ExecContext(context.Background(), query, values)
	return result, failure(err)
}

// Query implements engine.Conn.
func (c *conn) Query(_ context.Context, query string, args []any) (engine.Cursor, error) {
	values, err := c.values(args)
	if err != nil {
		return nil, err
	}
	found, err := c.query(context.Background(), query, values)
	if err != nil {
		return nil, failure(err)
	}
	return (*cursor)(found), nil
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
	_, restored := c.session.ExecContext(context.Background(), "PRAGMA secure_delete = ON", nil)
	return cmp.Or(err, failure(restored))
}

// values returns the values of a statement as the driver takes them, until the next call.
func (c *conn) values(args []any) ([]driver.NamedValue, error) {
	c.args = c.args[:0]
	for i, arg := range args {
		value, err := valueOf(arg)
		if err != nil {
			return nil, fmt.Errorf("sqlite: value %d: %w", i+1, err)
		}
		c.args = append(c.args, driver.NamedValue{Ordinal: i + 1, Value: value})
	}
	return c.args, nil
}

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
type cursor rows

// Next implements engine.Cursor.
func (c *cursor) Next() error {
	err := (*rows)(c).Next(c.values)
	if err == nil || errors.Is(err, io.EOF) {
		return err
	}
	return failure(err)
}

// Scan implements engine.Cursor.
func (c *cursor) Scan(dest []any) error { return engine.ScanValues(c.values, dest) }

// Close implements engine.Cursor.
func (c *cursor) Close() error { return failure((*rows)(c).Close()) }
