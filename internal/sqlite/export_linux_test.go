package sqlite

import (
	"context"

	sqlite3 "modernc.org/sqlite/lib"

	"guiche/internal/store/engine"
)

// PagesRead is how many pages a connection reads from the disk for one transaction.
func PagesRead(ctx context.Context, db *DB, read func(*engine.Tx)) (pages int) {
	_ = using(ctx, db.reader, func(c *conn) error {
		before := c.own.missed()
		return db.readWith(ctx, c, func(tx *engine.Tx) error {
			read(tx)
			pages = int(c.own.missed() - before)
			return nil
		})
	})
	return pages
}

// missed counts the pages that were asked for and not held.
func (h *handle) missed() uint32 {
	tree := memoryAt[sqlite3.TDb](memoryAt[sqlite3.Tsqlite3](h.db).FaDb).FpBt
	pager := memoryAt[sqlite3.TBtShared](memoryAt[sqlite3.TBtree](tree).FpBt).FpPager
	return memoryAt[sqlite3.TPager](pager).FaStat[sqlite3.PAGER_STAT_MISS]
}
