package servicestore

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"

	"guiche/internal/authorization"
	"guiche/internal/blob"
	"guiche/internal/service/admin"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

const selectLedger = `SELECT r.uid, r.received_at, p.uid, p.name, c.name, r.provider_guide,
		` + patientPresent + `,
		(SELECT count(*) FROM request_blob b WHERE b.request_id = r.id),
		coalesce(a.at, 0), coalesce(a.size, 0), coalesce(a.simulated, 0),
		CASE WHEN a.id IS NULL THEN coalesce((SELECT f.failure FROM decision f WHERE f.request_id = r.id ORDER BY f.id DESC
			LIMIT 1), '') ELSE '' END
	FROM request r JOIN profile p ON p.id = r.profile_id JOIN credential c ON c.id = r.credential_id
		LEFT JOIN decision a ON a.request_id = r.id AND a.failure = '' `

// scanLedgerRow reads a line of the ledger, which names no patient.
func scanLedgerRow(r engine.Row) (l admin.LedgerRow, err error) {
	return l, r.Scan(engine.ScanUID(&l.ID), engine.ScanTime(&l.ReceivedAt), engine.ScanUID(&l.ProfileID), &l.Profile,
		&l.Credential, &l.ProviderGuide, &l.Present,
		&l.Attachments, engine.ScanTime(&l.AnsweredAt), &l.AnswerSize, &l.Simulated, &l.Failure)
}

// atCounter holds for a request that waits for its operator while its patient is at the
// counter. The first condition bounds what is read.
const atCounter = `(r.id >= (SELECT coalesce(min(+id), 9223372036854775807) FROM request WHERE received_at >= ?)
	AND ` + patientPresent + `
	AND (NOT EXISTS (SELECT 1 FROM decision d WHERE d.request_id = r.id AND d.failure = '')
		OR EXISTS (SELECT 1 FROM authorization_entry e WHERE e.request_id = r.id AND e.status IN ('K', 'R'))))`

// Ledger implements admin.LedgerReader: those at the counter, then the others. Two
// questions, because one order over both would read the whole ledger.
func (s *Store) Ledger(ctx context.Context, q admin.LedgerQuery) (rows []admin.LedgerRow, err error) {
	err = s.read(ctx, func(tx *engine.Tx) error {
		rows = nil
		q := q
		last, counter, err := ledgerPlace(ctx, tx, q)
		if err != nil {
			return err
		}
		if counter && !q.Today.IsZero() {
			rows, err = s.ledgerPart(ctx, tx, q, ` AND `+atCounter+` AND r.id > ? ORDER BY r.id`, engine.Micros(q.Today), last)
			if err != nil {
				return err
			}
			last = 0
		}
		rest, args := ``, []any{}
		if !q.Today.IsZero() {
			rest, args = ` AND NOT `+atCounter, append(args, engine.Micros(q.Today))
		}
		if last != 0 {
			rest, args = rest+` AND r.id < ?`, append(args, last)
		}
		q.Limit -= len(rows)
		others, err := s.ledgerPart(ctx, tx, q, rest+` ORDER BY r.id DESC`, args...)
		if err != nil {
			return err
		}
		rows = append(rows, others...)
		return nil
	})
	return rows, err
}

// ledgerPlace finds the last request of the page before, 0 without one, and whether the
// next page begins among those at the counter.
func ledgerPlace(ctx context.Context, tx *engine.Tx, q admin.LedgerQuery) (row int64, counter bool, err error) {
	if q.Before == uuid.Nil {
		return 0, true, nil
	}
	err = tx.QueryRow(ctx, `SELECT r.id, `+atCounter+` FROM request r WHERE r.uid = ?`, engine.Micros(q.Today), engine.UID(q.Before)).
		Scan(&row, &counter)
	if errors.Is(err, sql.ErrNoRows) {
		return -1, false, nil // nothing comes after what is not there
	}
	return row, counter && !q.Today.IsZero(), err
}

