package servicestore

import (
	"context"
	"crypto/sha256"
	"fmt"
	"time"

	"guiche/internal/authorization/stored"
	"guiche/internal/problem"
	"guiche/internal/service"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// Receive implements service.LedgerStore. Looking and adding are one transaction
// of the one writer, so of equal requests at the same moment one is added.
func (s *Store) Receive(ctx context.Context, r service.RequestEntry) (record service.LedgerRequest, fresh bool, err error) {
	err = s.write(ctx, func(tx *engine.Tx) error {
		fresh = false
		profile, err := rowID(ctx, tx, "profile", r.Caller.ProfileID)
		if err != nil {
			return err
		}
		if record, err = s.known(ctx, tx, profile, r); !problem.Is(err, problem.NotFound) {
			return err
		}
		fresh = true
		record, err = addRequest(ctx, tx, profile, r)
		return err
	})
	return record, fresh, err
}

// known finds the request with the same key, or else with the same guiaPrestador.
func (s *Store) known(ctx context.Context, tx *engine.Tx, profile int64, r service.RequestEntry) (service.LedgerRequest, error) {
	if r.Key != nil {
		record, err := s.requestByKey(ctx, tx, r.Caller.ProfileID, *r.Key, r.ReceivedAt)
		if !problem.Is(err, problem.NotFound) {
			return record, err
		}
	}
	return s.findRequest(ctx, tx, `SELECT id FROM request WHERE profile_id = ? AND provider_guide = ?`, profile, r.Request.ProviderGuide)
}

// addRequest appends a request before the operator is asked, and gives it a guide number
// if it came without one.
func addRequest(ctx context.Context, tx *engine.Tx, profile int64, r service.RequestEntry) (service.LedgerRequest, error) {
	record := service.LedgerRequest{ID: r.ID, Fingerprint: r.Fingerprint, Request: r.Request,
		ReceivedAt: engine.Time(engine.Micros(r.ReceivedAt))}
	if err := countBytes(ctx, tx, profile, r.ReceivedAt, r.Request.Attachments, r.Admit); err != nil {
		return record, err
	}
	if record.Request.ProviderGuide == "" {
		number, err := freeGuide(ctx, tx, profile, r.Generate)
		if err != nil {
			return record, err
		}
		record.Request.ProviderGuide = number
	}
	document, err := stored.EncodeRequest(record.Request)
	if err != nil {
		return record, err
	}
	credential, err := rowID(ctx, tx, "credential", r.Request.CredentialID)
	if err != nil {
		return record, err
	}
	hash, until := keyColumns(r.Key, r.KeyUntil)
	id, err := requestTable.InsertNumbered(ctx, tx, engine.UID(r.ID), profile, credential, record.Request.ProviderGuide, r.Fingerprint[:],
		string(document), engine.Micros(r.ReceivedAt), string(r.Caller.Method), engine.UID(r.Caller.AccessID), r.Caller.RequestID, hash, until)
	if err != nil {
		return record, err
	}
	record.GuideID = r.GuideID
	if r.GuideID != uuid.Nil {
		if err := addAcceptance(ctx, tx, id, credential, r); err != nil {
			return record, err
		}
	}
	return record, addRequestParts(ctx, tx, profile, id, r)
}

// addRequestParts adds the attachments and the key.
func addRequestParts(ctx context.Context, tx *engine.Tx, profile, id int64, r service.RequestEntry) error {
	for i, a := range r.Request.Attachments {
		if err := requestBlobTable.Insert(ctx, tx, id, i, string(a.Blob)); err != nil {
			return err
		}
	}
	return requestKeys.addKey(ctx, tx, profile, id, r.Key, r.ReceivedAt, r.KeyUntil)
}

// freeGuide returns the first generated number that the profile has not used.
func freeGuide(ctx context.Context, tx *engine.Tx, profile int64, generate func(seconds int) string) (string, error) {
	for seconds := 0; ; seconds++ {
		number, taken := generate(seconds), false
		err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM request WHERE profile_id = ? AND provider_guide = ?)`, profile, number).Scan(&taken)
		if err != nil || !taken {
			return number, err
		}
	}
}

const selectRequest = `SELECT r.uid, r.fingerprint, r.document, r.received_at,
		coalesce(a.answer, ''), coalesce(a.size, 0), coalesce(a.errors, '[]'), t.text, coalesce(t.guide_at, 0), t.digest,
		coalesce((SELECT e.guide FROM authorization_entry e WHERE t.text IS NOT NULL AND e.request_id = r.id AND e.guide <> ''), ''),
		coalesce((SELECT f.failure FROM decision f WHERE f.request_id = r.id AND f.failure <> '' ORDER BY f.id DESC
			LIMIT 1), ''), c.guide_uid
	FROM request r LEFT JOIN acceptance c ON c.request_id = r.id LEFT JOIN decision a ON a.request_id = r.id AND a.failure = ''
	LEFT JOIN answer_text t ON t.decision_id = a.id `

// scanRequest reads a request with its answer, if there is one yet.
func scanRequest(r engine.Row) (record service.LedgerRequest, err error) {
	var fingerprint, digest []byte
	var document, errors string
	var text service.AnswerText
	err = r.Scan(engine.ScanUID(&record.ID), &fingerprint, &document, engine.ScanTime(&record.ReceivedAt),
		&record.Answer, &record.AnswerSize, &errors, &text.Text, &text.GuideAt, &digest, &text.Guide,
		&record.Failure, engine.ScanUID(&record.GuideID))
	if err != nil {
		return record, engine.Error(err)
	}
	copy(record.Fingerprint[:], fingerprint)
	if record.Answer == inText { // without its row the text is empty, and not what the digest says
		copy(text.Digest[:], digest)
		record.Answer, record.AnswerText = text.Name(), &text
	}
	if record.Request, err = stored.DecodeRequest([]byte(document)); err != nil {
		return record, fmt.Errorf("servicestore: read request %s: %w", record.ID, err)
	}
	if record.Errors, err = stored.DecodeErrors([]byte(errors)); err != nil {
		return record, fmt.Errorf("servicestore: read errors of request %s: %w", record.ID, err)
	}
	return record, nil
}

// findRequest reads the request whose number a query finds, with what came of it.
func (s *Store) findRequest(ctx context.Context, tx *engine.Tx, query string, args ...any) (record service.LedgerRequest, err error) {
	var id int64
	if err := tx.QueryRow(ctx, query, args...).Scan(&id); err != nil {
		return record, engine.Error(err)
	}
	return s.readRequest(ctx, tx, id)
}

// readRequest reads a request, or says that it is damaged.
func (s *Store) readRequest(ctx context.Context, tx *engine.Tx, id int64) (record service.LedgerRequest, err error) {
	if err := s.verify(ctx, tx, id, ofRequest...); err != nil {
		return record, err
	}
	return scanRequest(tx.QueryRow(ctx, selectRequest+`WHERE r.id = ?`, id))
}

// requestByKey finds the request of an idempotency key, while the key is remembered.
func (s *Store) requestByKey(ctx context.Context, tx *engine.Tx, profile uuid.UUID, key [sha256.Size]byte,
	now time.Time) (record service.LedgerRequest, err error) {
	id, err := s.byKey(ctx, tx, requestKeys, profile, key, now)
	if err != nil {
		return record, err
	}
	return s.readRequest(ctx, tx, id)
}

// Request implements service.LedgerStore.
func (s *Store) Request(ctx context.Context, id uuid.UUID) (record service.LedgerRequest, err error) {
	err = s.read(ctx, func(tx *engine.Tx) error {
		record, err = s.findRequest(ctx, tx, `SELECT id FROM request WHERE uid = ?`, engine.UID(id))
		return err
	})
	return record, err
}

// RequestByKey implements service.LedgerStore.
func (s *Store) RequestByKey(ctx context.Context, profile uuid.UUID, key [sha256.Size]byte,
	now time.Time) (record service.LedgerRequest, err error) {
	err = s.read(ctx, func(tx *engine.Tx) error {
		record, err = s.requestByKey(ctx, tx, profile, key, now)
		return err
	})
	return record, err
}

// RequestByGuide implements service.LedgerStore.
func (s *Store) RequestByGuide(ctx context.Context, profile uuid.UUID, providerGuide string) (record service.LedgerRequest, err error) {
	err = s.read(ctx, func(tx *engine.Tx) error {
		record, err = s.findRequest(ctx, tx, `SELECT id FROM request WHERE profile_id = (SELECT id FROM profile WHERE uid = ?)
			AND provider_guide = ?`, engine.UID(profile), providerGuide)
		return err
	})
	return record, err
}
