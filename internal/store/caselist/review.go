package caselist

import (
	"context"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/store/engine"
)

// Reviewed is the kind of the event with which an operator is asked to look at a denial again.
const Reviewed = "reanalise_pedida"

// at is where a case stands at a moment: a denial that the operator was asked to look at again
// waits for the operator, until that has taken too long.
func (e entry) at(now time.Time) entry {
	if e.review == 0 {
		return e
	}
	e.group, e.since = waiting, e.review
	if e.overdue(now) {
		e.group = refusal
	}
	e.place = place(e.group, e.id)
	return e
}

// overdue reports whether the operator has had its time for a review.
func (e entry) overdue(now time.Time) bool { return e.review <= dueBefore(now) }

// dueBefore is until when a review was asked for that is overdue.
func dueBefore(now time.Time) int64 { return engine.Micros(now.Add(-authorization.ReviewTime)) }

// reviewed is the entry of a case as its events say whether its operator was asked to look at it
// again since the answer.
func (e entry) reviewed(ctx context.Context, tx *engine.Tx) (entry, error) {
	if e.group != refusal {
		return e, nil
	}
	err := tx.QueryRow(ctx, `SELECT COALESCE((`+reviewedAt+` AND l.submission_id = ? ORDER BY l.id DESC LIMIT 1), 0)`, e.id).Scan(&e.review)
	return e.at(tx.Now), engine.Error(err)
}

// Review has a denial wait for the operator, who was just asked to look at it again.
func Review(ctx context.Context, tx *engine.Tx, id int64) error {
	r, e, err := entryOf(ctx, tx, id)
	if err != nil || r == nil || e.group != refusal {
		return err
	}
	e.review = engine.Micros(tx.Now)
	return move(ctx, tx, r, e.at(tx.Now), true)
}

// ReviewsOverdue reports whether a denial waits for its operator that has had its time.
func ReviewsOverdue(ctx context.Context, tx *engine.Tx) (some bool, err error) {
	err = tx.QueryRow(ctx, `SELECT EXISTS (`+overdueReviews+`)`, dueBefore(tx.Now)).Scan(&some)
	return some, engine.Error(err)
}

// overdueReviews are the denials that wait for an operator since a moment or longer.
const overdueReviews = `SELECT submission_id FROM queue_case WHERE review > 0 AND review <= ? AND queue_group = 6`

// ReturnOverdue has the denials wait for somebody again whose operator has had its time.
func ReturnOverdue(ctx context.Context, tx *engine.Tx) error {
	ids, err := engine.List(ctx, tx, scanID, overdueReviews, dueBefore(tx.Now))
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := leave(ctx, tx, `submission_id = ?`, id); err != nil {
			return err
		}
		if err := queueAgain(ctx, tx, id); err != nil {
			return err
		}
	}
	return nil
}
