package deskstore

import (
	"context"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/problem"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// beginFollow has an open case followed; one that is, goes on as it was planned.
func beginFollow(ctx context.Context, tx *engine.Tx, id int64, to desk.Settlement) error {
	if to.Follow.IsZero() {
		return nil
	}
	_, err := exec(ctx, tx, `INSERT INTO follow (submission_id, due_at) VALUES (?1, ?2)
		ON CONFLICT (submission_id) DO UPDATE SET due_at = ?2 WHERE follow.due_at <= 0`, id, engine.Micros(to.Follow))
	return err
}

// FollowsDue implements desk.FollowStore.
func (s *Store) FollowsDue(ctx context.Context) (bool, error) {
	return engine.Get(ctx, s.db, func(tx *engine.Tx) (bool, error) {
		return exists(ctx, tx, `SELECT EXISTS (SELECT 1 FROM follow WHERE due_at > 0 AND due_at <= ?)`, engine.Micros(tx.Now))
	})
}

// Follow implements desk.FollowStore.
func (s *Store) Follow(ctx context.Context, service string, until time.Time, except []uuid.UUID) (f desk.Followed, found bool, err error) {
	due, found, err := s.dueFollow(ctx, service, except)
	if !found || err != nil {
		return f, false, err
	}
	err = s.db.Write(ctx, func(tx *engine.Tx) error {
		n, err := exec(ctx, tx, `UPDATE follow SET due_at = ? WHERE submission_id = ? AND due_at = ?`,
			engine.Micros(until), due.id, due.at)
		if found = n > 0; !found || err != nil {
			return err // another process was quicker
		}
		f, err = s.loadFollowed(ctx, tx, due.id)
		if problem.Is(err, problem.Damaged) {
			found, err = false, postpone(ctx, tx, due.id)
		}
		return err
	})
	return f, found && err == nil, err
}

// postpone leaves a case alone for as long as a question may be put off.
func postpone(ctx context.Context, tx *engine.Tx, id int64) error {
	_, err := exec(ctx, tx, `UPDATE follow SET due_at = ? WHERE submission_id = ?`, engine.Micros(tx.Now.Add(desk.LongestFollowPause)), id)
	return err
}

// followRow is a case that is due.
type followRow struct{ id, at int64 }

func scanFollowRow(row engine.Row) (f followRow, err error) {
	err = row.Scan(&f.id, &f.at)
	return f, err
}

// dueFollow looks for a case that is due without taking the writer's time. What went to
// another service is not asked about here, nor who does not answer.
func (s *Store) dueFollow(ctx context.Context, service string, except []uuid.UUID) (followRow, bool, error) {
	rows, err := engine.Get(ctx, s.db, func(tx *engine.Tx) ([]followRow, error) {
		where := &conditions{}
		where.add(`f.due_at > 0 AND f.due_at <= ?`, engine.Micros(tx.Now))
		where.add(`COALESCE((SELECT a.service FROM attempt a WHERE a.submission_id = f.submission_id ORDER BY a.number DESC LIMIT 1), '')
			IN ('', ?)`, service)
		where.add(`NOT EXISTS (SELECT 1 FROM outage o WHERE o.failures >= ? AND o.retry_at > ? AND o.retry_at <= ?
			AND o.credential_uid IN (s.credential_uid, ?))`, desk.OutageAfter, engine.Micros(tx.Now),
			engine.Micros(tx.Now.Add(desk.LongestOutagePause)), serviceItself[:])
		for _, credential := range except {
			where.add(`s.credential_uid <> ?`, engine.UID(credential))
		}
		return engine.List(ctx, tx, scanFollowRow, `SELECT f.submission_id, f.due_at FROM follow f
			JOIN submission s ON s.id = f.submission_id `+where.String()+` ORDER BY f.due_at LIMIT 1`, where.args...)
	})
	if len(rows) == 0 {
		return followRow{}, false, err
	}
	return rows[0], true, nil
}

// loadFollowed reads what is known of a case before the service is asked about it.
func (s *Store) loadFollowed(ctx context.Context, tx *engine.Tx, id int64) (f desk.Followed, err error) {
	rows, err := s.verified(ctx, tx, id, wholeCase)
	if err != nil {
		return f, err
	}
	err = tx.QueryRow(ctx, `SELECT s.uid, s.credential_uid, s.provider_guide, st.attempt, f.tries, f.due_at
		FROM submission_state st JOIN submission s ON s.id = st.submission_id JOIN follow f ON f.submission_id = s.id WHERE s.id = ?`, id).
		Scan(engine.ScanUID(&f.Case), engine.ScanUID(&f.Credential), &f.ProviderGuide, &f.Attempt, &f.Tries, engine.ScanTime(&f.Until))
	if err != nil {
		return f, engine.Error(err)
	}
	answers, _, err := answersOf(rows)
	if f.Answers = len(answers); err != nil || f.Answers == 0 {
		return f, err
	}
	f.InForce = answers[f.Answers-1].Answer
	f.Said = said(answers)
	return f, nil
}

// said is the service's own last word at each place of the latest answer.
func said(answers []desk.PastAnswer) []authorization.Authorization {
	words := make([]authorization.Authorization, len(answers[len(answers)-1].Authorizations))
	for _, answer := range answers {
		for i, a := range answer.Authorizations {
			if i < len(words) && !a.Recorded {
				words[i] = a
			}
		}
	}
	return words
}

// ofCase finds the submission of a case by its identifier.
const ofCase = `submission_id = (SELECT id FROM submission WHERE uid = ?)`

// KeepLook implements desk.FollowStore.
func (s *Store) KeepLook(ctx context.Context, f desk.Followed, asked, due time.Time) error {
	return s.db.Write(ctx, func(tx *engine.Tx) error {
		_, err := exec(ctx, tx, `UPDATE follow SET due_at = ?1, tries = tries + 1, told_at = CASE WHEN told_at > ?2 THEN told_at ELSE ?2 END
			WHERE due_at = ?3 AND `+ofCase, engine.Micros(due), engine.Micros(asked), engine.Micros(f.Until), engine.UID(f.Case))
		return err
	})
}

// KeepUpdate implements desk.FollowStore.
func (s *Store) KeepUpdate(ctx context.Context, f desk.Followed, to desk.Settlement) error {
	return s.db.Write(ctx, func(tx *engine.Tx) error {
		leased, err := exec(ctx, tx, `UPDATE follow SET due_at = ?, tries = 0, told_at = ? WHERE due_at = ? AND `+ofCase,
			engine.Micros(to.Follow), engine.Micros(to.At), engine.Micros(f.Until), engine.UID(f.Case))
		if err != nil {
			return err
		}
		if leased == 0 {
			return desk.AlreadySettled()
		}
		id, err := amendState(ctx, tx, f.Case, to, `state = 'answered' AND ? = `+answerCount, f.Answers)
		if err != nil {
			return err
		}
		return addOutcome(ctx, tx, id, f.Attempt, to)
	})
}

// RescheduleFollowed implements desk.FollowStore.
func (s *Store) RescheduleFollowed(ctx context.Context, latest, changedBefore time.Time) error {
	const ahead, old = `due_at > ?`,
		`due_at > 0 AND submission_id IN (SELECT submission_id FROM submission_state WHERE state = 'answered' AND changed_at < ?)`
	some, err := engine.Get(ctx, s.db, func(tx *engine.Tx) (bool, error) {
		return exists(ctx, tx, `SELECT EXISTS (SELECT 1 FROM follow WHERE `+ahead+`) OR EXISTS (SELECT 1 FROM follow f
			JOIN submission_state st ON st.submission_id = f.submission_id WHERE f.due_at > 0 AND st.changed_at < ?)`,
			engine.Micros(latest), engine.Micros(changedBefore))
	})
	if !some || err != nil {
		return err
	}
	return s.db.Write(ctx, func(tx *engine.Tx) error {
		if _, err := exec(ctx, tx, `UPDATE follow SET due_at = ? WHERE `+ahead, engine.Micros(tx.Now), engine.Micros(latest)); err != nil {
			return err
		}
		_, err := exec(ctx, tx, `UPDATE follow SET due_at = ? WHERE `+old, -engine.Micros(tx.Now), engine.Micros(changedBefore))
		return err
	})
}

// FollowAgain implements desk.FollowStore. What is left off has the moment of that as its due_at, below zero.
func (s *Store) FollowAgain(ctx context.Context) error {
	const later = `due_at < ?`
	some, err := engine.Get(ctx, s.db, func(tx *engine.Tx) (bool, error) {
		return exists(ctx, tx, `SELECT EXISTS (SELECT 1 FROM follow WHERE `+later+`)`, -engine.Micros(tx.Now))
	})
	if !some || err != nil {
		return err
	}
	return s.db.Write(ctx, func(tx *engine.Tx) error {
		_, err := exec(ctx, tx, `UPDATE follow SET due_at = ? WHERE `+later, engine.Micros(tx.Now), -engine.Micros(tx.Now))
		return err
	})
}
