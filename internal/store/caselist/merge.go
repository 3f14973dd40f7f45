package caselist

import (
	"context"

	"guiche/internal/store/engine"
)

// pagesAtOnce is how many pages of the index are merged in one transaction: those
// who write meanwhile wait for a few milliseconds.
const pagesAtOnce = 16

// MergeWords has the index over the words stand in one part. It grows by a part with each
// transaction, merges them by fours alone, and a search looks into each part for each of its
// words. Between two pieces it asks next, which may be nil, whether to go on.
func MergeWords(ctx context.Context, db engine.DB, next func() error) error {
	parts, err := engine.Get(ctx, db, func(tx *engine.Tx) (int, error) { return parts(ctx, tx) })
	if err != nil || parts < 2 {
		return err
	}
	for pages := -pagesAtOnce; ; pages = pagesAtOnce { // below zero: all parts there are
		merged, err := mergeParts(ctx, db, pages)
		if err != nil || !merged {
			return err
		}
		if next != nil {
			if err := next(); err != nil {
				return err
			}
		}
	}
}

// parts counts the parts that the index stands in.
func parts(ctx context.Context, tx *engine.Tx) (n int, err error) {
	err = tx.QueryRow(ctx, `SELECT COUNT(DISTINCT segid) FROM history_text_idx`).Scan(&n)
	return n, engine.Error(err)
}

// mergeParts merges so many pages, and reports whether there were any. A power cut may take
// it back: the parts say the same.
func mergeParts(ctx context.Context, db engine.DB, pages int) (merged bool, err error) {
	err = db.WriteDerived(ctx, func(tx *engine.Tx) error {
		before, err := changes(ctx, tx)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `INSERT INTO history_text (history_text, rank) VALUES ('merge', ?)`, pages); err != nil {
			return engine.Error(err)
		}
		after, err := changes(ctx, tx)
		merged = after-before > 1 // one is the statement's own
		return err
	})
	return merged, err
}

func changes(ctx context.Context, tx *engine.Tx) (n int64, err error) {
	err = tx.QueryRow(ctx, `SELECT total_changes()`).Scan(&n)
	return n, engine.Error(err)
}
