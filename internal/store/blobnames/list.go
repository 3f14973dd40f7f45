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
	return engine.Get(ctx, n.db, func(tx *engine.Tx) ([]blob.Ref, error) {
		return list(ctx, tx, n.columns, prefix)
	})
}

// Passing lists the blobs that rows name now and may cease to name.
func (n *Names) Passing(ctx context.Context) ([]blob.Ref, error) {
	return engine.Get(ctx, n.db, func(tx *engine.Tx) ([]blob.Ref, error) {
		var passing []Column
		for _, c := range n.columns {
			if c.Passing {
				passing = append(passing, c)
			}
		}
		return list(ctx, tx, passing, "")
	})
}

func list(ctx context.Context, tx *engine.Tx, columns []Column, prefix string) ([]blob.Ref, error) {
	columns, err := present(ctx, tx, columns)
	if err != nil || len(columns) == 0 {
		return nil, err
	}
	parts := make([]string, len(columns))
	for i, c := range columns { // a tilde comes after all that names have in them
		parts[i] = fmt.Sprintf("SELECT DISTINCT %[2]s FROM \"%[1]s\" WHERE "+indexed+" >= substr(?1, 1, 8) "+
			"AND "+indexed+" < substr(?1, 1, 8) || '~' AND %[2]s > ?1 AND %[2]s < ?1 || '~' AND %[2]s <> ''", c.Table, c.Name)
	}
	return engine.List(ctx, tx, scanRef, strings.Join(parts, " UNION ")+" ORDER BY 1", prefix)
}

// present are those of the columns that the database has.
func present(ctx context.Context, tx *engine.Tx, columns []Column) (all []Column, err error) {
	for _, c := range columns {
		there, err := tx.HasColumn(ctx, c.Table, c.Name)
		if err != nil {
			return nil, err
		}
		if there {
			all = append(all, c)
		}
	}
	return all, nil
}
