package deskstore

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/store/caselist"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// What a request met, as it stands with its procedures: of submission_procedure p, submission s and submission_state st.
var (
	useAnswered = `coalesce((SELECT min(a.read_at) FROM answer a WHERE a.submission_id = s.id AND a.attempt > 0) - s.created_at, 0)`
	useReason   = `CASE WHEN st.queue_group = ` + strconv.Itoa(int(authorization.Refusal)) + ` THEN coalesce(
		(SELECT r.justification FROM answer a JOIN "authorization" z ON z.answer_id = a.id JOIN authorization_procedure r
			ON r.authorization_id = z.id WHERE a.submission_id = s.id AND r.code = p.code AND r.justification <> ''
			ORDER BY a.id DESC, z.id, r.position LIMIT 1),
		(SELECT e.message FROM answer a JOIN answer_error e ON e.answer_id = a.id WHERE a.submission_id = s.id
			ORDER BY a.id DESC, e.place, e.position LIMIT 1), '') ELSE '' END`
)

// usesOf begins a query for the procedures of requests of which lists show something.
const usesOf = ` FROM submission_procedure p CROSS JOIN case_summary c CROSS JOIN submission s CROSS JOIN submission_state st
	WHERE c.submission_id = p.submission_id AND s.id = p.submission_id AND st.submission_id = p.submission_id AND p.submission_id `

// keepingUses notes the procedures of requests whose number is as which says. It leaves alone what is noted as
// it is: nothing is written for it.
func keepingUses(which string) string {
	return `INSERT INTO procedure_use (credential, code, submission_id, status, queue_group, answered_after, reason)
		SELECT DISTINCT c.credential, p.code, p.submission_id, st.status, st.queue_group, ` + useAnswered + `, ` + useReason + usesOf +
		which + ` ON CONFLICT (credential, code, submission_id) DO UPDATE SET status = excluded.status,
		queue_group = excluded.queue_group, answered_after = excluded.answered_after, reason = excluded.reason
		WHERE procedure_use.status <> excluded.status OR procedure_use.queue_group <> excluded.queue_group
			OR procedure_use.answered_after <> excluded.answered_after OR procedure_use.reason <> excluded.reason`
}

var (
	keepUsesOfOne = keepingUses(`= ?`) // a case that changes: no list is read
	keepUsesOfAll = keepingUses(engine.InNumbers)
)

// keepUses notes which procedures requests ask which operator for, and what they met. What lists show of
// them, and their answers, are written before.
func keepUses(ctx context.Context, tx *engine.Tx, ids ...int64) error {
	if len(ids) == 1 {
		return engine.Error(tx.ExecLater(ctx, keepUsesOfOne, ids[0]))
	}
	return engine.Error(tx.ExecLater(ctx, keepUsesOfAll, engine.Numbers(ids)))
}

// keepLatestUses is keepUses for many requests, after which what is too old goes.
func keepLatestUses(ctx context.Context, tx *engine.Tx, ids ...int64) error {
	if err := keepUses(ctx, tx, ids...); err != nil {
		return err
	}
	return engine.Error(tx.ExecLater(ctx, dropOldUsesOfAll, engine.Numbers(ids)))
}

// keepUsesOf is keepUses for a request that is being written, credential being its number in lists and state
// the one that it begins with.
func keepUsesOf(ctx context.Context, tx *engine.Tx, id, credential int64, state caselist.State,
	procedures []authorization.Procedure) error {
	for _, p := range procedures {
		err := tx.ExecLater(ctx, `INSERT INTO procedure_use (credential, code, submission_id, status, queue_group)
			VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`, credential, p.Code, id, state.Status, state.Group)
		if err != nil {
			return engine.Error(err)
		}
	}
	if id%oldUsesEvery != 0 {
		return nil
	}
	return engine.Error(tx.ExecLater(ctx, dropOldUsesOfOne, id))
}

