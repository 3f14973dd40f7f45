package auditlog

import (
	"context"
	"fmt"
	"time"

	"guiche/internal/audit"
	"guiche/internal/problem"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
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
		there, err := l.alreadyTold(ctx, kept)
		if err != nil {
			return err
		}
		return l.db.Write(ctx, func(tx *engine.Tx) error {
			written := map[told]bool{} // by this run
			for _, k := range kept {
				if there[k.tells()] || written[k.tells()] {
					continue
				}
				written[k.tells()] = true
				e := audit.Entry{At: k.At, Actor: k.Actor, Event: k.Event, Object: k.Object, ObjectID: k.ObjectID, Detail: k.Detail}
				if err := l.append(audit.WithAddress(ctx, k.Address), tx, e); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// told is what an entry of the trail tells.
type told struct {
	at              int64
	actor, objectID uuid.UUID
	event           audit.Event
	detail          string
}

func (k journalEntry) tells() told {
	return told{engine.Micros(k.At), k.Actor, k.ObjectID, k.Event, k.Detail}
}

// alreadyTold is what the trail tells of the time of some kept entries. It is read from end to
// end: an index over time would be written with each entry, and asked by nothing else.
func (l *Log) alreadyTold(ctx context.Context, kept []journalEntry) (map[told]bool, error) {
	first, last := engine.Micros(kept[0].At), engine.Micros(kept[0].At)
	for _, k := range kept {
		first, last = min(first, engine.Micros(k.At)), max(last, engine.Micros(k.At))
	}
	all, err := engine.Get(ctx, l.db, func(tx *engine.Tx) ([]told, error) {
		return engine.List(ctx, tx, func(row engine.Row) (t told, err error) {
			err = row.Scan(&t.at, engine.ScanUID(&t.actor), engine.ScanUID(&t.objectID), &t.event, &t.detail)
			return t, err
		}, `SELECT at, actor, object_id, event, detail FROM audit_entry WHERE at >= ? AND at <= ?`, first, last)
	})
	if err != nil {
		return nil, fmt.Errorf("auditlog: read: %w", err)
	}
	there := make(map[told]bool, len(all))
	for _, t := range all {
		there[t] = true
	}
	return there, nil
}
