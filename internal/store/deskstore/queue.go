package deskstore

import (
	"cmp"
	"context"

	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/problem"
	"guiche/internal/store/checksum"
	"guiche/internal/store/engine"
	"guiche/internal/store/unsynced"

	"github.com/google/uuid"
)

// late holds for what never left before its deadline; what may have been acted
// on gets one more attempt instead, which then settles it.
const late = `state = 'queued' AND doubtful = 0 AND deadline_at <= ?`

// Expire refuses what is late.
func (s *Store) Expire(ctx context.Context) ([]uuid.UUID, error) {
	if some, err := s.anyState(ctx, late); !some || err != nil {
		return nil, err
	}
	var cases []uuid.UUID
	err := s.db.Write(ctx, func(tx *engine.Tx) error {
		cases = nil
		ids, err := s.changeStates(ctx, tx, checksum.Change{
			Set:    `state = 'refused', queue_group = ?, origin = ?, reason = ?, changed_at = ?, alert = '', due_at = 0`,
			Values: []any{desk.GroupOf(desk.Refused, ""), desk.OriginDesk, desk.ReasonLate, engine.Micros(tx.Now)},
		}, `SELECT submission_id FROM submission_state WHERE `+late, engine.Micros(tx.Now))
		if err != nil {
			return err
		}
		for _, id := range ids {
			if err := addEvent(ctx, tx, id, desk.Event{Kind: desk.EventRefused, Reason: desk.ReasonLate}); err != nil {
				return err
			}
			uid, err := uidOf(ctx, tx, id)
			if err != nil {
				return err
			}
			cases = append(cases, uid)
		}
		return nil
	})
	return cases, err
}

// anyState looks whether a state row is as the condition on the present moment
// says, without taking the writer's time.
func (s *Store) anyState(ctx context.Context, condition string) (bool, error) {
	return engine.Get(ctx, s.db, func(tx *engine.Tx) (bool, error) {
		return exists(ctx, tx, `SELECT EXISTS (SELECT 1 FROM submission_state WHERE `+condition+`)`, engine.Micros(tx.Now))
	})
}

// uidOf is the identifier that belongs to a row number.
func uidOf(ctx context.Context, tx *engine.Tx, id int64) (uid uuid.UUID, err error) {
	err = tx.QueryRow(ctx, `SELECT uid FROM submission WHERE id = ?`, id).Scan(engine.ScanUID(&uid))
	return uid, engine.Error(err)
}

// claimOne marks a submission as being sent and counts the attempt before its first byte
// leaves: whatever happens then, the next start knows that it may have arrived.
func claimOne(ctx context.Context, tx *engine.Tx, id int64, lease uuid.UUID, to desk.Recipient) (desk.Claim, error) {
	c := desk.Claim{Lease: lease}
	err := tx.QueryRow(ctx, `SELECT reason, EXISTS (SELECT 1 FROM submission_event WHERE submission_id = ?1 AND kind = ?2)
		FROM submission_state WHERE submission_id = ?1`, id, desk.EventDoubted).Scan(&c.LastReason, &c.Doubted)
	if err != nil {
		return c, engine.Error(err)
	}
	if _, err = changeState(ctx, tx, id, sending(tx, lease)); err != nil {
		return c, err
	}
	err = tx.QueryRow(ctx, `SELECT s.uid, s.x_request_id, st.attempt, st.deadline_at, st.doubtful
		FROM submission s JOIN submission_state st ON st.submission_id = s.id WHERE s.id = ?`, id).
		Scan(engine.ScanUID(&c.Case), &c.RequestID, &c.Attempt, engine.ScanTime(&c.Deadline), &c.UnknownOutcome)
	if err != nil {
		return c, engine.Error(err)
	}
	if err = insertAttempt(ctx, tx, id, &c, to); err != nil {
		return c, err
	}
	if err = addEvent(ctx, tx, id, desk.Event{Kind: desk.EventSent, Attempt: c.Attempt}); err != nil {
		return c, err
	}
	c.Dispatch.Request, c.Dispatch.IdempotencyKey, err = loadRequest(ctx, tx, id)
	if !to.Keyed {
		c.Dispatch.IdempotencyKey = ""
	}
	return c, err
}

