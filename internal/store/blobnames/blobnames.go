// Package blobnames says which blobs the rows of a database name. It satisfies
// sweep.Rows for every owner of data that names blobs.
package blobnames

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"guiche/internal/blob"
	"guiche/internal/store/engine"
)

// Column is a column whose values are names of blobs, "" for none. It has an index: of the
// names, or of their first five letters, which take a fifth of the room.
type Column struct {
	Table, Name string
	Passing     bool // rows of the table may go, or name another blob; all others only grow
}

// Names looks blobs up in the columns that name them. It is safe for concurrent use.
type Names struct {
	db      engine.DB
	columns []Column
	query   string
	there   atomic.Pointer[[]Column] // nil before it is known, see present
}

// New returns the names in all of the columns, which are all that a database has.
func New(db engine.DB, columns ...Column) *Names {
	return &Names{db: db, columns: columns, query: queryOf(columns)}
}

// Query is the statement that picks those of some blobs, the value of engine.Names, that a row names.
func (n *Names) Query() string { return n.query }

// indexed is what the index of a column with many rows holds.
const indexed = "substr(%[2]s, 1, 5)"

func queryOf(columns []Column) string {
	conditions := make([]string, len(columns))
	for i, c := range columns {
		conditions[i] = fmt.Sprintf("EXISTS (SELECT 1 FROM \"%s\" WHERE "+indexed+" = substr(wanted.key, 1, 5) "+
			"AND %[2]s = wanted.key AND %[2]s <> '')", c.Table, c.Name)
	}
	return "SELECT wanted.key FROM json_each(?) AS wanted WHERE " + strings.Join(conditions, " OR ")
}

// NamedBlobs implements sweep.Rows.
func (n *Names) NamedBlobs(ctx context.Context, refs []blob.Ref) ([]blob.Ref, error) {
	return engine.Get(ctx, n.db, func(tx *engine.Tx) ([]blob.Ref, error) { return n.named(ctx, tx, refs) })
}

// WithUnnamedBlobs implements sweep.Rows: it is the only writer while it asks.
func (n *Names) WithUnnamedBlobs(ctx context.Context, refs []blob.Ref, remove func([]blob.Ref)) error {
	return n.db.WriteAlone(ctx, func(tx *engine.Tx) error {
		named, err := n.named(ctx, tx, refs)
		if err == nil {
			remove(slices.DeleteFunc(slices.Clone(refs), func(r blob.Ref) bool { return slices.Contains(named, r) }))
		}
		return err
	})
}

func (n *Names) named(ctx context.Context, tx *engine.Tx, refs []blob.Ref) ([]blob.Ref, error) {
	return engine.List(ctx, tx, scanRef, n.query, engine.Names(refs))
}

func scanRef(row engine.Row) (ref blob.Ref, err error) {
	err = row.Scan(&ref)
	return ref, err
}
