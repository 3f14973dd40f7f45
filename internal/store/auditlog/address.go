package auditlog

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"guiche/internal/audit"
	"guiche/internal/store/engine"
)

// keepAddress keeps where an entry came from, beside the chain.
func keepAddress(ctx context.Context, tx *engine.Tx, position int64, o audit.Origin) error {
	if o.Address == "" {
		return nil
	}
	kept, err := insertAddress(ctx, tx, position, o)
	if err == nil && kept == 0 {
		err = replaceAddress(ctx, tx, position, o)
	}
	if err != nil {
		return fmt.Errorf("auditlog: keep the address: %w", err)
	}
	return nil
}

func insertAddress(ctx context.Context, tx *engine.Tx, position int64, o audit.Origin) (kept int64, err error) {
	return tx.Exec(ctx, `INSERT INTO audit_address (entry, address, salt) VALUES (?, ?, ?) ON CONFLICT (entry) DO NOTHING`,
		position, o.Address, o.Salt[:])
}

// replaceAddress is for where somebody removed the end of the trail and left its addresses:
// work goes on all the same. An address is deleted, never changed.
func replaceAddress(ctx context.Context, tx *engine.Tx, position int64, o audit.Origin) error {
	if _, err := tx.Exec(ctx, `DELETE FROM audit_address WHERE entry = ?`, position); err != nil {
		return err
	}
	_, err := insertAddress(ctx, tx, position, o)
	return err
}

// digestOf returns the digest as the database keeps it, NULL without an address.
func digestOf(o audit.Origin) []byte {
	if o.Digest == ([32]byte{}) {
		return nil
	}
	return o.Digest[:]
}

// forgottenAtOnce bounds what one transaction deletes, so that nobody waits for it long.
const forgottenAtOnce = 2000

// ForgetAddresses deletes the addresses of entries from before a moment. Where there are
// some, the trail says so first: whoever checks it can tell that from tampering.
func (l *Log) ForgetAddresses(ctx context.Context, before time.Time) error {
	before = before.Truncate(time.Second)
	if err := l.Link(ctx); err != nil {
		return err
	}
	for told := false; ; told = true {
		old, err := l.oldAddresses(ctx, before)
		if err != nil || len(old) == 0 {
			return err
		}
		err = l.db.Write(ctx, func(tx *engine.Tx) error {
			if !told {
				if err := l.Append(ctx, tx, audit.AddressesForgottenBefore(before)); err != nil {
					return err
				}
			}
			return deleteAddresses(ctx, tx, old)
		})
		if err != nil {
			return err
		}
	}
}

// oldAddresses returns entries from before a moment that have an address. The join has
// the addresses first: they are those of some weeks, the entries those of all years.
func (l *Log) oldAddresses(ctx context.Context, before time.Time) ([]int64, error) {
	return engine.Get(ctx, l.db, func(tx *engine.Tx) ([]int64, error) {
		old, err := engine.List(ctx, tx, scanPosition, `
			SELECT a.entry FROM audit_address a CROSS JOIN audit_entry e
			WHERE e.id = a.entry AND e.at < ? ORDER BY a.entry LIMIT ?`, engine.Micros(before), forgottenAtOnce)
		if err != nil {
			return nil, fmt.Errorf("auditlog: find old addresses: %w", err)
		}
		return old, nil
	})
}

func scanPosition(row engine.Row) (position int64, err error) {
	err = row.Scan(&position)
	return position, err
}

func deleteAddresses(ctx context.Context, tx *engine.Tx, entries []int64) error {
	for _, entry := range entries {
		if _, err := tx.Exec(ctx, `DELETE FROM audit_address WHERE entry = ?`, entry); err != nil {
			return fmt.Errorf("auditlog: forget an address: %w", err)
		}
	}
	return nil
}

// OldestFrom returns the position of the oldest entry that is known to be from an
// address, 0 without one.
func (l *Log) OldestFrom(ctx context.Context, address string) (int64, error) {
	if err := l.Link(ctx); err != nil {
		return 0, err
	}
	return engine.Get(ctx, l.db, func(tx *engine.Tx) (position int64, err error) {
		err = tx.QueryRow(ctx, `SELECT entry FROM audit_address WHERE address = ? ORDER BY entry LIMIT 1`, address).Scan(&position)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return 0, fmt.Errorf("auditlog: find an address: %w", err)
		}
		return position, nil
	})
}
