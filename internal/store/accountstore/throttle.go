package accountstore

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"time"

	"guiche/internal/account"
	"guiche/internal/store/engine"
	"guiche/internal/throttle"

	"github.com/google/uuid"
)

// Failures implements account.ThrottleTx.
func (t *tx) Failures(ctx context.Context, subject [sha256.Size]byte) (throttle.Failures, error) {
	var f throttle.Failures
	err := t.QueryRow(ctx, `SELECT failures, failed_at FROM login_throttle WHERE subject = ?`, subject[:]).
		Scan(&f.Count, engine.ScanTime(&f.At))
	if errors.Is(err, sql.ErrNoRows) {
		return throttle.Failures{}, nil
	}
	return f, engine.Error(err)
}

// SetFailures implements account.ThrottleTx.
func (t *tx) SetFailures(ctx context.Context, subject [sha256.Size]byte, f throttle.Failures) error {
	if f.Count == 0 {
		return t.run(ctx, `DELETE FROM login_throttle WHERE subject = ?`, subject[:])
	}
	return t.run(ctx, `
		INSERT INTO login_throttle (subject, failures, failed_at) VALUES (?, ?, ?)
		ON CONFLICT (subject) DO UPDATE SET failures = excluded.failures, failed_at = excluded.failed_at`,
		subject[:], f.Count, engine.Micros(f.At))
}

// CountTried implements account.ThrottleTx.
func (t *tx) CountTried(ctx context.Context, person uuid.UUID) error {
	return t.countFailure(ctx, person, 1, 0)
}

// CountRefused implements account.ThrottleTx.
func (t *tx) CountRefused(ctx context.Context, person uuid.UUID) error {
	return t.countFailure(ctx, person, 0, 1)
}

func (t *tx) countFailure(ctx context.Context, person uuid.UUID, tried, refused int) error {
	return t.run(ctx, `
		INSERT INTO login_failure (person_uid, hour, tried, refused, failed_at) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (person_uid, hour) DO UPDATE SET tried = login_failure.tried + excluded.tried,
			refused = login_failure.refused + excluded.refused, failed_at = excluded.failed_at`,
		person[:], engine.Micros(t.Tx.Now.Truncate(time.Hour)), tried, refused, engine.Micros(t.Tx.Now))
}

// FailedLogins implements account.ThrottleTx.
func (t *tx) FailedLogins(ctx context.Context, since time.Time) ([]account.FailedLogins, error) {
	return engine.List(ctx, t.Tx, scanFailedLogins, `
		SELECT person_uid, SUM(tried), SUM(refused), MAX(failed_at) FROM login_failure WHERE hour >= ?
		GROUP BY person_uid ORDER BY SUM(tried) + SUM(refused) DESC, person_uid`, engine.Micros(since))
}

func scanFailedLogins(row engine.Row) (f account.FailedLogins, err error) {
	return f, row.Scan(engine.ScanUID(&f.Person), &f.Tried, &f.Refused, engine.ScanTime(&f.Latest))
}

// mostFailures bounds what is kept of an attack at made-up accounts.
const mostFailures = 100_000

// DeleteStaleFailures implements account.ThrottleTx.
func (t *tx) DeleteStaleFailures(ctx context.Context, failures, counts time.Time) error {
	if err := t.run(ctx, `DELETE FROM login_throttle WHERE failed_at < ?`, engine.Micros(failures)); err != nil {
		return err
	}
	if err := t.run(ctx, `DELETE FROM login_throttle WHERE failed_at <
		(SELECT failed_at FROM login_throttle ORDER BY failed_at DESC LIMIT 1 OFFSET ?)`, mostFailures); err != nil {
		return err
	}
	return t.run(ctx, `DELETE FROM login_failure WHERE hour < ?`, engine.Micros(counts))
}
