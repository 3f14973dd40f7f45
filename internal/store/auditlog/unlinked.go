package auditlog

import (
	"context"
	"fmt"
	"time"

	"guiche/internal/audit"
	"guiche/internal/store/engine"
)

// Where several processes write, each entry takes its place in the chain after it was committed:
// otherwise whoever acts would wait for everybody else's end of the chain.

// unlinked is an entry that is committed and not yet in the chain.
type unlinked struct {
	id    int64
	entry audit.Entry
	since time.Time // it is left out if the same was written since then; zero: never
	seal  audit.MAC
}

var unlinkedColumns = []string{"at", "actor", "event", "object", "object_id", "detail", "address_digest", "address", "salt", "since",
	"seal"}

// putUnlinked adds entries that Link puts into the chain, or leaves out if the same was written
// since then.
func (l *Log) putUnlinked(ctx context.Context, tx *engine.Tx, entries []audit.Entry, since time.Time) error {
	var after any
	if !since.IsZero() {
		after = engine.Micros(since)
	}
	for _, e := range entries {
		e = traced(ctx, tx, e)
		var address, salt any
		if e.Origin.Address != "" {
			address, salt = e.Origin.Address, e.Origin.Salt[:]
		}
		seal := l.key.Seal(e, since)
		err := tx.InsertLater(ctx, "audit_unlinked", unlinkedColumns, engine.Micros(e.At), engine.UID(e.Actor), string(e.Event), e.Object,
			engine.UID(e.ObjectID), e.Detail, digestOf(e.Origin), address, salt, after, seal[:])
		if err != nil {
			return fmt.Errorf("auditlog: append: %w", err)
		}
	}
	return nil
}

// linkedAtOnce bounds what one transaction links.
const linkedAtOnce = 500

// Link puts what every process committed into the chain, in the order in which it was written,
// unless another process is doing so. An entry that was altered in between becomes a broken link.
// Where one process alone writes there is nothing to do.
func (l *Log) Link(ctx context.Context) error {
	if !l.db.Shared() {
		return nil
	}
	for {
		more, err := l.linkSome(ctx)
		if err != nil || !more {
			return err
		}
	}
}

// linkSome links the first of the entries, and reports whether there may be more.
func (l *Log) linkSome(ctx context.Context) (more bool, err error) {
	some, err := engine.Get(ctx, l.db, func(tx *engine.Tx) (some bool, err error) {
		return some, tx.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM audit_unlinked)`).Scan(&some)
	})
	if err != nil {
		return false, fmt.Errorf("auditlog: link: %w", err)
	}
	if !some {
		return false, nil
	}
	err = l.db.Write(ctx, func(tx *engine.Tx) error {
		more = false
		free, err := engine.List(ctx, tx, scanPosition, `SELECT l.id FROM audit_lease l WHERE l.id = 1`+tx.Claim("l"))
		if err != nil || len(free) == 0 {
			return err
		}
		waiting, err := engine.List(ctx, tx, scanUnlinked, `SELECT id, at, actor, event, object, object_id, detail, address_digest,
			address, salt, since, seal FROM audit_unlinked ORDER BY id LIMIT ?`, linkedAtOnce)
		if err != nil {
			return err
		}
		more = len(waiting) == linkedAtOnce
		return l.linkAll(ctx, tx, waiting)
	})
	if err != nil {
		return false, fmt.Errorf("auditlog: link: %w", err)
	}
	return more, nil
}

// linkAll moves entries into the chain.
func (l *Log) linkAll(ctx context.Context, tx *engine.Tx, waiting []unlinked) error {
	head, err := lastHead(ctx, tx)
	if err != nil {
		return err
	}
	linked := make([]int64, len(waiting))
	for i, u := range waiting {
		if head, err = l.link(ctx, tx, head, u); err != nil {
			return err
		}
		linked[i] = u.id
	}
	return tx.ExecLater(ctx, `DELETE FROM audit_unlinked WHERE id `+engine.InNumbers, engine.Numbers(linked))
}

// link puts an entry into the chain, and returns where that ends then.
func (l *Log) link(ctx context.Context, tx *engine.Tx, head audit.Head, u unlinked) (audit.Head, error) {
	e := u.entry
	if !u.since.IsZero() {
		if written, err := isRecent(ctx, tx, e, e.Origin.Address, u.since); err != nil || written {
			return head, err
		}
	}
	link := l.key.Next(head, e)
	if l.key.Seal(e, u.since) != u.seal {
		link.MAC = u.seal // that of no link: whoever checks the chain finds this one broken
	}
	err := insertLink(ctx, tx, link)
	if err == nil && !u.since.IsZero() {
		err = noteLook(ctx, tx, e)
	}
	return link.Head, err
}

func scanUnlinked(row engine.Row) (u unlinked, err error) {
	e := &u.entry
	var digest, salt, seal []byte
	var address *string
	err = row.Scan(&u.id, engine.ScanTime(&e.At), engine.ScanUID(&e.Actor), &e.Event, &e.Object, engine.ScanUID(&e.ObjectID), &e.Detail,
		&digest, &address, &salt, engine.ScanTime(&u.since), &seal)
	if address != nil {
		e.Origin.Address = *address
	}
	copy(e.Origin.Digest[:], digest)
	copy(e.Origin.Salt[:], salt)
	copy(u.seal[:], seal)
	return u, err
}
