package accountstore

import (
	"context"
	"errors"

	"guiche/internal/store/engine"
)

// EndAll ends every session, one-time link and phone's link, as a restored copy must: some of them were
// ended after it was made.
func (s *Store) EndAll(ctx context.Context) error {
	return s.db.Write(ctx, func(t *engine.Tx) error {
		tx := &tx{Tx: t}
		return errors.Join(tx.run(ctx, `DELETE FROM session`), tx.run(ctx, `DELETE FROM activation`),
			tx.run(ctx, `DELETE FROM phone_link`))
	})
}
