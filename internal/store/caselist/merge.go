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
// words. Between two pieces it asks next, which may be nil, whether to go on. An engine whose
// index has no such parts has nothing to merge.
func MergeWords(ctx context.Context, db engine.DB, next func() error) error {
	parts, err := engine.Get(ctx, db, func(tx *engine.Tx) (int, error) { return tx.TextParts(ctx, textIndex) })
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

// mergeParts merges so many pages, and reports whether there were any. A power cut may take
// it back: the parts say the same.
func mergeParts(ctx context.Context, db engine.DB, pages int) (merged bool, err error) {
	err = db.WriteDerived(ctx, func(tx *engine.Tx) (err error) {
		merged, err = tx.MergeText(ctx, textIndex, pages)
		return err
	})
	return merged, err
}
