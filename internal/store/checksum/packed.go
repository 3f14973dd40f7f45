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

// Read reads rows with one query, compares them, and shows each in targets: a *int64, *bool,
// *string or []byte of fixed size for each of Key and Columns, which the next row overwrites. Show
// is told how many rows there are. The rest of the query is what follows the table's name. They
// are not whole, and some were not shown, where any is not as it was written, or has no sum yet:
// Table.Rows tells more.
func (p *Packed) Read(ctx context.Context, tx *engine.Tx, targets []any, show func(of int), rest string, args ...any) (whole bool,
	err error) {
	var packed string
	target := []any{&packed}
	rows, err := engine.List(ctx, tx, func(row engine.Row) (string, error) {
		err := row.Scan(target...)
		return packed, err
	}, p.query.Of(tx, p.rows)+rest, args...)
	if err != nil {
		return false, err
	}
	buffer := make([]byte, 0, 1024)
	for _, row := range rows {
		if buffer, whole = p.take(buffer[:0], row, targets); !whole {
			return false, nil
		}
		show(len(rows))
	}
	return true, nil
}

// take sets targets to a row, writes it as Table.sum does, and reports whether its sum is the
// stored one.
func (p *Packed) take(b []byte, packed string, targets []any) (encoded []byte, whole bool) {
	b = append(b, version)
	b = appendBytes(b, tagText, p.table.Name)
	for i, target := range targets {
		var text string
		text, packed, _ = strings.Cut(packed, "\x00") // no stored text has one
		b = binary.AppendUvarint(b, uint64(i))        //nolint:gosec // a place
		if b, whole = takeValue(b, p.kinds[i], text, target); !whole {
			return b, false
		}
	}
	var stored [Size]byte
	sum := sha256.Sum256(b)
	n, err := hex.Decode(stored[:], []byte(packed[:min(len(packed), 2*Size)]))
	return b, err == nil && n == Size && len(packed) == 2*Size && string(stored[:]) == string(sum[:Size])
}

// takeValue sets a target to a value of a kind, and writes it.
func takeValue(b []byte, kind byte, text string, target any) (encoded []byte, ok bool) {
	switch kind {
	case tagText:
		return appendBytes(b, tagText, text), setText(target, text)
	case tagInteger:
		n, err := strconv.ParseInt(text, 10, 64)
		return binary.BigEndian.AppendUint64(append(b, tagInteger), uint64(n)), err == nil && setInteger(target, n) //nolint:gosec // the bits
	}
	b = binary.AppendUvarint(append(b, tagBlob), uint64(len(text)/2))
	start := len(b)
	b, err := hex.AppendDecode(b, []byte(text))
	return b, err == nil && setBytes(target, b[start:])
}

func setText(target any, text string) bool {
	to, ok := target.(*string)
	if ok {
		*to = text
	}
	return ok
}

func setInteger(target any, n int64) bool {
	switch to := target.(type) {
	case *int64:
		*to = n
	case *bool:
		*to = n != 0
	default:
		return false
	}
	return true
}

// setBytes takes as many bytes as there is room for.
func setBytes(target any, value []byte) bool {
	to, ok := target.([]byte)
	copy(to, value)
	return ok
}
