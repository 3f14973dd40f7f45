package servicestore

import (
	"context"
	"database/sql"
	"time"

	"guiche/internal/service"
	"guiche/internal/sqlite"

	"github.com/google/uuid"
)

// Due implements service.WorkStore.
func (s *Store) Due(ctx context.Context, now time.Time) (credentials []uuid.UUID, next time.Time, err error) {
	err = s.read(ctx, func(tx *sqlite.Tx) error {
		if err := tx.QueryRow(ctx, `SELECT coalesce(min(due_at), 0) FROM task
			WHERE due_at > ?`, sqlite.Micros(now)).Scan(sqlite.ScanTime(&next)); err != nil {
			return err
		}
		credentials, err = sqlite.List(ctx, tx, func(r sqlite.Row) (id uuid.UUID, err error) { return id, r.Scan(sqlite.ScanUID(&id)) },
			`SELECT uid FROM credential WHERE id IN (SELECT credential_id FROM task WHERE due_at <= ?) ORDER BY id`, sqlite.Micros(now))
		return err
	})
	return credentials, next, err
}

// Claim implements service.WorkStore.
func (s *Store) Claim(ctx context.Context, credential uuid.UUID, now, until time.Time, limit int) (tasks []service.Task, err error) {
	err = s.write(ctx, func(tx *sqlite.Tx) error {
		tasks, err = sqlite.List(ctx, tx, scanTask, `SELECT r.uid, e.uid, t.tries FROM task t JOIN request r ON r.id = t.request_id
			LEFT JOIN authorization_entry e ON e.id = t.entry_id
			WHERE t.credential_id = (SELECT id FROM credential WHERE uid = ?) AND t.due_at <= ?
			ORDER BY json_extract(r.document, '$.PatientPresent') DESC, t.due_at, t.id LIMIT ?`,
			sqlite.UID(credential), sqlite.Micros(now), limit)
		if err != nil {
			return err
		}
		for _, t := range tasks {
			if err := updateTask(ctx, tx, `UPDATE task SET due_at = ? `, t, sqlite.Micros(until)); err != nil {
				return err
			}
		}
		return nil
	})
	return tasks, err
}

// scanTask reads a request that still waits for its operator's answer.
func scanTask(r sqlite.Row) (t service.Task, err error) {
	var entry sql.Null[[]byte]
	if err := r.Scan(sqlite.ScanUID(&t.RequestID), &entry, &t.Tries); err != nil {
		return t, err
	}
	if entry.Valid {
		t.GuideID, err = uuid.FromBytes(entry.V)
	}
	return t, err
}

// updateTask runs a statement on the row of a task, if it is still there.
func updateTask(ctx context.Context, tx *sqlite.Tx, statement string, t service.Task, args ...any) error {
	where, id := `WHERE entry_id IS NULL AND request_id = (SELECT id FROM request WHERE uid = ?)`, t.RequestID
	if t.GuideID != uuid.Nil {
		where, id = `WHERE entry_id = (SELECT id FROM authorization_entry WHERE uid = ?)`, t.GuideID
	}
	return exec(ctx, tx, statement+where, append(args, sqlite.UID(id))...)
}

// Postpone implements service.WorkStore.
func (s *Store) Postpone(ctx context.Context, t service.Task, due time.Time) error {
	return s.write(ctx, func(tx *sqlite.Tx) error {
		return updateTask(ctx, tx, `UPDATE task SET tries = tries + 1, due_at = ? `, t, sqlite.Micros(due))
	})
}

// Drop implements service.WorkStore.
func (s *Store) Drop(ctx context.Context, t service.Task) error {
	return s.write(ctx, func(tx *sqlite.Tx) error { return updateTask(ctx, tx, `DELETE FROM task `, t) })
}

// BeginAsking implements service.WorkStore.
func (s *Store) BeginAsking(ctx context.Context, request uuid.UUID, at time.Time) (first bool, err error) {
	err = s.write(ctx, func(tx *sqlite.Tx) error {
		result, err := tx.Exec(ctx, `UPDATE acceptance SET asked_at = ? WHERE asked_at = 0 AND request_id = (SELECT id
			FROM request WHERE uid = ?)`,
			sqlite.Micros(at), sqlite.UID(request))
		if err != nil {
			return err
		}
		n, err := result.RowsAffected()
		first = n == 1
		return err
	})
	return first, err
}

// addAcceptance notes a request that is decided afterwards, due at once.
func addAcceptance(ctx context.Context, tx *sqlite.Tx, id int64, r service.RequestEntry) error {
	if err := exec(ctx, tx, `INSERT INTO acceptance (request_id, guide_uid) VALUES (?, ?)`, id, sqlite.UID(r.GuideID)); err != nil {
		return err
	}
	return exec(ctx, tx, `INSERT INTO task (credential_id, request_id, due_at) SELECT credential_id, id, received_at
		FROM request WHERE id = ?`, id)
}
