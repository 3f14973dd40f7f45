package deskstore

import (
	"context"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// SubmitAndStart is Submit, and commits the first attempt with the submission where it may
// begin at once.
func (s *Store) SubmitAndStart(ctx context.Context, sub desk.Submission, entry audit.Entry,
	start desk.Start) (uuid.UUID, *desk.Claim, error) {
	return s.submit(ctx, sub, entry, &start)
}

// mayStart reports whether the first attempt of a submission may begin with it: nobody
// waits before it, and a slot is free.
func mayStart(ctx context.Context, tx *engine.Tx, sub desk.Submission, start *desk.Start) (bool, error) {
	if start == nil || !sub.Deadline.After(tx.Now) {
		return false, nil
	}
	waiting, err := exists(ctx, tx, `SELECT EXISTS (SELECT 1 FROM submission_state WHERE `+due+`)`, engine.Micros(tx.Now))
	if waiting || err != nil {
		return false, err
	}
	free, err := freeSlots(ctx, tx, start.Lease, start.Slots)
	return err == nil && free.all > 0 && free.take(sub.Request.CredentialID, false), err
}

// startFirst is claimOne for a submission that was written in this transaction, its state
// that of an attempt under way: nothing of it needs to be read.
func startFirst(ctx context.Context, tx *engine.Tx, id int64, sub desk.Submission, start desk.Start) (*desk.Claim, error) {
	c := &desk.Claim{
		Case: sub.UID, Attempt: 1, Lease: start.Lease, Deadline: sub.Deadline, RequestID: sub.RequestID,
		Dispatch: authorization.Dispatch{Request: sub.Request},
	}
	if start.To.Keyed {
		c.Dispatch.IdempotencyKey = sub.IdempotencyKey
	}
	if _, err := writeAttempt(ctx, tx, id, c.Attempt, c.Lease, start.To); err != nil {
		return nil, err
	}
	return c, addEvent(ctx, tx, id, desk.Event{Kind: desk.EventSent, Attempt: c.Attempt})
}
