package deskstore

import (
	"context"
	"errors"
	"slices"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/problem"
	"guiche/internal/store/checksum"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// HoldLease implements desk.LeaseStore.
func (s *Store) HoldLease(ctx context.Context, lease uuid.UUID, until time.Time) error {
	return s.db.Write(ctx, func(tx *engine.Tx) error {
		var held bool
		err := engine.Error(tx.QueryRow(ctx, `INSERT INTO lease (uid, expires_at) VALUES (?1, ?2)
			ON CONFLICT (uid) DO UPDATE SET expires_at = ?2 WHERE lease.ended = 0 RETURNING 1`,
			engine.UID(lease), engine.Micros(until)).Scan(&held))
		if problem.Is(err, problem.NotFound) {
			return problem.Wrap(problem.Conflict, "Outro processo assumiu os envios.", errors.New("the lease was ended"))
		}
		return err
	})
}

// leaseKept is how long an ended lease is remembered, so that its process, suspended
// until then, cannot go on.
const leaseKept = 30 * 24 * time.Hour

// orphaned holds for attempts under a lease, other than ?1, that was ended or never held.
const orphaned = `st.state = 'sending' AND st.lease <> ?1
	AND NOT EXISTS (SELECT 1 FROM lease l WHERE l.uid = st.lease AND l.ended = 0)`

// TakeOver implements desk.LeaseStore.
func (s *Store) TakeOver(ctx context.Context, lease uuid.UUID, only bool) (orphans []desk.Orphan, err error) {
	if idle, err := s.nothingToTake(ctx, lease, only); idle || err != nil {
		return nil, err
	}
	err = s.db.Write(ctx, func(tx *engine.Tx) error {
		_, err := exec(ctx, tx, `UPDATE lease SET ended = 1 WHERE uid <> ?1 AND ended = 0 AND (?2 OR expires_at <= ?3)`,
			engine.UID(lease), only, engine.Micros(tx.Now))
		if err != nil {
			return err
		}
		if _, err = exec(ctx, tx, `DELETE FROM lease WHERE ended = 1 AND expires_at < ?`, engine.Micros(tx.Now.Add(-leaseKept))); err != nil {
			return err
		}
		orphans, err = s.takeOrphans(ctx, tx, lease)
		return err
	})
	if err != nil {
		return nil, err
	}
	return orphans, nil
}

// nothingToTake looks without taking the writer's time.
func (s *Store) nothingToTake(ctx context.Context, lease uuid.UUID, only bool) (bool, error) {
	return engine.Get(ctx, s.db, func(tx *engine.Tx) (idle bool, err error) {
		err = tx.QueryRow(ctx, `SELECT NOT EXISTS (SELECT 1 FROM lease WHERE uid <> ?1 AND ended = 0 AND (?2 OR expires_at <= ?3))
			AND NOT EXISTS (SELECT 1 FROM submission_state st WHERE `+orphaned+`)`,
			engine.UID(lease), only, engine.Micros(tx.Now)).Scan(&idle)
		return idle, engine.Error(err)
	})
}

// attemptsLeft reads attempts with what they left behind, in the order of scanOrphan, up to
// its condition.
const attemptsLeft = `SELECT s.uid, s.x_request_id, s.provider_guide, a.number, st.deadline_at, st.doubtful,
	x.attempt_id IS NOT NULL, COALESCE(x.started_at, 0), COALESCE(x.ended_at, 0), COALESCE(x.sent_bytes, 0),
	COALESCE(x.http_status, 0),
	COALESCE(x.content_type, ''), COALESCE(x.retry_after, ''), COALESCE(x.body, ''), COALESCE(x.body_size, 0),
	COALESCE(x.complete, 0), COALESCE(x.failure, '')
	FROM submission_state st
	JOIN submission s ON s.id = st.submission_id
	JOIN attempt a ON a.submission_id = st.submission_id
	LEFT JOIN exchange x ON x.attempt_id = a.id
	WHERE `

// takeOrphans puts the attempts that are taken over under a lease, and lists them with what
// they left behind. What is damaged ends: nobody sends it any more.
func (s *Store) takeOrphans(ctx context.Context, tx *engine.Tx, lease uuid.UUID) ([]desk.Orphan, error) {
	ids, err := engine.List(ctx, tx, scanID, `SELECT st.submission_id FROM submission_state st WHERE `+orphaned, engine.UID(lease))
	if err != nil {
		return nil, err
	}
	whole, err := s.whole(ctx, tx, ids, ofRequest)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		if slices.Contains(whole, id) {
			continue
		}
		if err := endOrphan(ctx, tx, id); err != nil {
			return nil, err
		}
	}
	orphans, err := engine.List(ctx, tx, scanOrphan, attemptsLeft+`a.number = st.attempt
		AND st.submission_id `+engine.InNumbers+` ORDER BY st.submission_id`, engine.Numbers(whole))
	for i := range orphans {
		orphans[i].Lease = lease
	}
	if err != nil {
		return nil, err
	}
	_, err = s.changeStates(ctx, tx, checksum.Change{Set: `lease = ?`, Values: []any{engine.UID(lease)}},
		`SELECT id FROM submission WHERE id `+engine.InNumbers, engine.Numbers(whole))
	return orphans, err
}

// endOrphan ends an attempt of a case of which something is damaged.
func endOrphan(ctx context.Context, tx *engine.Tx, id int64) error {
	_, err := changeState(ctx, tx, id, checksum.Change{
		Set:    `state = 'unknown', queue_group = ?, origin = ?, reason = ?, changed_at = ?, lease = NULL, doubtful = 1`,
		Values: []any{desk.GroupOf(desk.Unknown, ""), desk.OriginDesk, desk.ReasonInterrupted, engine.Micros(tx.Now)},
	})
	if problem.Is(err, problem.Damaged) {
		return leaveDamaged(ctx, tx, id)
	}
	return err
}

// scanOrphan reads an attempt that a stopped process left behind, with the answer it had
// already kept, if any.
func scanOrphan(rows engine.Row) (o desk.Orphan, err error) {
	var kept bool
	var x authorization.Exchange
	err = rows.Scan(engine.ScanUID(&o.Case), &o.RequestID, &o.Dispatch.Request.ProviderGuide, &o.Attempt,
		engine.ScanTime(&o.Deadline), &o.UnknownOutcome, &kept,
		engine.ScanTime(&x.StartedAt), engine.ScanTime(&x.EndedAt), &x.SentBytes, &x.HTTPStatus,
		&x.ContentType, &x.RetryAfter, &x.Body, &x.BodySize, &x.Complete, &x.Failure)
	if kept {
		o.Exchange = &x
	}
	return o, err
}

// LeaseHeld reports whether a process runs, and may be sending: a lease has not run out.
func (s *Store) LeaseHeld(ctx context.Context) (bool, error) {
	return engine.Get(ctx, s.db, func(tx *engine.Tx) (held bool, err error) {
		err = tx.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM lease WHERE ended = 0 AND expires_at > ?)`, engine.Micros(tx.Now)).Scan(&held)
		return held, engine.Error(err)
	})
}