// ledgerPart reads requests of the query that fit what follows its conditions.
func (s *Store) ledgerPart(ctx context.Context, tx *engine.Tx, q admin.LedgerQuery, then string, more ...any) ([]admin.LedgerRow, error) {
	where, args := ledgerWhere(q)
	ids, err := engine.List(ctx, tx, scanID, `SELECT r.id FROM request r LEFT JOIN profile p ON p.id = r.profile_id
		LEFT JOIN decision a ON a.request_id = r.id AND a.failure = '' `+where+then+` LIMIT ?`, append(append(args, more...), q.Limit)...)
	rows := make([]admin.LedgerRow, 0, len(ids))
	for _, id := range ids {
		if err != nil {
			break
		}
		var row admin.LedgerRow
		row, err = s.ledgerRow(ctx, tx, id)
		rows = append(rows, row)
	}
	return rows, err
}

// ledgerRow reads a line of the ledger. Of one that is damaged only the name is told.
func (s *Store) ledgerRow(ctx context.Context, tx *engine.Tx, id int64) (l admin.LedgerRow, err error) {
	whole, err := s.isWhole(ctx, tx, id, slices.Concat(ofRequest, ofAttachments, ofEntries)...)
	switch {
	case err != nil:
		return l, err
	case !whole:
		l.Damaged = true
		_ = tx.QueryRow(ctx, `SELECT uid FROM request WHERE id = ?`, id).Scan(engine.ScanUID(&l.ID)) // that may be what is damaged
		return l, nil
	}
	if l, err = scanLedgerRow(tx.QueryRow(ctx, selectLedger+`WHERE r.id = ?`, id)); err != nil {
		return l, err
	}
	l.Guides, err = engine.List(ctx, tx, func(r engine.Row) (g admin.LedgerGuide, err error) {
		return g, r.Scan(engine.ScanUID(&g.ID), &g.Number, &g.Status)
	}, `SELECT e.uid, coalesce(json_extract(coalesce((SELECT v.document FROM authorization_revision v
		WHERE v.entry_id = e.id ORDER BY v.id DESC LIMIT 1), e.document), '$.GuideNumber'), ''), e.status
		FROM authorization_entry e WHERE e.request_id = ? ORDER BY e.number`, id)
	return l, err
}

// ledgerWhere restricts the ledger to what the filter sets.
func ledgerWhere(q admin.LedgerQuery) (string, []any) {
	var b strings.Builder
	var args []any
	b.WriteString(`WHERE 1 = 1`)
	restrict := func(condition string, set bool, values ...any) {
		if set {
			b.WriteString(condition)
			args = append(args, values...)
		}
	}
	restrict(` AND r.received_at >= ?`, !q.From.IsZero(), engine.Micros(q.From))
	restrict(` AND r.received_at < ?`, !q.To.IsZero(), engine.Micros(q.To))
	restrict(` AND p.uid = ?`, q.Profile != uuid.Nil, engine.UID(q.Profile))
	restrict(` AND r.id IN (SELECT e.request_id FROM authorization_entry e WHERE e.status = ?)`, q.Status != "", string(q.Status))
	restrict(` AND a.id IS NULL AND EXISTS (SELECT 1 FROM decision f WHERE f.request_id = r.id)`, q.Failed)
	restrict(` AND r.id IN (SELECT id FROM request WHERE provider_guide = ?
		UNION SELECT request_id FROM authorization_entry WHERE json_extract(document, '$.GuideNumber') = ?
		UNION SELECT e.request_id FROM authorization_entry e JOIN authorization_revision v ON v.entry_id = e.id
			WHERE json_extract(v.document, '$.GuideNumber') = ?
		UNION SELECT request_id FROM authorization_entry WHERE uid = ?)`, q.Number != "", q.Number, q.Number, q.Number,
		engine.UID(guideUID(q.Number)))
	return b.String(), args
}

// guideUID returns the guiaId that a number is, the zero one for any other number.
func guideUID(number string) uuid.UUID {
	uid, err := uuid.Parse(number)
	if err != nil {
		return uuid.Nil
	}
	return uid
}

