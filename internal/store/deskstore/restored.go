package deskstore

import (
	"context"
	"crypto/rand"
	"fmt"
	"math/big"

	"guiche/internal/desk"
	"guiche/internal/problem"
	"guiche/internal/store/checksum"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// MarkRestored makes of a copy an installation that goes on. What the copy holds as
// queued or sending may have left since it was made: nobody knows, and nothing of it
// leaves again by itself. Guides get another installation number, so that none is given
// twice. It returns how many submissions became Unknown: one that is damaged stays as it is,
// and is not sent.
func (s *Store) MarkRestored(ctx context.Context) (unknown int, err error) {
	err = s.db.Write(ctx, func(tx *engine.Tx) error {
		ids, err := engine.List(ctx, tx, scanID, `SELECT submission_id FROM submission_state WHERE state IN ('queued', 'sending')
			ORDER BY submission_id`)
		if err != nil {
			return err
		}
		unknown = 0
		for _, id := range ids {
			switch err := s.noted(loseTrack(ctx, tx, id)); {
			case problem.Is(err, problem.Damaged):
			case err != nil:
				return err
			default:
				unknown++
			}
		}
		return renumber(ctx, tx)
	})
	return unknown, err
}

// loseTrack makes a submission Unknown. What is queued passes through Sending, as it may
// have done after the copy was made.
func loseTrack(ctx context.Context, tx *engine.Tx, id int64) error {
	lease := uuid.New()
	if _, err := changeState(ctx, tx, id, checksum.Change{Set: `state = 'sending', lease = ?, due_at = 0, alert = ''`,
		Values: []any{engine.UID(lease)}, Condition: `state = 'queued'`}); err != nil {
		return err
	}
	_, err := changeState(ctx, tx, id, checksum.Change{
		Set:    `state = 'unknown', queue_group = ?, origin = ?, reason = ?, changed_at = ?, lease = NULL, doubtful = 1`,
		Values: []any{desk.GroupOf(desk.Unknown, ""), desk.OriginDesk, desk.ReasonRestored, engine.Micros(tx.Now)},
	})
	if err != nil {
		return err
	}
	var attempt int
	if err := tx.QueryRow(ctx, `SELECT attempt FROM submission_state WHERE submission_id = ?`, id).Scan(&attempt); err != nil {
		return engine.Error(err)
	}
	return addEvent(ctx, tx, id, desk.Event{Kind: desk.EventUnknown, Attempt: attempt, Reason: desk.ReasonRestored})
}

// renumber draws another installation number. Without one yet it is drawn with the first guide.
func renumber(ctx context.Context, tx *engine.Tx) error {
	step, err := rand.Int(rand.Reader, big.NewInt(999))
	if err != nil {
		return fmt.Errorf("deskstore: draw installation: %w", err)
	}
	_, err = exec(ctx, tx, `UPDATE installation SET number = (number + 1 + ?) % 1000`, step.Int64())
	return err
}