// sending is the change of a state with which an attempt begins.
func sending(tx *engine.Tx, lease uuid.UUID) checksum.Change {
	return checksum.Change{
		Set: `state = 'sending', queue_group = ?, origin = ?, changed_at = ?, reason = '', alert = '', due_at = 0, lease = ?,
			attempt = attempt + 1`,
		Values: []any{desk.GroupOf(desk.Sending, ""), desk.OriginDesk, engine.Micros(tx.Now), engine.UID(lease)},
	}
}

// unkeyed holds for an attempt without the key that the service may have acted on.
const unkeyed = `a.keyed = 0 AND CASE WHEN x.sent_bytes = 0 OR x.http_status IN (401, 403, 429)
	OR (x.http_status = 503 AND x.retry_after <> '') THEN 0 ELSE 1 END = 1`

// insertAttempt writes the attempt that is about to be made, and reads for which service
// the one before was, and whether all had their key. What that service may have acted on
// stays its own.
func insertAttempt(ctx context.Context, tx *engine.Tx, id int64, c *desk.Claim, to desk.Recipient) error {
	err := tx.QueryRow(ctx, `SELECT COALESCE((SELECT service FROM attempt WHERE submission_id = ?1 AND number = ?2), ''),
		EXISTS (SELECT 1 FROM attempt a LEFT JOIN exchange x ON x.attempt_id = a.id WHERE a.submission_id = ?1 AND `+unkeyed+`),
		(SELECT COUNT(*) FROM attempt a JOIN exchange x ON x.attempt_id = a.id
			WHERE a.submission_id = ?1 AND x.complete = 1 AND x.http_status BETWEEN 200 AND 299)`,
		id, c.Attempt-1).Scan(&c.SentTo, &c.Unkeyed, &c.Heard)
	if err != nil {
		return engine.Error(err)
	}
	if c.UnknownOutcome && c.SentTo != "" {
		to.Name = c.SentTo
	}
	_, err = writeAttempt(ctx, tx, id, c.Attempt, c.Lease, to)
	return err
}

// writeAttempt writes the row of an attempt that begins, and returns its number.
func writeAttempt(ctx context.Context, tx *engine.Tx, submission int64, number int, lease uuid.UUID, to desk.Recipient) (int64, error) {
	return attemptTable.InsertNumbered(ctx, tx, submission, number, engine.UID(lease), engine.Micros(tx.Now), to.Name, to.Keyed)
}

// KeepExchange commits what an attempt left behind.
func (s *Store) KeepExchange(ctx context.Context, c desk.Claim, x authorization.Exchange) error {
	return s.db.Write(ctx, func(tx *engine.Tx) error {
		attempt, kept, err := attemptOf(ctx, tx, c)
		if err != nil || kept {
			return err
		}
		if err := unsynced.Write(ctx, tx); err != nil {
			return err
		}
		return writeExchange(ctx, tx, attempt, x)
	})
}

// writeExchange writes what an attempt left behind.
func writeExchange(ctx context.Context, tx *engine.Tx, attempt int64, x authorization.Exchange) error {
	return exchangeTable.Insert(ctx, tx, attempt, engine.Micros(x.StartedAt), engine.Micros(x.EndedAt), x.SentBytes, x.HTTPStatus,
		x.ContentType, x.RetryAfter, string(x.Body), x.BodySize, x.Complete, string(x.Failure))
}

