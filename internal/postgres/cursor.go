package postgres

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"guiche/internal/store/engine"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
)

// cursor reads the rows of a query, from the connection as long as no other statement needs it.
type cursor struct {
	conn   *conn
	found  results
	fields []pgconn.FieldDescription // once the connection is another statement's
	row    [][]byte
	rest   [][][]byte // read before they were asked for
	ended  bool       // nothing more comes from the connection
	texts  engine.RowTexts
}

// Next implements engine.Cursor.
func (c *cursor) Next() error {
	if len(c.rest) > 0 {
		c.row, c.rest = c.rest[0], c.rest[1:]
		return nil
	}
	if c.ended {
		return io.EOF
	}
	if c.found.NextRow() {
		c.row = c.found.Values()
		return nil
	}
	if err := c.end(); err != nil {
		return err
	}
	return io.EOF
}

// end reads what is left on the connection.
func (c *cursor) end() error {
	c.ended, c.conn.open = true, nil
	_, err := c.found.Close()
	return c.conn.noted(err)
}

// readAll keeps the rows that were not asked for yet, and the one at hand.
func (c *cursor) readAll() error {
	c.row, c.fields = copied(c.row), slices.Clone(c.found.FieldDescriptions())
	for c.found.NextRow() {
		c.rest = append(c.rest, copied(c.found.Values()))
	}
	return c.end()
}

// copied is a row that stays as it is when the next one is read, its columns one behind the other.
func copied(row [][]byte) [][]byte {
	size := 0
	for _, column := range row {
		size += len(column)
	}
	all, bytes := make([][]byte, len(row)), make([]byte, 0, size)
	for i, column := range row {
		if column != nil {
			from := len(bytes)
			bytes = append(bytes, column...)
			all[i] = bytes[from:len(bytes):len(bytes)]
		}
	}
	return all
}

// Close implements engine.Cursor.
func (c *cursor) Close() error {
	c.rest = nil
	if c.ended {
		return nil
	}
	return c.end()
}

// Scan implements engine.Cursor.
func (c *cursor) Scan(dest []any) error {
	fields := c.fields
	if fields == nil {
		fields = c.found.FieldDescriptions()
	}
	if len(dest) != len(c.row) || len(fields) != len(c.row) {
		return fmt.Errorf("postgres: %d columns into %d variables", len(c.row), len(dest))
	}
	for i, column := range c.row {
		if text, ok := dest[i].(*string); ok && column != nil && isText(fields[i].DataTypeOID) {
			*text = c.texts.String(column)
			continue
		}
		value, err := read(fields[i], column)
		if err == nil {
			err = assign(dest[i], value)
		}
		if err != nil {
			return fmt.Errorf("postgres: column %d: %w", i+1, err)
		}
	}
	return nil
}

// assign is engine.Assign without its way by any for what most columns are.
func assign(dest any, v value) error {
	if v.kind == number {
		switch to := dest.(type) {
		case *int64:
			*to = v.n
			return nil
		case *int:
			*to = int(v.n)
			return nil
		}
	}
	return engine.Assign(dest, v.any())
}

// value is a column's value.
type value struct {
	kind  kind
	n     int64
	f     float64
	bytes []byte
}

type kind int

const (
	null kind = iota
	number
	fraction
	text
	octets
)

// any is the value as stores know it.
func (v value) any() any {
	switch v.kind {
	case number:
		return v.n
	case fraction:
		return v.f
	case text:
		return string(v.bytes)
	case octets:
		return append([]byte{}, v.bytes...)
	}
	return nil
}

func isText(oid uint32) bool { return oid == pgtype.TextOID || oid == pgtype.VarcharOID }

// read is a column as the server sent it. A truth is 1 or 0, and a sum a number.
func read(field pgconn.FieldDescription, column []byte) (v value, err error) {
	switch {
	case column == nil:
		return value{}, nil
	case field.Format == asBytes:
		return readBinary(field.DataTypeOID, column)
	}
	switch field.DataTypeOID {
	case pgtype.BoolOID:
		if column[0] == 't' {
			return value{kind: number, n: 1}, nil
		}
		return value{kind: number}, nil
	case pgtype.Int2OID, pgtype.Int4OID, pgtype.Int8OID, pgtype.NumericOID, pgtype.Float8OID:
		return readNumber(string(column))
	case pgtype.ByteaOID:
		digits, isHex := strings.CutPrefix(string(column), `\x`)
		bytes, err := hex.DecodeString(digits)
		if err != nil || !isHex {
			return value{}, fmt.Errorf("bytes are not written as digits")
		}
		return value{kind: octets, bytes: bytes}, nil
	}
	return value{kind: text, bytes: column}, nil
}

func readNumber(digits string) (value, error) {
	if n, err := strconv.ParseInt(digits, 10, 64); err == nil {
		return value{kind: number, n: n}, nil
	}
	f, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		return value{}, fmt.Errorf("no number that fits")
	}
	return value{kind: fraction, f: f}, nil
}

func readBinary(oid uint32, column []byte) (value, error) {
	switch size := len(column); {
	case oid == pgtype.BoolOID && size == 1:
		return value{kind: number, n: int64(column[0])}, nil
	case oid == pgtype.Int2OID && size == 2:
		return value{kind: number, n: int64(int16(binary.BigEndian.Uint16(column)))}, nil // as it was sent
	case oid == pgtype.Int4OID && size == 4:
		return value{kind: number, n: int64(int32(binary.BigEndian.Uint32(column)))}, nil // as it was sent
	case oid == pgtype.Int8OID && size == 8:
		return value{kind: number, n: int64(binary.BigEndian.Uint64(column))}, nil // as it was sent
	case oid == pgtype.Float8OID && size == 8:
		return value{kind: fraction, f: math.Float64frombits(binary.BigEndian.Uint64(column))}, nil
	case oid == pgtype.ByteaOID:
		return value{kind: octets, bytes: column}, nil
	}
	return value{}, fmt.Errorf("type %d has no %d bytes", oid, len(column))
}
