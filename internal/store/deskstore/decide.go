package deskstore

import (
	"context"

	"guiche/internal/audit"
	"guiche/internal/desk"
	"guiche/internal/problem"
	"guiche/internal/store/checksum"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// recordedAttempt is the attempt of an answer that no attempt brought.
const recordedAttempt = 0

// unchanged holds for a case that a person may speak of: nobody knows its outcome, or it
// has as many answers as the person has seen.
const unchanged = `(state = 'unknown' OR (state = 'answered' AND ? = ` + answerCount + `))`

// answerCount is how many answers a case has.
const answerCount = `(SELECT COUNT(*) FROM answer a WHERE a.submission_id = submission_state.submission_id)`

// RecordReply adds the operator's word to a person as the answer in force.
func (s *Store) RecordReply(ctx context.Context, uid uuid.UUID, answers int, to desk.Settlement, by desk.Decision,
	entry audit.Entry) error {
	return s.db.Write(ctx, func(tx *engine.Tx) error {
		id, err := amendState(ctx, tx, uid, to, unchanged, answers)
		if err != nil {
			return err
		}
		if err := insertAnswer(ctx, tx, id, recordedAttempt, to); err != nil {
			return err
		}
		if err := keepUses(ctx, tx, id); err != nil {
			return err
		}
		if err := beginFollow(ctx, tx, id, to); err != nil {
			return err
		}
		if err := insertDecision(ctx, tx, id, by); err != nil {
			return err
		}
		return s.told(ctx, tx, id, desk.Event{Kind: to.Event, Actor: by.By}, entry)
	})
}

// amendState writes the state of a case that got another answer, if the condition holds,
// and forgets none of its simulation.
func amendState(ctx context.Context, tx *engine.Tx, uid uuid.UUID, to desk.Settlement,
	condition string, args ...any) (id int64, err error) {
	id, err = moveState(ctx, tx, uid, checksum.Change{
		Set: `state = 'answered', status = ?, queue_group = ?, origin = ?, changed_at = ?, reason = '', alert = '', doubtful = 0,
			authorizations = ?, authorized = ?, items = ?, items_authorized = ?, password = ?, password_until = ?,
			simulated = CASE WHEN simulated = 1 THEN 1 ELSE ? END`,
		Values: []any{
			string(to.Status), to.Group, to.Origin, engine.Micros(to.At), to.Authorizations, to.Authorized, to.Items, to.ItemsAuthorized,
			to.Senha, to.SenhaValidUntil.String(), to.Simulated,
		},
		Condition: condition, Args: args,
	}, showGuide(to.Answer))
	if problem.Is(err, problem.NotFound) {
		return 0, desk.AlreadySettled()
	}
	return id, err
}

// Resend makes an unknown case a resent one and queues the new submission.
func (s *Store) Resend(ctx context.Context, uid uuid.UUID, sub desk.Submission, by desk.Decision, entries ...audit.Entry) error {
	defer s.tellCame()
	return s.db.Write(ctx, func(tx *engine.Tx) error {
		id, err := endUnknown(ctx, tx, uid, `state = 'resent', queue_group = ?, origin = ?, changed_at = ?,
			reason = '', alert = '', doubtful = 0`, desk.GroupOf(desk.Resent, ""), desk.OriginPerson, engine.Micros(by.At))
		if err != nil {
			return err
		}
		if _, err := s.enqueue(ctx, tx, &sub, nil); err != nil {
			return err
		}
		if err := insertDecision(ctx, tx, id, by); err != nil {
			return err
		}
		return s.told(ctx, tx, id, desk.Event{Kind: desk.EventResent, Actor: by.By}, entries...)
	})
}

// endUnknown moves a case on as the SET clause says, if its outcome is unknown.
func endUnknown(ctx context.Context, tx *engine.Tx, uid uuid.UUID, set string, values ...any) (id int64, err error) {
	id, err = moveState(ctx, tx, uid, checksum.Change{Set: set, Values: values, Condition: `state = 'unknown'`})
	if problem.Is(err, problem.NotFound) {
		return 0, desk.AlreadySettled()
	}
	return id, err
}

// insertDecision writes what the person recorded: with the new submission, or with the
// answer that was just written.
func insertDecision(ctx context.Context, tx *engine.Tx, submission int64, d desk.Decision) error {
	if err := rememberAuthor(ctx, tx, d.By); err != nil {
		return err
	}
	var answer, resent *int64
	err := tx.QueryRow(ctx, `SELECT CASE WHEN ?2 THEN (SELECT MAX(id) FROM answer WHERE submission_id = ?1) END,
		(SELECT id FROM submission WHERE uid = ?3)`, submission, d.Resent == uuid.Nil, engine.UID(d.Resent)).Scan(&answer, &resent)
	if err != nil {
		return engine.Error(err)
	}
	_, err = decisionTable.InsertNumbered(ctx, tx, submission, engine.Micros(d.At), engine.UID(d.By.User), d.Contact, d.CallProtocol, d.Note,
		answer, resent)
	return err
}

// told adds the event to the case's history, and the entries to the audit trail.
func (s *Store) told(ctx context.Context, tx *engine.Tx, submission int64, e desk.Event, entries ...audit.Entry) error {
	if err := addEvent(ctx, tx, submission, e); err != nil {
		return err
	}
	for _, entry := range entries {
		if err := s.trail.Append(ctx, tx, entry); err != nil {
			return err
		}
	}
	return nil
}
