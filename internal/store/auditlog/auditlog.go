// Package auditlog keeps the audit trail in the table audit_entry, and for a while in
// audit_address where each act came from: entries are appended in the transaction of
// what they are about, chained, and checked as a whole.
package auditlog

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"time"

	"guiche/internal/audit"
	"guiche/internal/store/engine"
)

// Log is the trail in one database. It is safe for concurrent use.
type Log struct {
	db      engine.DB
	key     audit.Key
	denials *denials
	journal *Journal // may be nil
}

// New returns the trail in db, authenticated with key.
func New(db engine.DB, key audit.Key) *Log { return &Log{db: db, key: key, denials: newDenials()} }

// Append adds an entry in the caller's write transaction: both are kept or
// neither. A zero At is the transaction's time; the address is that of the context. A
// refused act that came within the last minute is only counted: see Monitor.WriteDenials.
func (l *Log) Append(ctx context.Context, tx *engine.Tx, e audit.Entry) error {
	if e.At.IsZero() {
		e.At = tx.Now
	}
	if e.Event.Denied() {
		n, now, undo := l.denials.write(e, audit.AddressFrom(ctx))
		tx.OnRollback(undo)
		if !now {
			return nil
		}
		e = e.Repeated(n)
	}
	return l.append(ctx, tx, e)
}

func (l *Log) append(ctx context.Context, tx *engine.Tx, e audit.Entry) error {
	return l.AppendAll(ctx, tx, []audit.Entry{e})
}

// AppendAll adds entries in the caller's write transaction, one after the other. A zero At
// is the transaction's time; the address is that of the context.
func (l *Log) AppendAll(ctx context.Context, tx *engine.Tx, entries []audit.Entry) error {
	if l.db.Shared() {
		return l.putUnlinked(ctx, tx, entries, time.Time{})
	}
	head, err := lastHead(ctx, tx)
	if err != nil {
		return err
	}
	for _, e := range entries {
		link := l.key.Next(head, traced(ctx, tx, e))
		if err := insertLink(ctx, tx, link); err != nil {
			return err
		}
		head = link.Head
	}
	return nil
}

// traced returns an entry with its time, as precise as it is kept, and with where it came from.
func traced(ctx context.Context, tx *engine.Tx, e audit.Entry) audit.Entry {
	if e.At.IsZero() {
		e.At = tx.Now
	}
	e.At, e.Origin = engine.Time(engine.Micros(e.At)), audit.NewOrigin(audit.AddressFrom(ctx))
	return e
}

// linkColumns are the columns of an entry, in the order of insertLink.
var linkColumns = []string{"id", "at", "actor", "event", "object", "object_id", "detail", "mac", "address_digest"}

func insertLink(ctx context.Context, tx *engine.Tx, link audit.Link) error {
	e := link.Entry
	err := tx.InsertLater(ctx, "audit_entry", linkColumns,
		link.Position, engine.Micros(e.At), engine.UID(e.Actor), string(e.Event), e.Object, engine.UID(e.ObjectID), e.Detail, link.MAC[:],
		digestOf(e.Origin))
	if err != nil {
		return fmt.Errorf("auditlog: append: %w", err)
	}
	return keepAddress(ctx, tx, link.Position, e.Origin)
}

// Record adds an entry in a transaction of its own.
func (l *Log) Record(ctx context.Context, e audit.Entry) error {
	return l.db.Write(ctx, func(tx *engine.Tx) error { return l.Append(ctx, tx, e) })
}

// Verify reads the whole trail. Its error is an *audit.BrokenError when an entry was
// altered, removed or moved, and nobody acknowledged it; see CheckHead for the end of the
// trail.
func (l *Log) Verify(ctx context.Context) error {
	x, err := l.examine(ctx)
	if err == nil && x.Broken != nil {
		err = x.Broken
	}
	return err
}

// examine reads the whole chain.
func (l *Log) examine(ctx context.Context) (audit.Examination, error) {
	if err := l.Link(ctx); err != nil {
		return audit.Examination{}, err
	}
	return engine.Get(ctx, l.db, func(tx *engine.Tx) (audit.Examination, error) {
		return l.key.Examine(links(ctx, tx, selectLinks+` ORDER BY id`))
	})
}

// selectLinks begins a query for what scanLink reads.
const selectLinks = `SELECT id, mac, at, actor, event, object, object_id, detail, address_digest, address, salt
	FROM audit_entry LEFT JOIN audit_address ON entry = id`

// links runs a query of selectLinks and yields its rows; it ends after an error.
func links(ctx context.Context, tx *engine.Tx, query string, args ...any) iter.Seq2[audit.Link, error] {
	return func(yield func(audit.Link, error) bool) {
		rows, err := tx.Query(ctx, query, args...)
		if err != nil {
			yield(audit.Link{}, fmt.Errorf("auditlog: read: %w", err))
			return
		}
		defer func() { _ = rows.Close() }() // rows.Err has the error
		for rows.Next() {
			link, err := scanLink(rows)
			if !yield(link, err) || err != nil {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(audit.Link{}, fmt.Errorf("auditlog: read: %w", err))
		}
	}
}

// scanLink reads an entry with the seal that ties it to the one before.
func scanLink(rows engine.Row) (audit.Link, error) {
	var link audit.Link
	e := &link.Entry
	var mac, digest, salt []byte
	var address sql.NullString
	err := rows.Scan(&link.Position, &mac, engine.ScanTime(&e.At), engine.ScanUID(&e.Actor),
		&e.Event, &e.Object, engine.ScanUID(&e.ObjectID), &e.Detail, &digest, &address, &salt)
	if err != nil {
		return audit.Link{}, fmt.Errorf("auditlog: read: %w", err)
	}
	copy(link.MAC[:], mac)
	e.Origin.Address = address.String
	copy(e.Origin.Digest[:], digest)
	copy(e.Origin.Salt[:], salt)
	return link, nil
}

// lastHead is where the chain ends; the zero Head for an empty one.
func lastHead(ctx context.Context, tx *engine.Tx) (audit.Head, error) {
	var head audit.Head
	var mac []byte
	err := tx.QueryRow(ctx, `SELECT id, mac FROM audit_entry ORDER BY id DESC LIMIT 1`).Scan(&head.Position, &mac)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return audit.Head{}, fmt.Errorf("auditlog: read head: %w", err)
	}
	copy(head.MAC[:], mac)
	return head, nil
}
