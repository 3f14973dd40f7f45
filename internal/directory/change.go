package directory

import (
	"context"
	"fmt"

	"guiche/internal/audit"
	"guiche/internal/permission"
	"guiche/internal/problem"
	"guiche/internal/version"

	"github.com/google/uuid"
)

// entry is one entry of any of the directory's lists on its way into the store.
type entry struct {
	object    string // as the audit trail names it
	check     func() error
	put       func(context.Context, Tx) (uuid.UUID, error)   // stores it and returns its identifier for the trail
	uid       uuid.UUID                                      // of what a replica keeps
	replicate func(ctx context.Context, of *Directory) error // tells the replica what is stored; nil for what it does not keep
}

// add stores a new entry. refuse says what of it another entry has already.
func (r *Directory) add(ctx context.Context, by permission.Actor, e entry, refuse func(Tx) error) error {
	if err := by.Require(permission.ManageDirectory); err != nil {
		return err
	}
	if err := e.check(); err != nil {
		return err
	}
	err := r.store.Write(ctx, func(tx Tx) error {
		if err := refuse(tx); err != nil {
			return err
		}
		return e.record(ctx, tx, by.User, audit.DirectoryAdded)
	})
	if err == nil {
		r.replicate(ctx, e)
	}
	return err
}

// free turns what looking for an entry returned into a problem of the field unless
// there is none.
func free(found error, taken problem.Field) error {
	switch {
	case found == nil:
		return problem.InvalidFields([]problem.Field{taken})
	case problem.Is(found, problem.NotFound):
		return nil
	}
	return found
}

// edit is a stored entry as it is to be from now on.
type edit struct {
	after entry
	event audit.Event
	same  bool // there is nothing to store
}

// change stores what editing makes of a stored entry. Nothing changed writes
// nothing.
func (r *Directory) change(ctx context.Context, by permission.Actor, editing func(Tx) (edit, error)) error {
	if err := by.Require(permission.ManageDirectory); err != nil {
		return err
	}
	var done edit
	err := r.store.Write(ctx, func(tx Tx) error {
		e, err := editing(tx)
		if err != nil {
			return err
		}
		done = e
		if err := e.after.check(); err != nil || e.same {
			return err
		}
		return e.after.record(ctx, tx, by.User, e.event)
	})
	if err == nil {
		r.replicate(ctx, done.after)
	}
	return err
}

// kind is an entry of one of the lists.
type kind[E any] interface {
	entry() entry
	trimmed() E
	same(before E) bool
	enabled() bool
}

// changeSeen stores what change makes of a stored entry, of which a person saw the version seen.
// refuse says what of it another entry has already; nil where entries have nothing to themselves.
func changeSeen[E kind[E]](ctx context.Context, r *Directory, by permission.Actor, seen string, find func(Tx) (E, error),
	change func(now *E), refuse func(tx Tx, after, before E) error) error {
	return r.change(ctx, by, func(tx Tx) (edit, error) {
		before, err := find(tx)
		if err == nil {
			err = version.Check(seen, before)
		}
		if err != nil {
			return edit{}, err
		}
		after := before
		change(&after)
		after = after.trimmed()
		if refuse != nil {
			err = refuse(tx, after, before)
		}
		return edit{after.entry(), eventOf(before.enabled(), after.enabled()), after.same(before)}, err
	})
}

func (r *Directory) changeUnit(ctx context.Context, by permission.Actor, uid uuid.UUID, seen string, change func(now *Unit)) error {
	return changeSeen(ctx, r, by, seen, func(tx Tx) (Unit, error) { return tx.Unit(ctx, uid) }, change,
		func(tx Tx, after, before Unit) error { return after.namesFree(ctx, tx, before) })
}

func (r *Directory) changeProfessional(ctx context.Context, by permission.Actor, uid uuid.UUID, seen string,
	change func(now *Professional)) error {
	return changeSeen(ctx, r, by, seen, func(tx Tx) (Professional, error) { return tx.Professional(ctx, uid) }, change, nil)
}

func (r *Directory) changeProcedure(ctx context.Context, by permission.Actor, code string, seen string, change func(now *Procedure)) error {
	return changeSeen(ctx, r, by, seen, func(tx Tx) (Procedure, error) { return tx.Procedure(ctx, code) }, change, nil)
}

func (r *Directory) changeCredential(ctx context.Context, by permission.Actor, uid uuid.UUID, seen string,
	change func(now *Credential)) error {
	return changeSeen(ctx, r, by, seen, func(tx Tx) (Credential, error) { return tx.Credential(ctx, uid) }, change, nil)
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
func (e entry) record(ctx context.Context, tx Tx, by uuid.UUID, event audit.Event) error {
	id, err := e.put(ctx, tx)
	if err != nil {
		return err
	}
	return tx.Append(ctx, audit.Entry{Actor: by, Event: event, Object: e.object, ObjectID: id})
}

// imported is one of many entries that are stored at once.
type imported struct {
	entry
	same func(Tx) (bool, error) // whether the stored one is the same; problem.NotFound when there is none
}

// load stores many entries at once, new ones and changed ones, with one line in
// the trail, none when nothing changed.
func (r *Directory) load(ctx context.Context, entries []imported) error {
	for _, e := range entries {
		if err := e.check(); err != nil {
			return err
		}
	}
	err := r.store.Write(ctx, func(tx Tx) error { return loadInto(ctx, tx, entries) })
	if err != nil {
		return err
	}
	for _, e := range entries {
		r.replicate(ctx, e.entry)
	}
	return nil
}

func loadInto(ctx context.Context, tx Tx, entries []imported) error {
	var added, changed int
	for _, e := range entries {
		same, err := e.same(tx)
		switch {
		case problem.Is(err, problem.NotFound):
			added++
		case err != nil:
			return err
		case same:
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
	return tx.Append(ctx, audit.Entry{Event: audit.DirectoryImported, Object: entries[0].object,
		Detail: fmt.Sprintf("novos=%d alterados=%d", added, changed)})
}
