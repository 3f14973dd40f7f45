package servicestore

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"time"

	"guiche/internal/problem"
	"guiche/internal/store/checksum"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// keyed is a table whose rows may have come with an idempotency key, and the table of those
// keys, which names them in a column. Keys are stored as digests and belong to a profile.
type keyed struct {
	rows, keys checksum.Table
	column     string
}

var (
	requestKeys = keyed{requestTable, requestKeyTable, "request_id"}
	actKeys     = keyed{actTable, actKeyTable, "act_id"}
)

// byKey returns the number of the row that came with a key, while the key is remembered.
// The row names its key too: where that of the key is damaged or gone, a repetition is
// still known as one.
func (s *Store) byKey(ctx context.Context, tx *engine.Tx, k keyed, profile uuid.UUID, hash [sha256.Size]byte,
	now time.Time) (id int64, err error) {
	number, err := rowID(ctx, tx, "profile", profile)
	if err != nil {
		return 0, engine.Error(err)
	}
	id, err = s.ofKey(ctx, tx, k, number, hash, now)
	if !problem.Is(err, problem.NotFound) && !problem.Is(err, problem.Damaged) {
		return id, err
	}
	own := tx.QueryRow(ctx, `SELECT id FROM `+k.rows.Name+` WHERE profile_id = ? AND key_hash = ? AND key_until > ?
		ORDER BY id DESC LIMIT 1`, number, hash[:], engine.Micros(now)).Scan(&id)
	if own = engine.Error(own); problem.Is(own, problem.NotFound) {
		return 0, err
	}
	return id, own
}

// ofKey is byKey by the table of keys alone.
func (s *Store) ofKey(ctx context.Context, tx *engine.Tx, k keyed, profile int64, hash [sha256.Size]byte,
	now time.Time) (id int64, err error) {
	if err := s.noted(k.keys.Verify(ctx, tx, `profile_id = ? AND hash = ?`, profile, hash[:])); err != nil {
		return 0, err
	}
	var until int64
	err = tx.QueryRow(ctx, `SELECT `+k.column+`, expires_at FROM `+k.keys.Name+` WHERE profile_id = ? AND hash = ?`,
		profile, hash[:]).Scan(&id, &until)
	if err == nil && until <= engine.Micros(now) {
		err = sql.ErrNoRows
	}
	return id, engine.Error(err)
}

// addKey remembers the key of a row, and drops keys whose time is over.
func (k keyed) addKey(ctx context.Context, tx *engine.Tx, profile, id int64, hash *[sha256.Size]byte, at, until time.Time) error {
	if err := exec(ctx, tx, `DELETE FROM `+k.keys.Name+` WHERE expires_at <= ?`, engine.Micros(at)); err != nil || hash == nil {
		return err
	}
	return k.keys.Insert(ctx, tx, profile, hash[:], id, engine.Micros(until))
}

// keyColumns are what a row says of its own key.
func keyColumns(hash *[sha256.Size]byte, until time.Time) (digest []byte, end int64) {
	if hash == nil {
		return nil, 0
	}
	return hash[:], engine.Micros(until)
}
