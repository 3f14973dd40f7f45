package servicestore

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"guiche/internal/service"
	"guiche/internal/store/checksum"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// isDue holds for the tasks that are due at the first of dueAt. What was given up has the moment of that as its due_at, below
// zero, so that a clock that was ahead can be told by it.
const isDue = `(due_at BETWEEN 1 AND ?1 OR due_at > ?2 OR due_at < ?3)`

// dueAt are the values of isDue.
func dueAt(now time.Time) []any {
	return []any{engine.Micros(now), engine.Micros(now.Add(service.LongestPause + apart)), -engine.Micros(now)}
}

// apart is how far the clocks of two processes may be from each other.
const apart = time.Hour

// Due implements service.WorkStore.
func (s *Store) Due(ctx context.Context, now time.Time) (credentials []uuid.UUID, next time.Time, err error) {
	err = s.read(ctx, func(tx *engine.Tx) error {
		credentials = nil
		if err := tx.QueryRow(ctx, `SELECT coalesce(min(due_at), 0) FROM task
			WHERE due_at > ?`, engine.Micros(now)).Scan(engine.ScanTime(&next)); err != nil {
			return err
		}
		ids, err := engine.List(ctx, tx, scanID, `SELECT id FROM credential WHERE id IN (SELECT credential_id FROM task WHERE `+isDue+`)
			ORDER BY id`, dueAt(now)...)
		if err == nil {
			ids, err = s.whole(ctx, tx, ids, part{credentialTable, `id = ?`})
		}
		for _, id := range ids {
			var uid uuid.UUID
			if err := tx.QueryRow(ctx, `SELECT uid FROM credential WHERE id = ?`, id).Scan(engine.ScanUID(&uid)); err != nil {
				return err
			}
			credentials = append(credentials, uid)
		}
		return err
	})
	return credentials, next, err
}

// patientPresent says whether the patient of request r is at the counter, as package stored
// writes it: quotes within a text are escaped there. A document that is damaged, and may be
// no JSON, keeps nobody else's from being read.
const patientPresent = `(r.document LIKE '%"PatientPresent":true%')`

// Claim implements service.WorkStore. What is damaged is not asked about, and keeps
// nothing else from being asked about.
func (s *Store) Claim(ctx context.Context, credential uuid.UUID, now, until time.Time, limit int) (tasks []service.Task, err error) {
	err = s.write(ctx, func(tx *engine.Tx) error {
		tasks = nil
		due, err := engine.List(ctx, tx, scanTaskRow, `SELECT t.id, t.request_id, coalesce(t.entry_id, 0), t.tries,
			t.credential_id = r.credential_id FROM task t JOIN request r ON r.id = t.request_id
			WHERE t.credential_id = (SELECT id FROM credential WHERE uid = ?4) AND `+isDue+`
			ORDER BY `+patientPresent+` DESC, t.due_at, t.id LIMIT ?5`+tx.Claim(`t`), append(dueAt(now), engine.UID(credential), limit)...)
		for _, row := range due {
			if err := exec(ctx, tx, `UPDATE task SET due_at = ? WHERE id = ?`, engine.Micros(until), row.id); err != nil {
				return err
			}
			if whole, err := s.isTaskWhole(ctx, tx, row); err != nil || !whole {
				if err != nil {
					return err
				}
				continue
			}
			t, err := readTask(ctx, tx, row)
			if err != nil {
				return err
			}
			tasks = append(tasks, t)
		}
		return err
	})
	return tasks, err
}

// taskRow is a task by numbers.
type taskRow struct {
	id, request, entry int64 // entry 0: the request itself is to be decided
	tries              int
	right              bool // the credential is that of the request
}

func scanTaskRow(r engine.Row) (t taskRow, err error) {
	return t, r.Scan(&t.id, &t.request, &t.entry, &t.tries, &t.right)
}

