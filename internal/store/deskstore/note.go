package deskstore

import (
	"cmp"
	"context"
	"errors"

	"guiche/internal/audit"
	"guiche/internal/desk"
	"guiche/internal/problem"
	"guiche/internal/store/caselist"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// AddNote adds an event with what a person wrote.
func (s *Store) AddNote(ctx context.Context, uid uuid.UUID, e desk.Event, seen int, entry audit.Entry) error {
	return s.written(ctx, uid, e, seen, entry, func(*engine.Tx, int64) error { return nil })
}

// Review adds an event with which a denial waits for the operator's review.
func (s *Store) Review(ctx context.Context, uid uuid.UUID, e desk.Event, seen int, entry audit.Entry) error {
	return s.written(ctx, uid, e, seen, entry, func(tx *engine.Tx, id int64) error { return caselist.Review(ctx, tx, id) })
}

// errWritten ends the transaction of a form that came twice.
var errWritten = errors.New("deskstore: this was written already")

// written is byPerson of a form, and does nothing where it came before. Both presses may be on their way at once: only
// who writes knows.
func (s *Store) written(ctx context.Context, uid uuid.UUID, e desk.Event, seen int, entry audit.Entry,
	do func(*engine.Tx, int64) error,
) error {
	err := s.byPerson(ctx, uid, e, entry, func(tx *engine.Tx, id int64) error {
		before, err := exists(ctx, tx, `SELECT EXISTS (SELECT 1 FROM case_note n JOIN submission_event e ON e.id = n.event_id
			WHERE n.submission_id = ? AND e.kind = ? AND e.actor = ? AND n.contact = ? AND n.call_protocol = ? AND n.note = ?
			AND (SELECT COUNT(*) FROM submission_event o WHERE o.submission_id = e.submission_id AND o.id <= e.id) > ?)`,
			id, e.Kind, engine.UID(e.Actor.User), e.Note.Contact, e.Note.CallProtocol, e.Note.Note, seen)
		switch {
		case err != nil:
			return err
		case before && seen >= 0:
			return errWritten
		}
		return do(tx, id)
	})
	return unlessWritten(err)
}

func unlessWritten(err error) error {
	if errors.Is(err, errWritten) {
		return nil
	}
	return err
}

// ReturnReviews implements desk.NoteStore.
func (s *Store) ReturnReviews(ctx context.Context) error {
	some, err := engine.Get(ctx, s.db, func(tx *engine.Tx) (bool, error) { return caselist.ReviewsOverdue(ctx, tx) })
	if !some || err != nil {
		return err
	}
	return s.db.Write(ctx, func(tx *engine.Tx) error { return caselist.ReturnOverdue(ctx, tx) })
}

// Conclude takes a case out of the queue, once.
func (s *Store) Conclude(ctx context.Context, uid uuid.UUID, e desk.Event, entry audit.Entry) error {
	return unlessWritten(s.byPerson(ctx, uid, e, entry, func(tx *engine.Tx, id int64) error {
		var state desk.State
		err := tx.QueryRow(ctx, `SELECT state FROM submission_state WHERE submission_id = ?`, id).Scan(&state)
		if err != nil {
			return engine.Error(err)
		}
		if !state.Concludes() {
			return problem.New(problem.Conflict, "Este pedido ainda não tem desfecho e continua na fila.")
		}
		concluded, err := exists(ctx, tx, `SELECT EXISTS (`+endsConcluded+`)`, id, desk.EventNoted, desk.EventConcluded)
		if err != nil || concluded {
			return cmp.Or(err, errWritten)
		}
		return caselist.Conclude(ctx, tx, id)
	}))
}

// endsConcluded finds a case to which nothing but notes came since it was concluded.
const endsConcluded = `SELECT 1 FROM submission_event e JOIN submission_state t USING (submission_id)
	WHERE e.id = (SELECT MAX(l.id) FROM submission_event l WHERE l.submission_id = ? AND l.kind <> ?) AND e.kind = ?`

// Reopen puts a case back into the queue.
func (s *Store) Reopen(ctx context.Context, uid uuid.UUID, e desk.Event, entry audit.Entry) error {
	return s.byPerson(ctx, uid, e, entry, func(tx *engine.Tx, id int64) error {
		alone, err := exists(ctx, tx, `SELECT EXISTS (`+endsConcluded+` AND t.corrected = 0)`, id, desk.EventNoted, desk.EventConcluded)
		if err != nil {
			return err
		}
		if !alone {
			return problem.New(problem.Conflict, "Este pedido já não está como ficou quando foi concluído, e isso não pode mais ser desfeito.")
		}
		return caselist.Reopen(ctx, tx, id)
	})
}

// byPerson does something to a case for a person, and adds the event of it, what the person
// wrote with it, and the audit entry.
func (s *Store) byPerson(ctx context.Context, uid uuid.UUID, e desk.Event, entry audit.Entry, do func(*engine.Tx, int64) error) error {
	return s.db.Write(ctx, func(tx *engine.Tx) error {
		var id int64
		if err := tx.QueryRow(ctx, `SELECT id FROM submission WHERE uid = ?`, engine.UID(uid)).Scan(&id); err != nil {
			return engine.Error(err)
		}
		if err := do(tx, id); err != nil {
			return err
		}
		if err := rememberAuthor(ctx, tx, e.Actor); err != nil {
			return err
		}
		event, err := insertEvent(ctx, tx, id, e)
		if err != nil {
			return err
		}
		if e.Note != (desk.Inquiry{}) {
			_, err = noteTable.InsertNumbered(ctx, tx, id, event, e.Note.Contact, e.Note.CallProtocol, e.Note.Note)
		}
		if err != nil {
			return err
		}
		return s.trail.Append(ctx, tx, entry)
	})
}
