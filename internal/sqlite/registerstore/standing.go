package registerstore

import (
	"context"

	"guiche/internal/register"
	"guiche/internal/sqlite"

	"github.com/google/uuid"
)

// SetStandings implements register.Tx.
func (t *tx) SetStandings(ctx context.Context, s register.Standings) error {
	for _, set := range []struct {
		query string
		of    map[uuid.UUID]register.Standing
	}{
		{`UPDATE care_unit SET standing = ? WHERE uid = ?`, s.Units},
		{`UPDATE care_point SET standing = ? WHERE uid = ?`, s.CarePoints},
		{`UPDATE professional SET standing = ? WHERE uid = ?`, s.Professionals},
	} {
		for uid, standing := range set.of {
			if err := exec(ctx, t.Tx, set.query, int(standing), sqlite.UID(uid)); err != nil {
				return err
			}
		}
	}
	return nil
}
