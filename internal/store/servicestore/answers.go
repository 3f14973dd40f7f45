package servicestore

import (
	"context"
	"fmt"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/authorization/stored"
	"guiche/internal/blob"
	"guiche/internal/service"
	"guiche/internal/sqlite"
	"guiche/internal/store/unsynced"

	"github.com/google/uuid"
)

// AddFailure implements service.LedgerStore.
func (s *Store) AddFailure(ctx context.Context, f service.FailureEntry) error {
	return s.write(ctx, func(tx *sqlite.Tx) error {
		request, err := rowID(ctx, tx, "request", f.RequestID)
		if err != nil {
			return err
		}
		return exec(ctx, tx, `INSERT INTO decision (request_id, at, actor, failure)
			VALUES (?, ?, ?, ?)`, request, sqlite.Micros(f.At), f.Operator, string(f.Reason))
	})
}

// AddAnswer implements service.LedgerStore.
func (s *Store) AddAnswer(ctx context.Context, a service.AnswerEntry) error {
	errors, err := stored.EncodeErrors(a.Decision.Errors)
	if err != nil {
		return err
	}
	return s.write(ctx, func(tx *sqlite.Tx) error {
		if err := unsynced.Write(ctx, tx); err != nil {
			return err
		}
		request, err := rowID(ctx, tx, "request", a.RequestID)
		if err != nil {
			return err
		}
		if err := exec(ctx, tx, `INSERT INTO decision (request_id, at, actor, simulated, answer, size, errors) VALUES (?, ?, ?, ?, ?, ?, ?)`,
			request, sqlite.Micros(a.At), a.Operator, a.Decision.Simulated, string(a.Answer.Ref), a.Answer.Size, string(errors)); err != nil {
			return err
		}
		if err := exec(ctx, tx, `DELETE FROM task WHERE request_id = ? AND entry_id IS NULL`, request); err != nil {
			return err
		}
		for i, entry := range a.Decision.Authorizations {
			if err := addEntry(ctx, tx, request, i, entry, a); err != nil {
				return err
			}
		}
		return nil
	})
}

// addEntry appends one authorization of an answer, as the document that the partner was
// sent.
func addEntry(ctx context.Context, tx *sqlite.Tx, request int64, index int, entry authorization.Authorization,
	a service.AnswerEntry) error {
	uid, err := uuid.Parse(entry.GuideID)
	if err != nil {
		return fmt.Errorf("servicestore: guide id: %w", err)
	}
	document, err := stored.EncodeAuthorization(entry)
	if err != nil {
		return err
	}
	var id int64
	if err := tx.QueryRow(ctx, `INSERT INTO authorization_entry (uid, request_id, number, status, guide, document)
		VALUES (?, ?, ?, ?, ?, ?) RETURNING id`,
		sqlite.UID(uid), request, entry.Number, string(entry.Status), string(entry.GuidePDF), string(document)).Scan(&id); err != nil {
		return err
	}
	if index < len(a.Due) {
		if err := setTask(ctx, tx, id, a.Due[index]); err != nil {
			return err
		}
	}
	return addStatus(ctx, tx, id, "", entry.Status, a.Operator, a.At)
}

// addStatus appends a change of status with who caused it. Which status holds is read
// from the last one.
func addStatus(ctx context.Context, tx *sqlite.Tx, entry int64, before, after authorization.Status, actor string, at time.Time) error {
	return exec(ctx, tx, `INSERT INTO authorization_status (entry_id, before, after, at, actor) VALUES (?, ?, ?, ?, ?)`,
		entry, string(before), string(after), sqlite.Micros(at), actor)
}

// Authorization implements service.LedgerStore.
func (s *Store) Authorization(ctx context.Context, profile, guideID uuid.UUID) (a authorization.Authorization, err error) {
	err = s.read(ctx, func(tx *sqlite.Tx) error {
		a, err = scanEntry(tx.QueryRow(ctx, selectEntry+`WHERE e.uid = ? AND p.uid = ?`, sqlite.UID(guideID), sqlite.UID(profile)))
		return err
	})
	return a, err
}

// Authorizations implements service.LedgerStore.
func (s *Store) Authorizations(ctx context.Context, request uuid.UUID) (all []authorization.Authorization, err error) {
	err = s.read(ctx, func(tx *sqlite.Tx) error {
		all, err = sqlite.List(ctx, tx, scanEntry, selectEntry+`WHERE r.uid = ? ORDER BY e.number`, sqlite.UID(request))
		return err
	})
	return all, err
}

// scanEntry reads an authorization with the status that holds now, which may have
// changed since it was written.
func scanEntry(r sqlite.Row) (a authorization.Authorization, err error) {
	var document, status, guide string
	if err := r.Scan(&document, &status, &guide); err != nil {
		return a, err
	}
	if a, err = stored.DecodeAuthorization([]byte(document)); err != nil {
		return a, err
	}
	a.Status, a.GuidePDF = authorization.Status(status), blob.Ref(guide)
	return a, nil
}
