package accessstore

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"time"

	"guiche/internal/sqlite"
	"guiche/internal/throttle"
)

// Throttle implements access.Store.
func (s *Store) Throttle(ctx context.Context, fn func(throttle.Store) error) error {
	return s.write(ctx, func(tx *sqlite.Tx) error { return fn(counts{tx}) })
}

// counts satisfies throttle.Store within one transaction.
type counts struct{ *sqlite.Tx }

// Failures implements throttle.Store.
func (c counts) Failures(ctx context.Context, subject [sha256.Size]byte) (f throttle.Failures, err error) {
	err = c.QueryRow(ctx, `SELECT failures, failed_at FROM throttle WHERE subject = ?`, subject[:]).Scan(&f.Count, sqlite.ScanTime(&f.At))
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
		subject[:], f.Count, sqlite.Micros(f.At))
}

// forget drops the failures that no longer count.
func (c counts) forget(ctx context.Context, before time.Time) error {
	return exec(ctx, c.Tx, `DELETE FROM throttle WHERE failed_at < ?`, sqlite.Micros(before))
}