const (
	// usesKept is how many of the latest requests for a procedure are noted: enough for twenty of which most wait.
	usesKept = 60
	// oldUsesEvery is with which requests those that are too old are looked for: it would take as long with each.
	oldUsesEvery = 50
)

// droppingOldUses takes away what is too old of the procedures of requests whose number is as which says.
func droppingOldUses(which string) string {
	return `WITH latest AS MATERIALIZED (SELECT credential, code, (SELECT u.submission_id FROM procedure_use u
			WHERE u.credential = d.credential AND u.code = d.code ORDER BY u.submission_id DESC LIMIT 1 OFFSET ` +
		strconv.Itoa(usesKept-1) + `) AS since FROM (SELECT DISTINCT c.credential, p.code` + usesOf + which + `) d)
		DELETE FROM procedure_use WHERE (credential, code, submission_id) IN (SELECT u.credential, u.code, u.submission_id
			FROM latest l CROSS JOIN procedure_use u WHERE u.credential = l.credential AND u.code = l.code AND u.submission_id < l.since)`
}

var (
	dropOldUsesOfOne = droppingOldUses(`= ?`)
	dropOldUsesOfAll = droppingOldUses(engine.InNumbers)
)

// LatestUsesQuery and LatestCardsQuery read by indexes alone, however many cases there are.
const (
	LatestUsesQuery = `SELECT coalesce((SELECT max(q.quantity) FROM submission_procedure q
				WHERE q.submission_id = u.submission_id AND q.code = u.code), 0),
			EXISTS (SELECT 1 FROM submission_attachment a WHERE a.submission_id = u.submission_id),
			(SELECT string_agg(z.status, ',') FROM answer n JOIN "authorization" z ON z.answer_id = n.id WHERE n.submission_id = u.submission_id)
		FROM procedure_use u
		WHERE u.credential = (SELECT id FROM filter_value WHERE kind = 'credential' AND uid = ?) AND u.code = ?
			AND EXISTS (SELECT 1 FROM answer n JOIN "authorization" z ON z.answer_id = n.id WHERE n.submission_id = u.submission_id)
		ORDER BY u.submission_id DESC LIMIT ?`
	LatestCardsQuery = `SELECT card_number FROM (SELECT submission_id, card_number, status FROM case_summary
		WHERE credential = (SELECT id FROM filter_value WHERE kind = 'credential' AND uid = ?)
		ORDER BY submission_id DESC LIMIT ?) p WHERE status <> ? ORDER BY submission_id DESC`
)

// LatestUses lists the latest answered requests to a credential for a procedure. A count needs
// no checksums: what is shown of a case is read elsewhere.
func (s *Store) LatestUses(ctx context.Context, credential uuid.UUID, code string, limit int) ([]desk.PastUse, error) {
	return engine.Get(ctx, s.db, func(tx *engine.Tx) ([]desk.PastUse, error) {
		return engine.List(ctx, tx, scanUse, LatestUsesQuery, engine.UID(credential), code, limit)
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

// LatestOutcomesQuery reads rows that stand one behind the other, however many cases there are.
const LatestOutcomesQuery = `SELECT status, queue_group, answered_after, reason FROM procedure_use
	WHERE credential = (SELECT id FROM filter_value WHERE kind = 'credential' AND uid = ?) AND code = ?
	ORDER BY submission_id DESC LIMIT ?`

// LatestOutcomes lists what became of the latest requests to a credential for a procedure.
func (s *Store) LatestOutcomes(ctx context.Context, credential uuid.UUID, code string, limit int) ([]desk.PastOutcome, error) {
	return engine.Get(ctx, s.db, func(tx *engine.Tx) ([]desk.PastOutcome, error) {
		return engine.List(ctx, tx, func(row engine.Row) (o desk.PastOutcome, err error) {
			var micros int64
			err = row.Scan(&o.Status, &o.Group, &micros, &o.Reason)
			o.After = max(0, time.Duration(micros)*time.Microsecond) // a clock may have been set back
			return o, err
		}, LatestOutcomesQuery, engine.UID(credential), code, limit)
	})
}
