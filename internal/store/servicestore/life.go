package servicestore

import (
	"context"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/authorization/stored"
	"guiche/internal/problem"
	"guiche/internal/service"
	"guiche/internal/store/checksum"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// selectEntry reads authorizations as they stand: what the operator told last.
const selectEntry = `SELECT coalesce(v.document, e.document), e.status, coalesce(v.guide, e.guide)
	FROM authorization_entry e JOIN request r ON r.id = e.request_id JOIN profile p ON p.id = r.profile_id
	LEFT JOIN authorization_revision v ON v.id = (SELECT max(id) FROM authorization_revision WHERE entry_id = e.id) `

// LedgerAuthorization implements service.LifeStore.
func (s *Store) LedgerAuthorization(ctx context.Context, guideID uuid.UUID) (current service.LedgerAuthorization, err error) {
	err = s.read(ctx, func(tx *engine.Tx) error {
		current = service.LedgerAuthorization{}
		id, err := rowID(ctx, tx, "authorization_entry", guideID)
		if err == nil {
			err = s.verify(ctx, tx, id, ofEntry...)
		}
		if err == nil {
			current.Authorization, err = scanEntry(tx.QueryRow(ctx, selectEntry+`WHERE e.id = ?`, id))
		}
		if err != nil {
			return err
		}
		var request int64
		err = tx.QueryRow(ctx, `SELECT r.id, p.uid, (SELECT s.at FROM authorization_status s WHERE s.entry_id = e.id ORDER BY s.id DESC LIMIT 1)
			FROM authorization_entry e JOIN request r ON r.id = e.request_id JOIN profile p ON p.id = r.profile_id WHERE e.id = ?`,
			id).Scan(&request, engine.ScanUID(&current.ProfileID), engine.ScanTime(&current.Since))
		if err != nil {
			return err
		}
		current.Request, err = s.readRequest(ctx, tx, request)
		return err
	})
	return current, err
}

// RequestByGuideID implements service.LifeStore.
func (s *Store) RequestByGuideID(ctx context.Context, profile, guideID uuid.UUID) (record service.LedgerRequest, err error) {
	err = s.read(ctx, func(tx *engine.Tx) error {
		record, err = s.findRequest(ctx, tx, `SELECT r.id FROM acceptance c JOIN request r ON r.id = c.request_id
			JOIN profile p ON p.id = r.profile_id WHERE p.uid = ? AND c.guide_uid = ?`, engine.UID(profile), engine.UID(guideID))
		return err
	})
	return record, err
}

// AddUpdate implements service.LifeStore. The schema refuses steps that row 19
// does not know.
func (s *Store) AddUpdate(ctx context.Context, u service.UpdateEntry) error {
	document, err := stored.EncodeAuthorization(u.Authorization)
	if err != nil {
		return err
	}
	return s.write(ctx, func(tx *engine.Tx) error {
		id, err := s.walk(ctx, tx, u)
		if err != nil {
			return err
		}
		if _, err := revisionTable.InsertNumbered(ctx, tx, id, engine.Micros(u.At), u.Actor, string(u.Authorization.GuidePDF),
			string(document)); err != nil {
			return err
		}
		if u.ActionID != uuid.Nil {
			if err := addResult(ctx, tx, u.ActionID, result{at: u.At, actor: u.Actor, answer: string(u.Answer.Ref),
				size: u.Answer.Size}); err != nil {
				return err
			}
		}
		return setTask(ctx, tx, id, u.Due)
	})
}

// walk notes the statuses on the way and returns the entry's id.
func (s *Store) walk(ctx context.Context, tx *engine.Tx, u service.UpdateEntry) (id int64, err error) {
	var status authorization.Status
	err = tx.QueryRow(ctx, `SELECT id, status FROM authorization_entry WHERE uid = ?`, engine.UID(u.GuideID)).Scan(&id, &status)
	if err == nil && status != u.Before {
		err = problem.New(problem.Conflict, "A situação desta autorização mudou enquanto isso.")
	}
	for _, next := range u.Path {
		if err != nil {
			break
		}
		_, err = entryTable.Update(ctx, tx, []any{id}, checksum.Change{Set: `status = ?`, Values: []any{string(next)}})
		if err = s.noted(err); err == nil {
			err = addStatus(ctx, tx, id, status, next, u.Actor, u.At)
		}
		status = next
	}
	return id, err
}

// setTask says when the operator is asked about an entry; the zero time for never.
func setTask(ctx context.Context, tx *engine.Tx, entry int64, due time.Time) error {
	if due.IsZero() {
		return exec(ctx, tx, `DELETE FROM task WHERE entry_id = ?`, entry)
	}
	return exec(ctx, tx, `INSERT INTO task (credential_id, request_id, entry_id, due_at)
		SELECT r.credential_id, r.id, e.id, ? FROM authorization_entry e JOIN request r ON r.id = e.request_id WHERE e.id = ?
		ON CONFLICT (entry_id) WHERE entry_id IS NOT NULL DO UPDATE SET due_at = excluded.due_at, tries = 0`, engine.Micros(due), entry)
}
