package deskstore

import (
	"context"
	"errors"
	"time"

	"guiche/internal/problem"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// ClaimLease has one process at a time hold a lease that all of them name alike, until then at
// most; problem.Conflict while another one holds it. Abandoned says that whoever held it before
// did not end it.
func (s *Store) ClaimLease(ctx context.Context, lease uuid.UUID, now, until time.Time) (abandoned bool, err error) {
	err = s.db.Write(ctx, func(tx *engine.Tx) error {
		n, err := exec(ctx, tx, `INSERT INTO lease (uid, expires_at) VALUES (?, ?) ON CONFLICT (uid) DO NOTHING`,
			engine.UID(lease), engine.Micros(until))
		if abandoned = n == 0; err != nil || !abandoned {
			return err
		}
		n, err = exec(ctx, tx, `UPDATE lease SET expires_at = ? WHERE uid = ? AND expires_at <= ?`,
			engine.Micros(until), engine.UID(lease), engine.Micros(now))
		return heldLease(n, err)
	})
	return abandoned, err
}

// RenewLease has a lease that is held until had be held until then; problem.Conflict where
// another process holds it since.
func (s *Store) RenewLease(ctx context.Context, lease uuid.UUID, had, until time.Time) error {
	return s.db.Write(ctx, func(tx *engine.Tx) error {
		return heldLease(exec(ctx, tx, `UPDATE lease SET expires_at = ? WHERE uid = ? AND expires_at = ?`,
			engine.Micros(until), engine.UID(lease), engine.Micros(had)))
	})
}

// EndLease ends a lease that is held until had.
func (s *Store) EndLease(ctx context.Context, lease uuid.UUID, had time.Time) error {
	return s.db.Write(ctx, func(tx *engine.Tx) error {
		_, err := exec(ctx, tx, `DELETE FROM lease WHERE uid = ? AND expires_at = ?`, engine.UID(lease), engine.Micros(had))
		return err
	})
}

func heldLease(changed int64, err error) error {
	if err == nil && changed == 0 {
		return problem.Wrap(problem.Conflict, "Outro processo já cuida disso.", errors.New("another process holds the lease"))
	}
	return err
}
