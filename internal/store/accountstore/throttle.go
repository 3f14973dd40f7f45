package accountstore

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"time"

	"guiche/internal/sqlite"
	"guiche/internal/throttle"
)

// Failures implements account.ThrottleTx.
func (t *tx) Failures(ctx context.Context, subject [sha256.Size]byte) (throttle.Failures, error) {
	var f throttle.Failures
	err := t.QueryRow(ctx, `SELECT failures, failed_at FROM login_throttle WHERE subject = ?`, subject[:]).
		Scan(&f.Count, sqlite.ScanTime(&f.At))
	if errors.Is(err, sql.ErrNoRows) {
		return throttle.Failures{}, nil
	}
	return f, sqlite.Error(err)
}

// SetFailures implements account.ThrottleTx.
func (t *tx) SetFailures(ctx context.Context, subject [sha256.Size]byte, f throttle.Failures) error {
	if f.Count == 0 {
		return t.run(ctx, `DELETE FROM login_throttle WHERE subject = ?`, subject[:])
	}
	return t.run(ctx, `
		INSERT INTO login_throttle (subject, failures, failed_at) VALUES (?, ?, ?)
		ON CONFLICT (subject) DO UPDATE SET failures = excluded.failures, failed_at = excluded.failed_at`,
		subject[:], f.Count, sqlite.Micros(f.At))
}

// DeleteStaleFailures implements account.ThrottleTx.
func (t *tx) DeleteStaleFailures(ctx context.Context, before time.Time) error {
	return t.run(ctx, `DELETE FROM login_throttle WHERE failed_at < ?`, sqlite.Micros(before))
}
