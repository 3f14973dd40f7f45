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

const selectAct = `SELECT a.uid, p.uid, e.uid, a.kind, a.before, a.fingerprint, a.note, a.received_at,
		coalesce(d.answer, ''), coalesce(d.size, 0),
		coalesce((SELECT f.failure FROM act_result f WHERE f.act_id = a.id AND f.failure <> '' ORDER BY f.id DESC LIMIT 1), '')
	FROM act a JOIN profile p ON p.id = a.profile_id JOIN authorization_entry e ON e.id = a.entry_id
	LEFT JOIN act_result d ON d.act_id = a.id AND d.failure = '' `

func scanAct(r sqlite.Row) (a service.Act, err error) {
	var fingerprint []byte
	err = r.Scan(sqlite.ScanUID(&a.ID), sqlite.ScanUID(&a.ProfileID), sqlite.ScanUID(&a.GuideID), &a.Kind, &a.Before, &fingerprint, &a.Note,
		sqlite.ScanTime(&a.ReceivedAt), &a.Answer, &a.AnswerSize, &a.Failure)
	copy(a.Fingerprint[:], fingerprint)
	return a, sqlite.Error(err)
}

func actByKey(ctx context.Context, tx *sqlite.Tx, profile uuid.UUID, key [sha256.Size]byte, now time.Time) (service.Act, error) {
	return scanAct(tx.QueryRow(ctx, selectAct+`JOIN act_key k ON k.act_id = a.id AND k.profile_id = a.profile_id
		WHERE p.uid = ? AND k.hash = ? AND k.expires_at > ?`, sqlite.UID(profile), key[:], sqlite.Micros(now)))
}

// Act implements service.LifeStore.
func (s *Store) Act(ctx context.Context, id uuid.UUID) (a service.Act, err error) {
	err = s.read(ctx, func(tx *sqlite.Tx) error {
		a, err = scanAct(tx.QueryRow(ctx, selectAct+`WHERE a.uid = ?`, sqlite.UID(id)))
		return err
	})
	return a, err
}

// ActByKey implements service.LifeStore.
func (s *Store) ActByKey(ctx context.Context, profile uuid.UUID, key [sha256.Size]byte, now time.Time) (a service.Act, err error) {
	err = s.read(ctx, func(tx *sqlite.Tx) error {
		a, err = actByKey(ctx, tx, profile, key, now)
		return err
	})
	return a, err
}

// AddAct implements service.LifeStore.
func (s *Store) AddAct(ctx context.Context, a service.Act) (act service.Act, fresh bool, err error) {
	err = s.write(ctx, func(tx *sqlite.Tx) error {
		if a.Key != nil {
			if act, err = actByKey(ctx, tx, a.ProfileID, *a.Key, a.ReceivedAt); !problem.Is(err, problem.NotFound) {
				return err
			}
		}
		act, fresh = a, true
		return addAct(ctx, tx, a)
	})
	return act, fresh, err
}

// addAct adds the act, its attachments and its key, and drops keys whose time is
// over.
func addAct(ctx context.Context, tx *sqlite.Tx, a service.Act) error {
	var id, profile int64
	if err := tx.QueryRow(ctx, `INSERT INTO act (uid, profile_id, entry_id, kind, before, fingerprint, note, received_at, method, access_uid)
		VALUES (?, (SELECT id FROM profile WHERE uid = ?), (SELECT id FROM authorization_entry WHERE uid = ?), ?, ?, ?, ?, ?, ?, ?) RETURNING id, profile_id`,
		sqlite.UID(a.ID), sqlite.UID(a.ProfileID), sqlite.UID(a.GuideID), string(a.Kind), string(a.Before), a.Fingerprint[:], a.Note,
		sqlite.Micros(a.ReceivedAt), string(a.Access.Method), sqlite.UID(a.Access.ID)).Scan(&id, &profile); err != nil {
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
	return exec(ctx, tx, `INSERT INTO act_key (profile_id, hash, act_id, expires_at) VALUES (?, ?, ?, ?)`, profile, a.Key[:], id, sqlite.Micros(a.KeyUntil))
}

// result is what came of an act.
type result struct {
	at      time.Time
	actor   string
	failure string
	answer  string
	size    int64
}

func addResult(ctx context.Context, tx *sqlite.Tx, act uuid.UUID, r result) error {
	id, err := rowID(ctx, tx, "act", act)
	if err != nil {
		return err
	}
	return exec(ctx, tx, `INSERT INTO act_result (act_id, at, actor, failure, answer, size) VALUES (?, ?, ?, ?, ?, ?)`, id, sqlite.Micros(r.at), r.actor, r.failure, r.answer, r.size)
}

// AddActFailure implements service.LifeStore.
func (s *Store) AddActFailure(ctx context.Context, f service.ActFailed) error {
	return s.write(ctx, func(tx *sqlite.Tx) error {
		if err := addResult(ctx, tx, f.ActID, result{at: f.At, actor: f.Operator, failure: f.Code}); err != nil || f.Due.IsZero() {
			return err
		}
		var entry int64
		if err := tx.QueryRow(ctx, `SELECT entry_id FROM act WHERE uid = ?`, sqlite.UID(f.ActID)).Scan(&entry); err != nil {
			return err
		}
		return setTask(ctx, tx, entry, f.Due)
	})
}
