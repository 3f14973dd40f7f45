package servicestore

import (
	"context"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// usageHours is how long what a partner sent counts.
const usageHours = 24

func hourOf(at time.Time) int64 { return at.Unix() / int64(time.Hour/time.Second) }

// SentBytes implements service.LedgerStore.
func (s *Store) SentBytes(ctx context.Context, profile uuid.UUID, now time.Time) (bytes int64, err error) {
	err = s.read(ctx, func(tx *engine.Tx) error {
		bytes, err = sentBytes(ctx, tx, `(SELECT id FROM profile WHERE uid = ?)`, engine.UID(profile), now)
		return err
	})
	return bytes, err
}

// sentBytes sums what a profile sent in the hours that count.
func sentBytes(ctx context.Context, tx *engine.Tx, profile string, id any, now time.Time) (bytes int64, err error) {
	err = tx.QueryRow(ctx, `SELECT coalesce(sum(bytes), 0) FROM profile_usage WHERE profile_id = `+profile+` AND hour > ?`,
		id, hourOf(now)-usageHours).Scan(&bytes)
	return bytes, err
}

// countBytes adds attachments to what a profile sent, unless admit refuses the sum, and
// forgets the hours that no longer count.
func countBytes(ctx context.Context, tx *engine.Tx, profile int64, now time.Time, attachments []authorization.Attachment,
	admit func(sent int64) error) error {
	var added int64
	for _, a := range attachments {
		added += a.Size
	}
	if added == 0 {
		return nil
	}
	sent, err := sentBytes(ctx, tx, `?`, profile, now)
	if err == nil && admit != nil {
		err = admit(sent + added)
	}
	if err != nil {
		return err
	}
	if err := exec(ctx, tx, `DELETE FROM profile_usage WHERE profile_id = ? AND hour <= ?`, profile, hourOf(now)-usageHours); err != nil {
		return err
	}
	return exec(ctx, tx, `INSERT INTO profile_usage (profile_id, hour, bytes) VALUES (?, ?, ?)
		ON CONFLICT (profile_id, hour) DO UPDATE SET bytes = profile_usage.bytes + excluded.bytes`, profile, hourOf(now), added)
}
