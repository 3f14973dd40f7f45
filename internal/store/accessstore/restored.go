package accessstore

import (
	"context"

	"guiche/internal/sqlite"
)

// EndTokens ends every token, as a restored copy must: some of them were ended or spent
// after it was made.
func (s *Store) EndTokens(ctx context.Context) error {
	return s.db.Write(ctx, func(tx *sqlite.Tx) error {
		_, err := tx.Exec(ctx, `DELETE FROM token_family`) // its tokens go with it
		return sqlite.Error(err)
	})
}
