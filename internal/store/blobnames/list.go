package blobnames

import (
	"context"
	"fmt"
	"strings"

	"guiche/internal/blob"
	"guiche/internal/store/engine"
)

// Beginning lists the blobs that rows name and whose names begin so, each once, in their
// order. Here and in Passing the database may have an older schema: a column that it lacks
// names nothing.
func (n *Names) Beginning(ctx context.Context, prefix string) ([]blob.Ref, error) {
	return n.list(ctx, prefix, func(Column) bool { return true })
}

// Passing lists the blobs that rows name now and may cease to name.
func (n *Names) Passing(ctx context.Context) ([]blob.Ref, error) {
	return n.list(ctx, "", func(c Column) bool { return c.Passing })
}

func (n *Names) list(ctx context.Context, prefix string, wanted func(Column) bool) ([]blob.Ref, error) {
	return engine.Get(ctx, n.db, func(tx *engine.Tx) ([]blob.Ref, error) {
		there, err := n.present(ctx, tx)
		if err != nil {
			return nil, err
		}
		var parts []string
		for _, c := range there {
			if wanted(c) { // a tilde comes after all that names have in them
				parts = append(parts, fmt.Sprintf("SELECT DISTINCT %[2]s FROM \"%[1]s\" WHERE "+indexed+" >= substr(?1, 1, 5) "+
					"AND "+indexed+" < substr(?1, 1, 5) || '~' AND %[2]s > ?1 AND %[2]s < ?1 || '~' AND %[2]s <> ''", c.Table, c.Name))
			}
		}
		if len(parts) == 0 {
			return nil, nil
		}
		return engine.List(ctx, tx, scanRef, strings.Join(parts, " UNION ")+" ORDER BY 1", prefix)
	})
}

// present are those of the columns that the database has. It is asked once: the check of all blobs lists
// them in hundreds of pieces.
func (n *Names) present(ctx context.Context, tx *engine.Tx) ([]Column, error) {
	if known := n.there.Load(); known != nil {
		return *known, nil
	}
	there := make([]Column, 0, len(n.columns))
	for _, c := range n.columns {
		has, err := tx.HasColumn(ctx, c.Table, c.Name)
		if err != nil {
			return nil, err
		}
		if has {
			there = append(there, c)
		}
	}
	n.there.Store(&there)
	return there, nil
}
