package servicestore

import (
	"context"

	"guiche/internal/sqlite"
)

// MarkRestored counts every accepted request as one that its operator was asked about: it
// may have been since the copy was made. From then on it is only looked up.
func (s *Store) MarkRestored(ctx context.Context) error {
	return s.write(ctx, func(tx *sqlite.Tx) error {
		return exec(ctx, tx, `UPDATE acceptance SET asked_at = ? WHERE asked_at = 0`, sqlite.Micros(tx.Now))
	})
}
