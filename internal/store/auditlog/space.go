package auditlog

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"guiche/internal/audit"
	"guiche/internal/problem"
	"guiche/internal/store/engine"
)

// UseJournal makes Keep keep looks in the journal. It is called before the log is used.
func (l *Log) UseJournal(j *Journal) { l.journal = j }

// RecordLook adds an entry about what was only read, in a transaction of its own or, where
// there is no space for one, in the journal.
func (l *Log) RecordLook(ctx context.Context, e audit.Entry) error {
	return l.Keep(ctx, e, time.Time{}, l.Record(ctx, e))
}

// Keep keeps an entry about what was only read, if it was not written for want of space,
// or because the database is in use, and the journal has a place for it; otherwise it
// returns notWritten. An entry that is
// the same as one kept since a moment is kept once; a zero since keeps each.
func (l *Log) Keep(ctx context.Context, e audit.Entry, since time.Time, notWritten error) error {
	if l.journal == nil || !problem.Passing(notWritten) {
		return notWritten
	}
	kept := journalEntry{At: e.At.UTC().Truncate(time.Microsecond), Actor: e.Actor, Event: e.Event, Object: e.Object,
		ObjectID: e.ObjectID, Detail: e.Detail, Address: audit.AddressFrom(ctx)}
	if !l.journal.add(kept, since) {
		return notWritten
	}
	return nil
}

// WriteKept writes what the journal keeps to the trail, with the times of the looks, and
// empties it. What a process wrote that was killed before it emptied the journal is
// not written again.
func (l *Log) WriteKept(ctx context.Context) error {
	if l.journal == nil {
		return nil
	}
	if err := l.Link(ctx); err != nil {
		return err
	}
	return l.journal.empty(func(kept []journalEntry) error {
		return l.db.Write(ctx, func(tx *engine.Tx) error {
			for _, k := range kept {
				if err := l.writeKept(ctx, tx, k); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

func (l *Log) writeKept(ctx context.Context, tx *engine.Tx, k journalEntry) error {
	e := audit.Entry{At: k.At, Actor: k.Actor, Event: k.Event, Object: k.Object, ObjectID: k.ObjectID, Detail: k.Detail}
	var there int
	err := tx.QueryRow(ctx, `SELECT 1 FROM audit_entry WHERE at = ? AND (actor IS NOT DISTINCT FROM ?) = TRUE AND event = ?
		AND object_id IS NOT DISTINCT FROM ? AND detail = ?`, // by the index over time: whoever acts does so often
		engine.Micros(e.At), engine.UID(e.Actor), string(e.Event), engine.UID(e.ObjectID), e.Detail).Scan(&there)
	switch {
	case err == nil:
		return nil
	case !errors.Is(err, sql.ErrNoRows):
		return fmt.Errorf("auditlog: read: %w", err)
	}
	return l.append(audit.WithAddress(ctx, k.Address), tx, e)
}
