package servicestore

import (
	"context"
	"crypto/sha256"
	"time"

	"guiche/internal/problem"
	"guiche/internal/service"
	"guiche/internal/sqlite"

	"github.com/google/uuid"
)

const selectAction = `SELECT a.uid, p.uid, e.uid, a.kind, a.before, a.fingerprint, a.note, a.received_at,
		coalesce(d.answer, ''), coalesce(d.size, 0),
		coalesce((SELECT f.failure FROM act_result f WHERE f.act_id = a.id AND f.failure <> '' ORDER BY f.id DESC LIMIT 1), '')
	FROM act a JOIN profile p ON p.id = a.profile_id JOIN authorization_entry e ON e.id = a.entry_id
	LEFT JOIN act_result d ON d.act_id = a.id AND d.failure = '' `

// scanAction reads a later step of an authorization, answered or not.
func scanAction(r sqlite.Row) (a service.Action, err error) {
	var fingerprint []byte
	err = r.Scan(sqlite.ScanUID(&a.ID), sqlite.ScanUID(&a.Caller.ProfileID), sqlite.ScanUID(&a.GuideID), &a.Kind, &a.Before,
		&fingerprint, &a.Note,
		sqlite.ScanTime(&a.ReceivedAt), &a.Answer, &a.AnswerSize, &a.Failure)
	copy(a.Fingerprint[:], fingerprint)
	return a, sqlite.Error(err)
}

// actionByKey finds what was already done with an idempotency key, while the key is
// remembered.
func actionByKey(ctx context.Context, tx *sqlite.Tx, profile uuid.UUID, key [sha256.Size]byte, now time.Time) (service.Action, error) {
	return scanAction(tx.QueryRow(ctx, selectAction+`JOIN act_key k ON k.act_id = a.id AND k.profile_id = a.profile_id
		WHERE p.uid = ? AND k.hash = ? AND k.expires_at > ?`, sqlite.UID(profile), key[:], sqlite.Micros(now)))
}

// Action implements service.LifeStore.
func (s *Store) Action(ctx context.Context, id uuid.UUID) (a service.Action, err error) {
	err = s.read(ctx, func(tx *sqlite.Tx) error {
		a, err = scanAction(tx.QueryRow(ctx, selectAction+`WHERE a.uid = ?`, sqlite.UID(id)))
		return err
	})
	return a, err
}

// ActionByKey implements service.LifeStore.
func (s *Store) ActionByKey(ctx context.Context, profile uuid.UUID, key [sha256.Size]byte, now time.Time) (a service.Action, err error) {
	err = s.read(ctx, func(tx *sqlite.Tx) error {
		a, err = actionByKey(ctx, tx, profile, key, now)
		return err
	})
	return a, err
}

// AddAction implements service.LifeStore.
func (s *Store) AddAction(ctx context.Context, a service.Action) (action service.Action, fresh bool, err error) {
	err = s.write(ctx, func(tx *sqlite.Tx) error {
		if a.Key != nil {
			if action, err = actionByKey(ctx, tx, a.Caller.ProfileID, *a.Key, a.ReceivedAt); !problem.Is(err, problem.NotFound) {
				return err
			}
		}
		action, fresh = a, true
		return addAction(ctx, tx, a)
	})
	return action, fresh, err
}

// addAction adds the action, its attachments and its key, and drops keys whose time is
// over.
func addAction(ctx context.Context, tx *sqlite.Tx, a service.Action) error {
	var id, profile int64
	if err := tx.QueryRow(ctx, `INSERT INTO act (uid, profile_id, entry_id, kind, before, fingerprint, note,
		received_at, method, access_uid, x_request_id)
		VALUES (?, (SELECT id FROM profile WHERE uid = ?), (SELECT id FROM authorization_entry WHERE uid = ?), ?, ?, ?, ?, ?, `+
		`?, ?, ?) RETURNING id, profile_id`,
		sqlite.UID(a.ID), sqlite.UID(a.Caller.ProfileID), sqlite.UID(a.GuideID), string(a.Kind), string(a.Before), a.Fingerprint[:], a.Note,
		sqlite.Micros(a.ReceivedAt), string(a.Caller.Method), sqlite.UID(a.Caller.AccessID), a.Caller.RequestID).Scan(&id, &profile); err != nil {
		return err
	}
	if err := countBytes(ctx, tx, profile, a.ReceivedAt, a.Attachments, a.Admit); err != nil {
		return err
	}
	for i, at := range a.Attachments {
		if err := exec(ctx, tx, `INSERT INTO act_blob (act_id, position, ref, size, name, content_type) VALUES (?, ?, ?, ?, ?, ?)`,
			id, i, string(at.Blob), at.Size, at.Name, at.ContentType); err != nil {
			return err
		}
	}
	if err := exec(ctx, tx, `DELETE FROM act_key WHERE expires_at <= ?`, sqlite.Micros(a.ReceivedAt)); err != nil || a.Key == nil {
		return err
	}
	return exec(ctx, tx, `INSERT INTO act_key (profile_id, hash, act_id, expires_at)
		VALUES (?, ?, ?, ?)`, profile, a.Key[:], id, sqlite.Micros(a.KeyUntil))
}

// result is what came of an action.
type result struct {
	at      time.Time
	actor   string
	failure string
	answer  string
	size    int64
}

// addResult appends how a step ended; the step's own row never changes.
func addResult(ctx context.Context, tx *sqlite.Tx, act uuid.UUID, r result) error {
	id, err := rowID(ctx, tx, "act", act)
	if err != nil {
		return err
	}
	return exec(ctx, tx, `INSERT INTO act_result (act_id, at, actor, failure, answer, size)
		VALUES (?, ?, ?, ?, ?, ?)`, id, sqlite.Micros(r.at), r.actor, r.failure, r.answer, r.size)
}

// AddActionFailure implements service.LifeStore.
func (s *Store) AddActionFailure(ctx context.Context, f service.ActionFailureEntry) error {
	return s.write(ctx, func(tx *sqlite.Tx) error {
		if err := addResult(ctx, tx, f.ActionID, result{at: f.At, actor: f.Operator, failure: string(f.Reason)}); err != nil || f.Due.IsZero() {
			return err
		}
		var entry int64
		if err := tx.QueryRow(ctx, `SELECT entry_id FROM act WHERE uid = ?`, sqlite.UID(f.ActionID)).Scan(&entry); err != nil {
			return err
		}
		return setTask(ctx, tx, entry, f.Due)
	})
}
