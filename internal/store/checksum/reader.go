package checksum

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// Reader reads rows of a table whose columns are never NULL into variables, without a value of its own
// for each.
type Reader struct {
	table Table
	query engine.Statement
}

// NewReader returns a reader of a table.
func NewReader(t Table) *Reader { return &Reader{table: t} }

func (r *Reader) rows(*engine.Dialect) string {
	return `SELECT ` + strings.Join(append(r.table.columns(), "checksum"), ", ") + ` FROM ` + r.table.quoted() + ` `
}

// Read reads rows with one query, compares them, and shows each in targets: a *int64, *bool, *string or
// *uuid.UUID for each of Key and Columns, which the next row overwrites. The rest of the query is what
// follows the table's name. They are not whole, and some were not shown, where any is not as it was
// written, or has no sum yet: Table.Rows tells more.
func (r *Reader) Read(ctx context.Context, tx *engine.Tx, targets []any, show func(), rest string, args ...any) (whole bool, err error) {
	var stored, encoded []byte
	all := append(slices.Clone(targets), &stored)
	whole = true
	_, err = engine.List(ctx, tx, func(row engine.Row) (none struct{}, err error) {
		if whole = whole && row.Scan(all...) == nil; !whole {
			return none, nil
		}
		if encoded, err = r.encode(encoded[:0], targets); err != nil {
			return none, err
		}
		if sum := sha256.Sum256(encoded); string(sum[:Size]) == string(stored) {
			show()
		} else {
			whole = false
		}
		return none, nil
	}, r.query.Of(tx, r.rows)+rest, args...)
	return whole && err == nil, err
}

// encode writes a row as Table.sum does.
func (r *Reader) encode(b []byte, targets []any) ([]byte, error) {
	b = append(b, version)
	b = appendBytes(b, tagText, r.table.Name)
	for i, target := range targets {
		b = binary.AppendUvarint(b, uint64(i))
		switch v := target.(type) {
		case *string:
			b = appendBytes(b, tagText, *v)
		case *int64:
			b = appendInteger(b, *v)
		case *bool:
			b = appendInteger(b, number(*v))
		case *uuid.UUID:
			b = appendBytes(b, tagBlob, v[:])
		default:
			return nil, fmt.Errorf("checksum: %s: column %d into a %T", r.table.Name, i, target)
		}
	}
	return b, nil
}

func number(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