// LedgerEntry implements admin.LedgerReader.
func (s *Store) LedgerEntry(ctx context.Context, request uuid.UUID) (l admin.LedgerRow, events []admin.LedgerEvent, err error) {
	err = s.read(ctx, func(tx *engine.Tx) error {
		l, events = admin.LedgerRow{}, nil
		id, err := rowID(ctx, tx, "request", request)
		if err == nil {
			err = s.verify(ctx, tx, id, slices.Concat(ofRequest, ofAttachments, ofEntries, ofActs)...)
		}
		if err == nil {
			l, err = s.ledgerRow(ctx, tx, id)
		}
		if err != nil {
			return err
		}
		events, err = engine.List(ctx, tx, scanLedgerEvent, selectEvents, engine.UID(request))
		return err
	})
	return l, events, err
}

// AttachmentBlobs implements admin.LedgerReader.
func (s *Store) AttachmentBlobs(ctx context.Context, request uuid.UUID) (refs []blob.Ref, err error) {
	err = s.read(ctx, func(tx *engine.Tx) error {
		refs = nil
		id, err := rowID(ctx, tx, "request", request)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err == nil {
			err = s.verify(ctx, tx, id, ofAttachments...)
		}
		if err == nil {
			refs, err = engine.List(ctx, tx, scanBlob, `SELECT ref FROM request_blob WHERE request_id = ? ORDER BY position`, id)
		}
		return err
	})
	return refs, err
}

func scanBlob(r engine.Row) (ref blob.Ref, err error) {
	err = r.Scan(&ref)
	return ref, err
}

// scanLedgerEvent reads one thing that happened to a request.
func scanLedgerEvent(r engine.Row) (e admin.LedgerEvent, err error) {
	var before string
	err = r.Scan(engine.ScanTime(&e.At), &e.Kind, engine.ScanUID(&e.GuideID), &before, &e.Code, &e.Actor, &e.Size, &e.Method, &e.Secret)
	e.Before = authorization.Status(before)
	return e, err
}

// secretOf names the secret by which a row of the ledger came in.
func secretOf(row string) string {
	return `coalesce(CASE ` + row + `.method WHEN 'chave' THEN (SELECT hint FROM api_key WHERE uid = ` + row + `.access_uid)
		WHEN 'senha' THEN (SELECT name FROM service_user WHERE uid = ` + row + `.access_uid)
		WHEN 'oauth' THEN (SELECT name FROM oauth_client WHERE uid = ` + row + `.access_uid) END, '')`
}

// selectEvents are the receipt, the decisions, statuses and actions of a request. Of
// one moment, what was decided comes before what follows from it.
var selectEvents = `WITH it AS (SELECT id FROM request WHERE uid = ?)
	SELECT at, kind, guide, before, code, actor, size, method, secret FROM (
		SELECT r.received_at AS at, 'recebido' AS kind, CAST(NULL AS bytea) AS guide, '' AS before, '' AS code, '' AS actor, 0 AS size,
				r.method AS method, ` + secretOf(`r`) + ` AS secret, 0 AS rank, r.id AS id
			FROM request r WHERE r.id IN (SELECT id FROM it)
		UNION ALL SELECT d.at, CASE d.failure WHEN '' THEN 'resposta' ELSE 'falha' END, NULL, '', d.failure, d.actor, d.size, '', '', 1, d.id
			FROM decision d WHERE d.request_id IN (SELECT id FROM it)
		UNION ALL SELECT s.at, 'situacao', e.uid, s.before, s.after, s.actor, 0, '', '', 4, s.id
			FROM authorization_status s JOIN authorization_entry e ON e.id = s.entry_id WHERE e.request_id IN (SELECT id FROM it)
		UNION ALL SELECT a.received_at, 'ato', e.uid, '', a.kind, '', 0, a.method, ` + secretOf(`a`) + `, 2, a.id
			FROM act a JOIN authorization_entry e ON e.id = a.entry_id WHERE e.request_id IN (SELECT id FROM it)
		UNION ALL SELECT t.at, CASE t.failure WHEN '' THEN 'ato_resposta' ELSE 'ato_falha' END, e.uid, '', t.failure,
			t.actor, t.size, '', '', 3, t.id
			FROM act_result t JOIN act a ON a.id = t.act_id JOIN authorization_entry e ON e.id = a.entry_id
			WHERE e.request_id IN (SELECT id FROM it)) AS events
	ORDER BY at, rank, id`
