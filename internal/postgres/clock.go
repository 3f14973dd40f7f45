package postgres

import (
	"context"
	"time"

	"guiche/internal/store/engine"
)

// ClockAhead is how much the clock of this process is ahead of the server's, negative where it is behind, and 0 where the
// way there and back may be all that lies between them.
func (db *DB) ClockAhead(ctx context.Context) (ahead time.Duration, err error) {
	err = db.Read(ctx, func(tx *engine.Tx) error {
		var micros int64
		before := db.now()
		err := tx.QueryRow(ctx, `SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint`).Scan(&micros)
		ahead = awayFrom(time.UnixMicro(micros), before, db.now())
		return err
	})
	return ahead, err
}

// awayFrom is how far a moment is from a time, 0 within it.
func awayFrom(at, from, to time.Time) time.Duration {
	switch {
	case at.Before(from):
		return from.Sub(at)
	case at.After(to):
		return to.Sub(at)
	}
	return 0
}
