package servicestore

import (
	"context"
	"crypto/sha256"
	"time"

	"guiche/internal/problem"
	"guiche/internal/service"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

const selectAction = `SELECT a.uid, p.uid, e.uid, a.kind, a.before, a.fingerprint, a.note, a.received_at,
		coalesce(d.answer, ''), coalesce(d.size, 0),
		coalesce((SELECT f.failure FROM act_result f WHERE f.act_id = a.id AND f.failure <> '' ORDER BY f.id DESC LIMIT 1), '')
	FROM act a JOIN profile p ON p.id = a.profile_id JOIN authorization_entry e ON e.id = a.entry_id
	LEFT JOIN act_result d ON d.act_id = a.id AND d.failure = '' `

// scanAction reads a later step of an authorization, answered or not.
func scanAction(r engine.Row) (a service.Action, err error) {
	var fingerprint []byte
	err = r.Scan(engine.ScanUID(&a.ID), engine.ScanUID(&a.Caller.ProfileID), engine.ScanUID(&a.GuideID), &a.Kind, &a.Before,
		&fingerprint, &a.Note,
		engine.ScanTime(&a.ReceivedAt), &a.Answer, &a.AnswerSize, &a.Failure)
	copy(a.Fingerprint[:], fingerprint)
	return a, engine.Error(err)
}

// actionByKey finds what was already done with an idempotency key, while the key is
// remembered.
func (s *Store) actionByKey(ctx context.Context, tx *engine.Tx, profile uuid.UUID, key [sha256.Size]byte,
	now time.Time) (a service.Action, err error) {
	id, err := s.byKey(ctx, tx, actKeys, profile, key, now)
	if err != nil {
		return a, err
	}
	return s.readAction(ctx, tx, id)
}

// readAction reads an action with what came of it, or says that it is damaged.
func (s *Store) readAction(ctx context.Context, tx *engine.Tx, id int64) (a service.Action, err error) {
	if err := s.verify(ctx, tx, id, ofAct...); err != nil {
		return a, err
	}
	return scanAction(tx.QueryRow(ctx, selectAction+`WHERE a.id = ?`, id))
}

// Action implements service.LifeStore.
func (s *Store) Action(ctx context.Context, id uuid.UUID) (a service.Action, err error) {
	err = s.read(ctx, func(tx *engine.Tx) error {
		a = service.Action{}
		number, err := rowID(ctx, tx, "act", id)
		if err == nil {
			a, err = s.readAction(ctx, tx, number)
		}
		return err
	})
	return a, err
}

// ActionByKey implements service.LifeStore.
func (s *Store) ActionByKey(ctx context.Context, profile uuid.UUID, key [sha256.Size]byte, now time.Time) (a service.Action, err error) {
	err = s.read(ctx, func(tx *engine.Tx) error {
		a, err = s.actionByKey(ctx, tx, profile, key, now)
		return err
	})
	return a, err
}

// AddAction implements service.LifeStore.
func (s *Store) AddAction(ctx context.Context, a service.Action) (action service.Action, fresh bool, err error) {
	err = s.write(ctx, func(tx *engine.Tx) error {
		action, fresh = service.Action{}, false
		if a.Key != nil {
			if action, err = s.actionByKey(ctx, tx, a.Caller.ProfileID, *a.Key, a.ReceivedAt); !problem.Is(err, problem.NotFound) {
				return err
			}
		}
		action, fresh = a, true
		return addAction(ctx, tx, a)
	})
	return action, fresh, err
}

// addAction adds the action, its attachments and its key.
func addAction(ctx context.Context, tx *engine.Tx, a service.Action) error {
	profile, err := rowID(ctx, tx, "profile", a.Caller.ProfileID)
	if err != nil {
		return err
	}
	entry, err := rowID(ctx, tx, "authorization_entry", a.GuideID)
	if err != nil {
		return err
	}
	hash, until := keyColumns(a.Key, a.KeyUntil)
	id, err := actTable.InsertNumbered(ctx, tx, engine.UID(a.ID), profile, entry, string(a.Kind), string(a.Before), a.Fingerprint[:],
		a.Note, engine.Micros(a.ReceivedAt), string(a.Caller.Method), engine.UID(a.Caller.AccessID), a.Caller.RequestID, hash, until)
	if err != nil {
		return err
	}
	if err := countBytes(ctx, tx, profile, a.ReceivedAt, a.Attachments, a.Admit); err != nil {
		return err
	}
	for i, at := range a.Attachments {
		if err := actBlobTable.Insert(ctx, tx, id, i, string(at.Blob), at.Size, at.Name, at.ContentType); err != nil {
			return err
		}
	}
	return actKeys.addKey(ctx, tx, profile, id, a.Key, a.ReceivedAt, a.KeyUntil)
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
func addResult(ctx context.Context, tx *engine.Tx, act uuid.UUID, r result) error {
	id, err := rowID(ctx, tx, "act", act)
	if err != nil {
		return err
	}
	_, err = resultTable.InsertNumbered(ctx, tx, id, engine.Micros(r.at), r.failure, r.answer, r.size, r.actor)
	return err
}

// AddActionFailure implements service.LifeStore.
func (s *Store) AddActionFailure(ctx context.Context, f service.ActionFailureEntry) error {
	return s.write(ctx, func(tx *engine.Tx) error {
		if err := addResult(ctx, tx, f.ActionID, result{at: f.At, actor: f.Operator, failure: string(f.Reason)}); err != nil || f.Due.IsZero() {
			return err
		}
		var entry int64
		if err := tx.QueryRow(ctx, `SELECT entry_id FROM act WHERE uid = ?`, engine.UID(f.ActionID)).Scan(&entry); err != nil {
			return err
		}
		return setTask(ctx, tx, entry, f.Due)
	})
}
