package servicestore

import (
	"context"

	"guiche/internal/problem"
	"guiche/internal/store/engine"
)

// MarkRestored counts every accepted request as one that its operator was asked about: it
// may have been since the copy was made. From then on it is only looked up.
func (s *Store) MarkRestored(ctx context.Context) error {
	return s.write(ctx, func(tx *engine.Tx) error {
		ids, err := engine.List(ctx, tx, scanID, `SELECT request_id FROM acceptance WHERE asked_at = 0 ORDER BY request_id`)
		for _, id := range ids {
			if err != nil {
				break
			}
			if _, err = s.beginAsking(ctx, tx, id, tx.Now); problem.Is(err, problem.Damaged) {
				err = nil // nobody asks about it
			}
		}
		return err
	})
}
