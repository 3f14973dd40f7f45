package accessstore

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"time"

	"guiche/internal/service/access"
	"guiche/internal/store/engine"
	"guiche/internal/throttle"

	"github.com/google/uuid"
)

// Throttle implements access.Store.
func (s *Store) Throttle(ctx context.Context, fn func(access.FailureStore) error) error {
	return s.write(ctx, func(tx *engine.Tx) error { return fn(counts{tx}) })
}

// counts satisfies access.FailureStore within one transaction.
type counts struct{ *engine.Tx }

// Failures implements throttle.Store.
func (c counts) Failures(ctx context.Context, subject [sha256.Size]byte) (f throttle.Failures, err error) {
	err = c.QueryRow(ctx, `SELECT failures, failed_at FROM throttle WHERE subject = ?`, subject[:]).Scan(&f.Count, engine.ScanTime(&f.At))
	if errors.Is(err, sql.ErrNoRows) {
		return throttle.Failures{}, nil
	}
	return f, err
}

// SetFailures implements throttle.Store. Counts that have leaked away go on the
// way.
func (c counts) SetFailures(ctx context.Context, subject [sha256.Size]byte, f throttle.Failures) error {
	if f.Count == 0 {
		return exec(ctx, c.Tx, `DELETE FROM throttle WHERE subject = ?`, subject[:])
	}
	if err := c.forget(ctx, f.At.Add(-throttle.Outdated)); err != nil {
		return err
	}
	return exec(ctx, c.Tx, `INSERT INTO throttle (subject, failures, failed_at) VALUES (?, ?, ?)
		ON CONFLICT (subject) DO UPDATE SET failures = excluded.failures, failed_at = excluded.failed_at`,
		subject[:], f.Count, engine.Micros(f.At))
}

// mostFailures bounds what is kept of an attack at made-up users.
const mostFailures = 100_000

// forget drops the failures that no longer count.
func (c counts) forget(ctx context.Context, before time.Time) error {
	if err := exec(ctx, c.Tx, `DELETE FROM throttle WHERE failed_at < ?`, engine.Micros(before)); err != nil {
		return err
	}
	return exec(ctx, c.Tx, `DELETE FROM throttle WHERE failed_at <
		(SELECT failed_at FROM throttle ORDER BY failed_at DESC LIMIT 1 OFFSET ?)`, mostFailures)
}

// CountTried implements access.FailureStore.
func (c counts) CountTried(ctx context.Context, user uuid.UUID, at time.Time) error {
	return c.countFailure(ctx, user, at, 1, 0)
}

// CountRefused implements access.FailureStore.
func (c counts) CountRefused(ctx context.Context, user uuid.UUID, at time.Time) error {
	return c.countFailure(ctx, user, at, 0, 1)
}

// countsKept is how long failed logins are counted.
const countsKept = 90 * 24 * time.Hour

func (c counts) countFailure(ctx context.Context, user uuid.UUID, at time.Time, tried, refused int) error {
	if err := exec(ctx, c.Tx, `DELETE FROM login_failure WHERE hour < ?`, engine.Micros(at.Add(-countsKept))); err != nil {
		return err
	}
	return exec(ctx, c.Tx, `
		INSERT INTO login_failure (user_uid, hour, tried, refused, failed_at) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (user_uid, hour) DO UPDATE SET tried = login_failure.tried + excluded.tried,
			refused = login_failure.refused + excluded.refused, failed_at = excluded.failed_at`,
		user[:], engine.Micros(at.Truncate(time.Hour)), tried, refused, engine.Micros(at))
}

// FailedLogins implements access.Store.
func (s *Store) FailedLogins(ctx context.Context, since time.Time) (failed []access.FailedLogins, err error) {
	err = s.read(ctx, func(tx *engine.Tx) error {
		failed, err = engine.List(ctx, tx, scanFailedLogins, `
			SELECT f.user_uid, coalesce(u.name, ''), p.uid, SUM(f.tried), SUM(f.refused), MAX(f.failed_at)
			FROM login_failure f LEFT JOIN service_user u ON u.uid = f.user_uid LEFT JOIN profile p ON p.id = u.profile_id
			WHERE f.hour >= ? GROUP BY f.user_uid, u.name, p.uid ORDER BY SUM(f.tried) + SUM(f.refused) DESC, f.user_uid`, engine.Micros(since))
		return err
	})
	return failed, err
}

func scanFailedLogins(row engine.Row) (f access.FailedLogins, err error) {
	return f, row.Scan(engine.ScanUID(&f.User), &f.Name, engine.ScanUID(&f.Profile), &f.Tried, &f.Refused, engine.ScanTime(&f.Latest))
}
