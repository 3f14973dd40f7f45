package checksum

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strconv"
	"strings"

	"guiche/internal/store/engine"
)

// Packed reads rows of a table whose columns are never NULL or empty bytes, each as one text. A value
// that is read by itself costs several locks within SQLite, and an allocation.
type Packed struct {
	table Table
	kinds string // of Key and Columns, as tags
	query engine.Statement
}

// Pack returns a reader of a table. The kinds are those of Key and Columns: i for an
// integer, t for a text, b for bytes.
func Pack(t Table, kinds string) *Packed { return &Packed{table: t, kinds: kinds} }

// rows reads rows as one text each, with their sums.
func (p *Packed) rows(d *engine.Dialect) string {
	return `SELECT ` + d.Packed(append(p.table.columns(), "checksum"), p.kinds+string(tagBlob)) + ` FROM ` + p.table.quoted() + ` `
}

// Fields are the values of a row that are still to be read, in the order of Key and Columns.
type Fields string

// Text returns the next value, which is a text.
func (f *Fields) Text() string {
	value, rest, _ := strings.Cut(string(*f), "\x00") // no stored text has one
	*f = Fields(rest)
	return value
}

// Integer returns the next value, which is an integer.
func (f *Fields) Integer() int64 {
	n, _ := strconv.ParseInt(f.Text(), 10, 64) // Rows read it before
	return n
}

// Bytes reads the next value, which is bytes, as many as there is room for.
func (f *Fields) Bytes(value []byte) {
	text := f.Text()
	_, _ = hex.Decode(value, []byte(text[:min(len(text), 2*len(value))])) // Rows read it before
}

// Rows reads rows with one query, and compares them. The rest of the query is what follows
// the table's name. They are not whole where any is not as it was written, or has no sum
// yet: Table.Rows tells more.
func (p *Packed) Rows(ctx context.Context, tx *engine.Tx, rest string, args ...any) (rows []Fields, whole bool, err error) {
	rows, err = engine.List(ctx, tx, scanFields, p.query.Of(tx, p.rows)+rest, args...)
	if err != nil {
		return nil, false, err
	}
	buffer := make([]byte, 0, 1024)
	for _, row := range rows {
		if buffer, whole = p.encode(buffer[:0], row); !whole {
			return nil, false, nil
		}
	}
	return rows, true, nil
}

func scanFields(row engine.Row) (f Fields, err error) {
	err = row.Scan((*string)(&f))
	return f, err
}

// encode writes a row as Table.sum does, and reports whether its sum is the stored one.
func (p *Packed) encode(b []byte, f Fields) (encoded []byte, whole bool) {
	b = append(b, version)
	b = appendBytes(b, tagText, p.table.Name)
	for i := range len(p.kinds) {
		b = binary.AppendUvarint(b, uint64(i)) //nolint:gosec // a place
		switch text := f.Text(); p.kinds[i] {
		case tagText:
			b = appendBytes(b, tagText, text)
		case tagInteger:
			n, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				return b, false
			}
			b = binary.BigEndian.AppendUint64(append(b, tagInteger), uint64(n)) //nolint:gosec // the bits
		case tagBlob:
			b = binary.AppendUvarint(append(b, tagBlob), uint64(len(text)/2))
			var err error
			if b, err = hex.AppendDecode(b, []byte(text)); err != nil {
				return b, false
			}
		}
	}
	var stored [Size]byte
	sum := sha256.Sum256(b)
	n, err := hex.Decode(stored[:], []byte(f[:min(len(f), 2*Size)]))
	return b, err == nil && n == Size && len(f) == 2*Size && string(stored[:]) == string(sum[:Size])
}