// isTaskWhole reports whether what a task is about can be read. A task of another
// credential than its request is given back to that one.
func (s *Store) isTaskWhole(ctx context.Context, tx *engine.Tx, t taskRow) (bool, error) {
	whole, err := s.isWhole(ctx, tx, t.request, ofRequest...)
	if err == nil && whole && t.entry != 0 {
		whole, err = s.isWhole(ctx, tx, t.entry, ofEntry...)
	}
	if err != nil || !whole || t.right {
		return whole, err
	}
	return false, exec(ctx, tx, `UPDATE task SET credential_id = (SELECT credential_id FROM request WHERE id = request_id) WHERE id = ?`, t.id)
}

// readTask reads what is to be asked.
func readTask(ctx context.Context, tx *engine.Tx, row taskRow) (service.Task, error) {
	t := service.Task{Tries: row.tries}
	err := tx.QueryRow(ctx, `SELECT uid FROM request WHERE id = ?`, row.request).Scan(engine.ScanUID(&t.RequestID))
	if err == nil && row.entry != 0 {
		err = tx.QueryRow(ctx, `SELECT uid FROM authorization_entry WHERE id = ?`, row.entry).Scan(engine.ScanUID(&t.GuideID))
	}
	return t, err
}

// updateTask runs a statement on the row of a task, if it is still there.
func updateTask(ctx context.Context, tx *engine.Tx, statement string, t service.Task, args ...any) error {
	where, id := `WHERE entry_id IS NULL AND request_id = (SELECT id FROM request WHERE uid = ?)`, t.RequestID
	if t.GuideID != uuid.Nil {
		where, id = `WHERE entry_id = (SELECT id FROM authorization_entry WHERE uid = ?)`, t.GuideID
	}
	return exec(ctx, tx, statement+where, append(args, engine.UID(id))...)
}

// Postpone implements service.WorkStore.
func (s *Store) Postpone(ctx context.Context, t service.Task, due time.Time) error {
	return s.write(ctx, func(tx *engine.Tx) error {
		return updateTask(ctx, tx, `UPDATE task SET tries = tries + 1, due_at = ? `, t, engine.Micros(due))
	})
}

// Drop implements service.WorkStore.
func (s *Store) Drop(ctx context.Context, t service.Task) error {
	return s.write(ctx, func(tx *engine.Tx) error { return updateTask(ctx, tx, `DELETE FROM task `, t) })
}

// GiveUp implements service.WorkStore.
func (s *Store) GiveUp(ctx context.Context, t service.Task, now time.Time) error {
	return s.write(ctx, func(tx *engine.Tx) error {
		return updateTask(ctx, tx, `UPDATE task SET due_at = ? `, t, -engine.Micros(now))
	})
}

// BeginAsking implements service.WorkStore.
func (s *Store) BeginAsking(ctx context.Context, request uuid.UUID, at time.Time) (first bool, err error) {
	err = s.write(ctx, func(tx *engine.Tx) error {
		first = false
		id, err := rowID(ctx, tx, "request", request)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err == nil {
			first, err = s.beginAsking(ctx, tx, id, at)
		}
		return err
	})
	return first, err
}

// beginAsking notes that an accepted request is about to be asked about.
func (s *Store) beginAsking(ctx context.Context, tx *engine.Tx, id int64, at time.Time) (first bool, err error) {
	first, err = acceptanceTable.Update(ctx, tx, []any{id}, checksum.Change{Set: `asked_at = ?`, Values: []any{engine.Micros(at)},
		Condition: `asked_at = 0`})
	return first, s.noted(err)
}

// addAcceptance notes a request that is decided afterwards, due at once.
func addAcceptance(ctx context.Context, tx *engine.Tx, id, credential int64, r service.RequestEntry) error {
	if err := acceptanceTable.Insert(ctx, tx, id, engine.UID(r.GuideID), int64(0)); err != nil {
		return err
	}
	return exec(ctx, tx, `INSERT INTO task (credential_id, request_id, due_at) VALUES (?, ?, ?)`, credential, id, engine.Micros(r.ReceivedAt))
}
