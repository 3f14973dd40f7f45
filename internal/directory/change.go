package directory

import (
	"context"
	"fmt"

	"guiche/internal/audit"
	"guiche/internal/permission"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// entry is what units, professionals, procedures and credentials have in common.
type entry[T any] interface {
	trimmed() T
	check() error
	same(before T) bool
	enabled() bool
	taken() problem.Field                       // what to say when there is one like it
	object() string                             // as the audit trail names it
	load(context.Context, Tx) (T, error)        // the stored one with its identifier, problem.NotFound without one
	put(context.Context, Tx) (uuid.UUID, error) // stores it and returns its identifier for the trail
}

// add stores a new entry; one with the same identifier is a problem of a field.
func add[T entry[T]](ctx context.Context, r *Directory, by permission.Actor, e T) error {
	if err := by.Require(permission.ManageDirectory); err != nil {
		return err
	}
	e = e.trimmed()
	if err := e.check(); err != nil {
		return err
	}
	err := r.store.Write(ctx, func(tx Tx) error {
		_, err := e.load(ctx, tx)
		if err == nil {
			return problem.InvalidFields([]problem.Field{e.taken()})
		}
		if !problem.Is(err, problem.NotFound) {
			return err
		}
		return record(ctx, tx, by.User, audit.DirectoryAdded, e)
	})
	if err != nil {
		return err
	}
	return r.tell(ctx, e)
}

// change edits the stored entry that e names; problem.NotFound when there is
// none. Nothing changed writes nothing.
func change[T entry[T]](ctx context.Context, r *Directory, by permission.Actor, e T, edit func(now *T)) error {
	if err := by.Require(permission.ManageDirectory); err != nil {
		return err
	}
	var after T
	err := r.store.Write(ctx, func(tx Tx) error {
		before, err := e.load(ctx, tx)
		if err != nil {
			return err
		}
		after = before
		edit(&after)
		after = after.trimmed()
		if err := after.check(); err != nil || after.same(before) {
			return err
		}
		return record(ctx, tx, by.User, eventOf(before.enabled(), after.enabled()), after)
	})
	if err != nil {
		return err
	}
	return r.tell(ctx, after)
}

// eventOf names a change by what it does to being active.
func eventOf(before, after bool) audit.Event {
	switch {
	case before && !after:
		return audit.DirectoryDisabled
	case after && !before:
		return audit.DirectoryEnabled
	}
	return audit.DirectoryChanged
}

// record stores an entry and writes the trail about it.
func record[T entry[T]](ctx context.Context, tx Tx, by uuid.UUID, event audit.Event, e T) error {
	id, err := e.put(ctx, tx)
	if err != nil {
		return err
	}
	return tx.Append(ctx, audit.Entry{Actor: by, Event: event, Object: e.object(), ObjectID: id})
}

// load stores many entries at once, new ones and changed ones, with one line in
// the trail, none when nothing changed.
func load[T entry[T]](ctx context.Context, r *Directory, entries []T) error {
	ready := make([]T, len(entries))
	for i, e := range entries {
		ready[i] = e.trimmed()
		if err := ready[i].check(); err != nil {
			return err
		}
	}
	err := r.store.Write(ctx, func(tx Tx) error { return loadInto(ctx, tx, ready) })
	if err != nil {
		return err
	}
	for _, e := range ready {
		if err := r.tell(ctx, e); err != nil {
			return err
		}
	}
	return nil
}

func loadInto[T entry[T]](ctx context.Context, tx Tx, entries []T) error {
	var added, changed int
	for _, e := range entries {
		before, err := e.load(ctx, tx)
		switch {
		case problem.Is(err, problem.NotFound):
			added++
		case err != nil:
			return err
		case e.same(before):
			continue
		default:
			changed++
		}
		if _, err := e.put(ctx, tx); err != nil {
			return err
		}
	}
	if added+changed == 0 {
		return nil
	}
	return tx.Append(ctx, audit.Entry{Event: audit.DirectoryImported, Object: entries[0].object(),
		Detail: fmt.Sprintf("novos=%d alterados=%d", added, changed)})
}