// attemptOf returns the number of an attempt's row, and whether its exchange was kept. Where
// no attempt has its number, the row is damaged: what came back stays with the latest.
func attemptOf(ctx context.Context, tx *engine.Tx, c desk.Claim) (id int64, kept bool, err error) {
	const attempts = `SELECT a.id, EXISTS (SELECT 1 FROM exchange x WHERE x.attempt_id = a.id)
		FROM attempt a JOIN submission s ON s.id = a.submission_id WHERE s.uid = ?`
	err = engine.Error(tx.QueryRow(ctx, attempts+` AND a.number = ?`, engine.UID(c.Case), c.Attempt).Scan(&id, &kept))
	if problem.Is(err, problem.NotFound) {
		err = engine.Error(tx.QueryRow(ctx, attempts+` ORDER BY a.id DESC LIMIT 1`, engine.UID(c.Case)).Scan(&id, &kept))
	}
	return id, kept, err
}

// Settle commits what the attempt makes of the submission. Where its state is damaged by
// then, the attempt ends all the same, and the error is problem.Damaged.
func (s *Store) Settle(ctx context.Context, c desk.Claim, to desk.Settlement) (queued bool, err error) {
	write := s.db.Write
	if to.Derived {
		write = s.db.WriteDerived
	}
	var damaged error
	err = write(ctx, func(tx *engine.Tx) error {
		damaged = nil
		id, err := settleState(ctx, tx, c, to)
		if problem.Is(err, problem.Damaged) {
			damaged = s.noted(err)
			return endDamaged(ctx, tx, c.Case)
		}
		if err != nil {
			return err
		}
		if err := noteContact(ctx, tx, id, to.Contact); err != nil {
			return err
		}
		if err := addOutcome(ctx, tx, id, c.Attempt, to); err != nil {
			return err
		}
		queued, err = exists(ctx, tx, `SELECT EXISTS (SELECT 1 FROM submission_state WHERE state = 'queued')`)
		return err
	})
	return queued, cmp.Or(err, damaged)
}

// endDamaged ends the attempt of a case whose state is damaged, and stays so.
func endDamaged(ctx context.Context, tx *engine.Tx, uid uuid.UUID) error {
	var id int64
	if err := tx.QueryRow(ctx, `SELECT id FROM submission WHERE uid = ?`, engine.UID(uid)).Scan(&id); err != nil {
		return engine.Error(err)
	}
	return leaveDamaged(ctx, tx, id)
}

// leaveDamaged takes a damaged state off the wire, in lists too. Whatever else is wrong in
// it, the schema takes what is written.
func leaveDamaged(ctx context.Context, tx *engine.Tx, id int64) error {
	values, err := stateTable.ChangeDamaged(ctx, tx, []any{id}, checksum.Change{
		Set: `state = 'unknown', queue_group = ?, origin = ?, status = '', reason = ?, alert = '', doubtful = 1, due_at = 0, lease = NULL,
			attempt = CASE WHEN attempt > 0 THEN attempt ELSE 0 END, simulated = CASE simulated WHEN 0 THEN 0 ELSE 1 END,
			corrected = CASE corrected WHEN 0 THEN 0 ELSE 1 END, authorized = CASE WHEN authorized > 0 THEN authorized ELSE 0 END`,
		Values:    []any{desk.GroupOf(desk.Unknown, ""), desk.OriginDesk, desk.ReasonInterrupted},
		Condition: `state = 'sending'`,
	})
	if err != nil || values == nil {
		return err
	}
	return changeSummary(ctx, tx, id, values)
}

// addOutcome writes the answer, where there is one, what the case met, and the event of a settlement.
func addOutcome(ctx context.Context, tx *engine.Tx, id int64, attempt int, to desk.Settlement) error {
	if to.Answer != nil {
		if err := insertAnswer(ctx, tx, id, attempt, to); err != nil {
			return err
		}
	}
	if err := keepUses(ctx, tx, id); err != nil {
		return err
	}
	if err := beginFollow(ctx, tx, id, to); err != nil {
		return err
	}
	return addEvent(ctx, tx, id, desk.Event{Kind: to.Event, Attempt: attempt, Reason: to.Reason})
}

