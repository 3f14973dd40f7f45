package caselist

import (
	"context"
	"slices"

	"guiche/internal/store/engine"
)

// FillQueue puts cases from before into the queue, what is unknown first, and has it show their rows, in pieces
// that each commit: beside the requests, and again from the next start where it was cut short.
func FillQueue(ctx context.Context, db engine.DB) error {
	pending, err := engine.Get(ctx, db, func(tx *engine.Tx) (bool, error) { return queuePending(ctx, tx) })
	if !pending || err != nil {
		return err
	}
	for group := int64(unknown); group <= closed; group++ {
		cases, err := engine.Get(ctx, db, func(tx *engine.Tx) ([]int64, error) { return standing(ctx, tx, group) })
		if err != nil {
			return err
		}
		for some := range slices.Chunk(cases, piece) {
			if err := db.Write(ctx, func(tx *engine.Tx) error { return queueAllAgain(ctx, tx, some) }); err != nil {
				return err
			}
		}
	}
	if err := showAll(ctx, db); err != nil {
		return err
	}
	return db.Write(ctx, func(tx *engine.Tx) error {
		_, err := tx.Exec(ctx, `DELETE FROM queue_pending`)
		return engine.Error(err)
	})
}

// standing are the cases of a group that may stand in the queue and do not, those first that would have stood there
// longest.
func standing(ctx context.Context, tx *engine.Tx, group int64) ([]int64, error) {
	begin := int64(0)
	if group != unknown {
		begin = oldest(group, tx.Now)
	}
	return engine.List(ctx, tx, scanID, `SELECT submission_id FROM case_summary s WHERE queue_group = ? AND changed_at >= ?
		AND NOT EXISTS (SELECT 1 FROM queue_case q WHERE q.submission_id = s.submission_id) ORDER BY changed_at, submission_id`, group, begin)
}

func queueAllAgain(ctx context.Context, tx *engine.Tx, ids []int64) error {
	for _, id := range ids {
		if err := queueAgain(ctx, tx, id); err != nil {
			return err
		}
	}
	return nil
}

// showAll has the queue show the rows of cases that stood in it before it did.
func showAll(ctx context.Context, db engine.DB) error {
	for last, more := int64(0), true; more; {
		var read []int64
		err := db.Write(ctx, func(tx *engine.Tx) (err error) {
			read, err = engine.List(ctx, tx, scanID, `SELECT submission_id FROM queue_case WHERE shown IS NULL AND submission_id > ?
				ORDER BY submission_id LIMIT ?`, last, piece)
			if err != nil {
				return err
			}
			return showSome(ctx, tx, read)
		})
		if err != nil {
			return err
		}
		if more = len(read) == piece; more {
			last = read[piece-1]
		}
	}
	return nil
}

// showSome has the queue show rows. Damaged ones are not shown.
func showSome(ctx context.Context, tx *engine.Tx, ids []int64) error {
	stored, err := Table.Rows(ctx, tx, `WHERE submission_id `+engine.InNumbers, engine.Numbers(ids))
	if err != nil {
		return err
	}
	for _, s := range stored {
		if s.Damaged {
			continue
		}
		shown, err := Table.Pack(s.Values)
		if err != nil {
			return err
		}
		if err := tx.ExecLater(ctx, `UPDATE queue_case SET shown = ? WHERE submission_id = ?`, shown, s.Values[0]); err != nil {
			return engine.Error(err)
		}
	}
	return nil
}
