package servicestore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/authorization/stored"
	"guiche/internal/blob"
	"guiche/internal/service"
	"guiche/internal/store/engine"
	"guiche/internal/store/unsynced"

	"github.com/google/uuid"
)

// AddFailure implements service.LedgerStore.
func (s *Store) AddFailure(ctx context.Context, f service.FailureEntry) error {
	return s.write(ctx, func(tx *engine.Tx) error {
		request, err := rowID(ctx, tx, "request", f.RequestID)
		if err != nil {
			return err
		}
		_, err = decisionTable.InsertNumbered(ctx, tx, request, engine.Micros(f.At), f.Operator, string(f.Reason), false, "", int64(0), "[]")
		return err
	})
}

// AddAnswer implements service.LedgerStore.
func (s *Store) AddAnswer(ctx context.Context, a service.AnswerEntry) error {
	wrong, err := stored.EncodeErrors(a.Decision.Errors)
	if err != nil {
		return err
	}
	return s.write(ctx, func(tx *engine.Tx) error {
		if err := unsynced.Write(ctx, tx); err != nil {
			return err
		}
		request, err := rowID(ctx, tx, "request", a.RequestID)
		if err != nil {
			return err
		}
		if err := addDecision(ctx, tx, request, a, string(wrong)); err != nil {
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

// inText stands in the place of a blob where the answer is a row of answer_text.
const inText = "text"

// addDecision appends an answer, as a blob or as its text.
func addDecision(ctx context.Context, tx *engine.Tx, request int64, a service.AnswerEntry, wrong string) error {
	answer := string(a.Answer.Ref)
	if a.Text != nil {
		answer = inText
	}
	id, err := decisionTable.InsertNumbered(ctx, tx, request, engine.Micros(a.At), a.Operator, "", a.Decision.Simulated,
		answer, a.Answer.Size, wrong)
	if err != nil || a.Text == nil {
		return err
	}
	return answerTextTable.Insert(ctx, tx, id, string(a.Text.Text), a.Text.GuideAt, a.Text.Digest[:])
}

// addEntry appends one authorization of an answer, as the document that the partner was
// sent.
func addEntry(ctx context.Context, tx *engine.Tx, request int64, index int, entry authorization.Authorization,
	a service.AnswerEntry) error {
	uid, err := uuid.Parse(entry.GuideID)
	if err != nil {
		return fmt.Errorf("servicestore: guide id: %w", err)
	}
	document, err := stored.EncodeAuthorization(entry)
	if err != nil {
		return err
	}
	id, err := entryTable.InsertNumbered(ctx, tx, engine.UID(uid), request, entry.Number, string(entry.Status), string(entry.GuidePDF),
		string(document))
	if err != nil {
		return err
	}
	if index < len(a.Due) && !a.Due[index].IsZero() {
		if err := setTask(ctx, tx, id, a.Due[index]); err != nil {
			return err
		}
	}
	return addStatus(ctx, tx, id, "", entry.Status, a.Operator, a.At)
}

// addStatus appends a change of status with who caused it. Which status holds is read
// from the last one.
func addStatus(ctx context.Context, tx *engine.Tx, entry int64, before, after authorization.Status, actor string, at time.Time) error {
	_, err := statusTable.InsertNumbered(ctx, tx, entry, string(before), string(after), engine.Micros(at), actor)
	return err
}

// Authorization implements service.LedgerStore.
func (s *Store) Authorization(ctx context.Context, profile, guideID uuid.UUID) (a authorization.Authorization, err error) {
	err = s.read(ctx, func(tx *engine.Tx) error {
		a = authorization.Authorization{}
		id, err := rowID(ctx, tx, "authorization_entry", guideID)
		if err == nil {
			err = s.verify(ctx, tx, id, ofEntry...)
		}
		if err == nil {
			a, err = scanEntry(tx.QueryRow(ctx, selectEntry+`WHERE e.id = ? AND p.uid = ?`, id, engine.UID(profile)))
		}
		return err
	})
	return a, err
}

// Authorizations implements service.LedgerStore.
func (s *Store) Authorizations(ctx context.Context, request uuid.UUID) (all []authorization.Authorization, err error) {
	err = s.read(ctx, func(tx *engine.Tx) error {
		all = nil
		id, err := rowID(ctx, tx, "request", request)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err == nil {
			err = s.verify(ctx, tx, id, ofEntries...)
		}
		if err == nil {
			all, err = engine.List(ctx, tx, scanEntry, selectEntry+`WHERE r.id = ? ORDER BY e.number`, id)
		}
		return err
	})
	return all, err
}

// scanEntry reads an authorization with the status that holds now, which may have
// changed since it was written.
func scanEntry(r engine.Row) (a authorization.Authorization, err error) {
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