// settleState writes the state that an attempt ended with, if the attempt still holds
// the submission: a lease that was lost settles nothing.
func settleState(ctx context.Context, tx *engine.Tx, c desk.Claim, to desk.Settlement) (id int64, err error) {
	return updateState(ctx, tx, c.Case, to, func(was unsettled) bool {
		return was.state == desk.Sending && was.lease == c.Lease && was.attempt == int64(c.Attempt)
	})
}

// ahead holds for what was put into the queue more than two seconds after ?1: a clock is
// corrected by less every day.
const ahead = `state = 'queued' AND due_at > ?1 AND changed_at > ?1 + 2000000`

// Reschedule implements desk.QueueStore.
func (s *Store) Reschedule(ctx context.Context) error { return s.makeDue(ctx, ahead) }

// putOff holds for what waits beyond ?1 because its service could not act.
const putOff = `state = 'queued' AND alert = '' AND reason = 'http_503' AND due_at > ?1`

// EndPauses implements desk.QueueStore.
func (s *Store) EndPauses(ctx context.Context) error { return s.makeDue(ctx, putOff) }

// makeDue makes due now what is queued and as the condition on the present moment says.
func (s *Store) makeDue(ctx context.Context, condition string) error {
	if some, err := s.anyState(ctx, condition); !some || err != nil {
		return err
	}
	return s.db.Write(ctx, func(tx *engine.Tx) error {
		_, err := s.changeStates(ctx, tx, checksum.Change{Set: `due_at = ?`, Values: []any{engine.Micros(tx.Now)}},
			`SELECT submission_id FROM submission_state WHERE `+condition, engine.Micros(tx.Now))
		return err
	})
}

// accepted holds for what waits for an access that the service accepts, ?1 being whether
// it has taken a request by now.
const accepted = `state = 'queued' AND alert = 'held' AND (?1 OR reason <> 'http_403')`

// ReleaseAccepted lets what is held go when it is due.
func (s *Store) ReleaseAccepted(ctx context.Context, sent bool) (released int, err error) {
	some, err := engine.Get(ctx, s.db, func(tx *engine.Tx) (bool, error) {
		return exists(ctx, tx, `SELECT EXISTS (SELECT 1 FROM submission_state WHERE `+accepted+`)`, sent)
	})
	if !some || err != nil {
		return 0, err
	}
	err = s.db.Write(ctx, func(tx *engine.Tx) error {
		released, err = s.releaseAll(ctx, tx, checksum.Change{Set: `alert = '', reason = '', changed_at = ?`,
			Values: []any{engine.Micros(tx.Now)}}, `SELECT submission_id FROM submission_state WHERE `+accepted, sent)
		return err
	})
	return released, err
}

// Release makes what is held due now.
func (s *Store) Release(ctx context.Context) (released int, err error) {
	err = s.db.Write(ctx, func(tx *engine.Tx) error {
		released, err = s.releaseAll(ctx, tx, checksum.Change{Set: `alert = '', reason = '', due_at = ?, changed_at = ?`,
			Values: []any{engine.Micros(tx.Now), engine.Micros(tx.Now)}},
			`SELECT submission_id FROM submission_state WHERE state = 'queued' AND alert = 'held'`)
		return err
	})
	return released, err
}

// releaseAll lets the submissions go that a query finds, and notes with each that it was
// held before.
func (s *Store) releaseAll(ctx context.Context, tx *engine.Tx, c checksum.Change, query string, args ...any) (int, error) {
	ids, err := s.changeStates(ctx, tx, c, query, args...)
	for _, id := range ids {
		if err := addEvent(ctx, tx, id, desk.Event{Kind: desk.EventReleased}); err != nil {
			return 0, err
		}
	}
	return len(ids), err
}
