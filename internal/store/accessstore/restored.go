package accessstore

import (
	"context"

	"guiche/internal/store/engine"
)

// EndTokens ends every token, as a restored copy must: some of them were ended or spent
// after it was made.
func (s *Store) EndTokens(ctx context.Context) error {
	return s.db.Write(ctx, func(tx *engine.Tx) error {
		_, err := tx.Exec(ctx, `DELETE FROM token_family`) // its tokens go with it
		return engine.Error(err)
	})
}
