package deskstore

import (
	"context"
	"slices"
	"strings"

	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// keepUses notes which procedures requests ask which operator for. What lists show of them is
// written before.
func keepUses(ctx context.Context, tx *engine.Tx, ids ...int64) error {
	_, err := exec(ctx, tx, `INSERT INTO procedure_use (credential, code, submission_id)
		SELECT c.credential, p.code, p.submission_id FROM submission_procedure p
		CROSS JOIN case_summary c WHERE c.submission_id = p.submission_id AND p.submission_id `+engine.InNumbers+`
		ON CONFLICT DO NOTHING`, engine.Numbers(ids))
	return err
}

// keepUsesOf is keepUses for a request that is being written, credential being its number in lists.
func keepUsesOf(ctx context.Context, tx *engine.Tx, id, credential int64, procedures []authorization.Procedure) error {
	for _, p := range procedures {
		err := tx.ExecLater(ctx, `INSERT INTO procedure_use (credential, code, submission_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`,
			credential, p.Code, id)
		if err != nil {
			return engine.Error(err)
		}
	}
	return nil
}

// usesRead is how many requests are looked at for those that were answered.
const usesRead = 60

// LatestUsesQuery and LatestCardsQuery read by indexes alone, however many cases there are.
const (
	LatestUsesQuery = `SELECT p.quantity, p.attached, p.statuses FROM (SELECT u.submission_id AS id,
			coalesce((SELECT max(q.quantity) FROM submission_procedure q WHERE q.submission_id = u.submission_id AND q.code = u.code), 0)
				AS quantity,
			EXISTS (SELECT 1 FROM submission_attachment a WHERE a.submission_id = u.submission_id) AS attached,
			coalesce((SELECT string_agg(z.status, ',') FROM answer n JOIN "authorization" z ON z.answer_id = n.id
				WHERE n.submission_id = u.submission_id), '') AS statuses
		FROM procedure_use u
		WHERE u.credential = (SELECT id FROM filter_value WHERE kind = 'credential' AND uid = ?) AND u.code = ?
		ORDER BY u.submission_id DESC LIMIT ?) p
		WHERE p.statuses <> '' ORDER BY p.id DESC LIMIT ?`
	LatestCardsQuery = `SELECT card_number FROM (SELECT submission_id, card_number, status FROM case_summary
		WHERE credential = (SELECT id FROM filter_value WHERE kind = 'credential' AND uid = ?)
		ORDER BY submission_id DESC LIMIT ?) p WHERE status <> ? ORDER BY submission_id DESC`
)

// LatestUses lists the latest answered requests to a credential for a procedure. A count needs
// no checksums: what is shown of a case is read elsewhere.
func (s *Store) LatestUses(ctx context.Context, credential uuid.UUID, code string, limit int) ([]desk.PastUse, error) {
	return engine.Get(ctx, s.db, func(tx *engine.Tx) ([]desk.PastUse, error) {
		return engine.List(ctx, tx, scanUse, LatestUsesQuery, engine.UID(credential), code, usesRead, limit)
	})
}

func scanUse(row engine.Row) (use desk.PastUse, err error) {
	var statuses string
	err = row.Scan(&use.Quantity, &use.Attached, &statuses)
	for status := range strings.SplitSeq(statuses, ",") {
		if !slices.Contains(use.Statuses, authorization.Status(status)) {
			use.Statuses = append(use.Statuses, authorization.Status(status))
		}
	}
	return use, err
}

// LatestCards lists the cards of the latest requests to a credential that the operator did not
// call invalid.
func (s *Store) LatestCards(ctx context.Context, credential uuid.UUID, limit int) ([]string, error) {
	return engine.Get(ctx, s.db, func(tx *engine.Tx) ([]string, error) {
		return engine.List(ctx, tx, func(row engine.Row) (card string, err error) {
			err = row.Scan(&card)
			return card, err
		}, LatestCardsQuery, engine.UID(credential), limit, authorization.InvalidBeneficiary)
	})
}

// LatestOutcomesQuery reads by indexes alone, however many cases there are.
const LatestOutcomesQuery = `SELECT c.status, c.queue_group, c.created_at,
		coalesce((SELECT min(a.read_at) FROM answer a WHERE a.submission_id = u.id AND a.attempt > 0), 0),
		CASE WHEN c.queue_group = ? THEN coalesce(
			(SELECT p.justification FROM answer a JOIN "authorization" z ON z.answer_id = a.id JOIN authorization_procedure p
				ON p.authorization_id = z.id WHERE a.submission_id = u.id AND p.code = u.code AND p.justification <> ''
				ORDER BY a.id DESC, z.id, p.position LIMIT 1),
			(SELECT e.message FROM answer a JOIN answer_error e ON e.answer_id = a.id WHERE a.submission_id = u.id
				ORDER BY a.id DESC, e.place, e.position LIMIT 1), '') ELSE '' END
	FROM (SELECT submission_id AS id, code FROM procedure_use
		WHERE credential = (SELECT id FROM filter_value WHERE kind = 'credential' AND uid = ?) AND code = ?
		ORDER BY submission_id DESC LIMIT ?) u
	CROSS JOIN case_summary c WHERE c.submission_id = u.id ORDER BY u.id DESC`

// LatestOutcomes lists what became of the latest requests to a credential for a procedure.
func (s *Store) LatestOutcomes(ctx context.Context, credential uuid.UUID, code string, limit int) ([]desk.PastOutcome, error) {
	return engine.Get(ctx, s.db, func(tx *engine.Tx) ([]desk.PastOutcome, error) {
		return engine.List(ctx, tx, func(row engine.Row) (o desk.PastOutcome, err error) {
			var sent, answered int64
			err = row.Scan(&o.Status, &o.Group, &sent, &answered, &o.Reason)
			if answered > sent {
				o.After = engine.Time(answered).Sub(engine.Time(sent))
			}
			return o, err
		}, LatestOutcomesQuery, latestOutcomes(credential, code, limit)...)
	})
}

func latestOutcomes(credential uuid.UUID, code string, limit int) []any {
	return []any{authorization.Refusal, engine.UID(credential), code, limit}
}
