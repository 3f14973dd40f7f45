package auditlog

import (
	"context"
	"fmt"
	"time"

	"guiche/internal/audit"
	"guiche/internal/store/engine"
)

// Recent is how far back AppendOnce knows what was written.
const Recent = time.Hour

// AppendOnce is Append unless the same was written by it since a moment, from the same
// address. The moment is within Recent.
func (l *Log) AppendOnce(ctx context.Context, tx *engine.Tx, e audit.Entry, since time.Time) error {
	if l.db.Shared() {
		return l.putUnlinked(ctx, tx, []audit.Entry{e}, since)
	}
	written, err := isRecent(ctx, tx, e, audit.AddressFrom(ctx), since)
	if err != nil || written {
		return err
	}
	if e.At.IsZero() {
		e.At = tx.Now
	}
	if err := l.Append(ctx, tx, e); err != nil {
		return err
	}
	return noteLook(ctx, tx, e)
}

// isRecent reports whether the same was noted by noteLook since a moment, from the same address.
func isRecent(ctx context.Context, tx *engine.Tx, e audit.Entry, address string, since time.Time) (written bool, err error) {
	// The recent ones come first, and what else holds is no index: the trail is long.
	err = tx.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM recent_look r CROSS JOIN audit_entry e
		LEFT JOIN audit_address a ON a.entry = r.entry
		WHERE e.id = r.entry AND r.object_id IS NOT DISTINCT FROM ? AND r.at >= ?
			AND e.actor IS NOT DISTINCT FROM ? AND e.event = ? AND e.object = ? AND e.detail = ? AND coalesce(a.address, '') = ?)`,
		engine.UID(e.ObjectID), engine.Micros(since), engine.UID(e.Actor), string(e.Event), e.Object, e.Detail,
		address).Scan(&written)
	if err != nil {
		return false, fmt.Errorf("auditlog: read: %w", err)
	}
	return written, nil
}

// noteLook keeps that the last entry was written, and forgets what is not recent any more.
// It deletes more than it inserts, so that few are left over; a list of their numbers would be a table of its own.
func noteLook(ctx context.Context, tx *engine.Tx, e audit.Entry) error {
	err := tx.ExecLater(ctx, `INSERT INTO recent_look (entry, at, object_id) SELECT MAX(id), ?, ? FROM audit_entry
		WHERE TRUE ON CONFLICT (entry) DO UPDATE SET at = excluded.at, object_id = excluded.object_id`,
		engine.Micros(e.At), engine.UID(e.ObjectID))
	if err == nil {
		err = tx.ExecLater(ctx, `DELETE FROM recent_look
			WHERE at < ? AND entry <= (SELECT entry FROM recent_look ORDER BY entry LIMIT 1 OFFSET 1)`, engine.Micros(e.At.Add(-Recent)))
	}
	if err != nil {
		return fmt.Errorf("auditlog: note a look: %w", err)
	}
	return nil
}
