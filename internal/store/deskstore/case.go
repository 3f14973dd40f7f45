package deskstore

import (
	"context"
	"database/sql"
	"slices"
	"strings"

	"guiche/internal/desk"
	"guiche/internal/permission"
	"guiche/internal/sqlite"

	"github.com/google/uuid"
)

// Case reads everything about a case within the reach.
func (s *Store) Case(ctx context.Context, reach permission.Reach, uid uuid.UUID) (desk.Case, error) {
	where := within(reach)
	where.add(`st.submission_id = (SELECT id FROM submission WHERE uid = ?)`, sqlite.UID(uid))
	return sqlite.Get(ctx, s.db, func(tx *sqlite.Tx) (c desk.Case, err error) {
		ids, err := sqlite.List(ctx, tx, scanID, `SELECT st.submission_id FROM submission_state st `+where.String(), where.args...)
		if err != nil {
			return c, err
		}
		if len(ids) == 0 {
			return c, sqlite.Error(sql.ErrNoRows)
		}
		if err := s.verify(ctx, tx, ids[0], wholeCase); err != nil {
			return c, err
		}
		if err := loadSummary(ctx, tx, ids[0], &c); err != nil {
			return c, err
		}
		return c, loadCase(ctx, tx, ids[0], &c)
	})
}

// loadSummary reads what lists show too, from the rows of the case itself.
func loadSummary(ctx context.Context, tx *sqlite.Tx, id int64, c *desk.Case) error {
	targets := slices.Concat([]any{
		sqlite.ScanUID(&c.UID), sqlite.ScanTime(&c.CreatedAt), &c.ProviderGuide, &c.BeneficiaryName, &c.CardNumber, &c.PatientPresent,
		sqlite.ScanUID(&c.UnitID), &c.ProcedureCode, &c.ProcedureName, &c.Procedures,
	}, nameTargets(&c.Names), stateTargets(&c.CaseState), []any{
		&c.Authorizations, &c.Authorized, &c.Items, &c.ItemsAuthorized, &c.Senha, (*localTime)(&c.SenhaValidUntil), &c.HasGuide,
	})
	err := tx.QueryRow(ctx, `SELECT s.uid, s.created_at, s.provider_guide, s.beneficiary_name, s.card_number, s.patient_present,
		st.unit_uid, p.code, p.name, (SELECT COUNT(*) FROM submission_procedure n WHERE n.submission_id = st.submission_id),
		s.`+strings.Join(nameColumns, ", s.")+`, `+stateColumns+`,
		st.authorizations, st.authorized, st.items, st.items_authorized, st.password, st.password_until,
		EXISTS (SELECT 1 FROM answer a WHERE a.id = (SELECT MAX(l.id) FROM answer l WHERE l.submission_id = s.id) AND (a.guide_pdf <> ''
			OR EXISTS (SELECT 1 FROM authorization z WHERE z.answer_id = a.id AND z.guide_pdf <> '')))
		FROM submission_state st JOIN submission s ON s.id = st.submission_id
		JOIN submission_procedure p ON p.submission_id = st.submission_id AND p.position = 0 WHERE st.submission_id = ?`, id).Scan(targets...)
	c.Credential = c.Names.Credential
	return sqlite.Error(err)
}

// loadCase adds to a case what its summary does not hold.
func loadCase(ctx context.Context, tx *sqlite.Tx, id int64, c *desk.Case) error {
	parts := []func() error{
		func() error { return loadFacts(ctx, tx, id, c) },
		func() (err error) { c.Request, _, err = loadRequest(ctx, tx, id); return err },
		func() (err error) { c.Attachments, err = submissionAttachments(ctx, tx, id); return err },
		func() error { return loadAnswered(ctx, tx, id, c) },
		func() (err error) { c.Attempts, err = sqlite.List(ctx, tx, scanAttempt, attemptQuery, id); return err },
		func() error { return loadDecisions(ctx, tx, id, c) },
		func() (err error) { c.Events, err = sqlite.List(ctx, tx, scanEvent, eventQuery, id); return err },
		func() (err error) {
			c.Corrections, err = sqlite.List(ctx, tx, scanUID, copiesQuery, sqlite.UID(c.UID), desk.Correction)
			return err
		},
		func() (err error) {
			c.Repetitions, err = sqlite.List(ctx, tx, scanUID, copiesQuery, sqlite.UID(c.UID), desk.Repetition)
			return err
		},
	}
	for _, load := range parts {
		if err := load(); err != nil {
			return err
		}
	}
	return nil
}

const (
	attemptQuery = `SELECT a.number, COALESCE(x.started_at, a.started_at), COALESCE(x.ended_at, 0),
		COALESCE(x.sent_bytes, 0), COALESCE(x.http_status, 0), COALESCE(x.failure, '')
		FROM attempt a LEFT JOIN exchange x ON x.attempt_id = a.id WHERE a.submission_id = ? ORDER BY a.number`
	eventQuery = `SELECT e.at, e.kind, e.actor, COALESCE(n.name, ''), e.attempt, e.reason
		FROM submission_event e LEFT JOIN desk_person n ON n.uid = e.actor WHERE e.submission_id = ? ORDER BY e.id`
	copiesQuery = `SELECT uid FROM submission WHERE previous_uid = ? AND copy_kind = ? ORDER BY id`
)

// loadFacts reads what only the page of one case shows: its sender, what it corrects,
// and the times that its state is waiting for.
func loadFacts(ctx context.Context, tx *sqlite.Tx, id int64, c *desk.Case) error {
	return sqlite.Error(tx.QueryRow(ctx, `SELECT s.sender, COALESCE(n.name, ''), s.previous_uid, s.copy_kind,
		st.deadline_at, st.due_at, COALESCE(f.due_at, 0), COALESCE(f.told_at, 0) FROM submission s
		JOIN submission_state st ON st.submission_id = s.id
		LEFT JOIN follow f ON f.submission_id = s.id
		LEFT JOIN desk_person n ON n.uid = s.sender
		WHERE s.id = ?`, id).Scan(sqlite.ScanUID(&c.Sender.User), &c.Sender.Name, sqlite.ScanUID(&c.Previous), &c.Copy,
		sqlite.ScanTime(&c.Deadline), sqlite.ScanTime(&c.Due),
		sqlite.ScanTime(&c.FollowAt), sqlite.ScanTime(&c.FollowedAt)))
}

// loadAnswered reads all answers; the latest is in force.
func loadAnswered(ctx context.Context, tx *sqlite.Tx, id int64, c *desk.Case) (err error) {
	c.Answers, c.Fields, err = loadAnswers(ctx, tx, id)
	if n := len(c.Answers); n > 0 {
		c.Answer = &c.Answers[n-1].Answer
	}
	return err
}

// scanAttempt reads one attempt; EndedAt is zero while it runs.
func scanAttempt(rows sqlite.Row) (a desk.Attempt, err error) {
	err = rows.Scan(&a.Number, sqlite.ScanTime(&a.StartedAt), sqlite.ScanTime(&a.EndedAt), &a.SentBytes, &a.HTTPStatus, &a.Failure)
	return a, err
}

// scanEvent reads one line of the case's history. The actor's name is the one known
// today, empty for what the desk did itself.
func scanEvent(rows sqlite.Row) (e desk.Event, err error) {
	err = rows.Scan(sqlite.ScanTime(&e.At), &e.Kind, sqlite.ScanUID(&e.Actor.User), &e.Actor.Name, &e.Attempt, &e.Reason)
	return e, err
}
