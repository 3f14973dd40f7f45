package deskstore

import (
	"context"
	"slices"
	"strings"

	"guiche/internal/audit"
	"guiche/internal/desk"
	"guiche/internal/problem"
	"guiche/internal/store/checksum"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// CaseOf returns the case that a draft of the sender became.
func (s *Store) CaseOf(ctx context.Context, sender, token uuid.UUID) (uuid.UUID, error) {
	return engine.Get(ctx, s.db, func(tx *engine.Tx) (uuid.UUID, error) { return caseOf(ctx, tx, sender, token) })
}

// caseOf finds what the sender has already sent with this token: the same form sent
// twice is one submission.
func caseOf(ctx context.Context, tx *engine.Tx, sender, token uuid.UUID) (uid uuid.UUID, err error) {
	err = tx.QueryRow(ctx, `SELECT uid FROM submission WHERE token = ? AND sender = ?`, engine.UID(token), engine.UID(sender)).
		Scan(engine.ScanUID(&uid))
	return uid, engine.Error(err)
}

// Submit commits the submission as queued, the end of its draft and the audit
// entry together, or returns the case of an earlier Submit with the same token.
func (s *Store) Submit(ctx context.Context, sub desk.Submission, entry audit.Entry) (uuid.UUID, error) {
	uid, _, err := s.submit(ctx, sub, entry, nil)
	return uid, err
}

// submit commits a submission, and its first attempt with it where that may start.
func (s *Store) submit(ctx context.Context, sub desk.Submission, entry audit.Entry,
	start *desk.Start) (uid uuid.UUID, first *desk.Claim, err error) {
	if err := s.reserveGuides(ctx); err != nil {
		return uuid.Nil, nil, err
	}
	defer s.tellCame()
	err = s.db.Write(ctx, func(tx *engine.Tx) error {
		first, uid = nil, sub.UID
		err := endDraft(ctx, tx, sub)
		if problem.Is(err, problem.NotFound) { // an earlier press has ended it
			uid, err = caseOf(ctx, tx, sub.Sender.User, sub.Token)
			return err
		}
		if err != nil {
			return err
		}
		if first, err = s.insertSubmission(ctx, tx, sub, start); err != nil {
			return err
		}
		return s.trail.Append(ctx, tx, entry)
	})
	if err != nil {
		return uid, nil, err
	}
	return uid, first, nil
}

// insertSubmission does in the transaction that ends the draft all else that sending means:
// the guide number is taken, and the request, its attachments, its state and its first event
// are written, and with them its first attempt, where it may begin at once. A failure of any
// part leaves the draft as it was.
func (s *Store) insertSubmission(ctx context.Context, tx *engine.Tx, sub desk.Submission, start *desk.Start) (*desk.Claim, error) {
	may, err := mayStart(ctx, tx, sub, start)
	if err != nil {
		return nil, err
	}
	if !may {
		start = nil
	}
	id, err := s.enqueue(ctx, tx, &sub, start)
	if err != nil || start == nil {
		return nil, err
	}
	return startFirst(ctx, tx, id, sub, *start)
}

// enqueue numbers a submission, which it notes in it, and writes it: as queued, or with its
// first attempt under way where there is a start.
func (s *Store) enqueue(ctx context.Context, tx *engine.Tx, sub *desk.Submission, start *desk.Start) (id int64, err error) {
	if err := rememberAuthor(ctx, tx, sub.Sender); err != nil {
		return 0, err
	}
	if sub.Request.ProviderGuide, err = s.nextGuide(ctx, tx, sub.At); err != nil {
		return 0, err
	}
	if id, err = insertRequest(ctx, tx, *sub); err != nil {
		return 0, err
	}
	var lease uuid.UUID
	if start != nil {
		lease = start.Lease
	}
	state, err := beginState(ctx, tx, id, *sub, lease)
	if err != nil {
		return 0, err
	}
	credential, err := beginSummary(ctx, tx, id, *sub, state)
	if err != nil {
		return 0, err
	}
	if err := keepKnown(ctx, tx, id, sub.Request); err != nil {
		return 0, err
	}
	if err := keepUsesOf(ctx, tx, id, credential, state, sub.Request.Procedures); err != nil {
		return 0, err
	}
	if sub.Copy == desk.Correction {
		if err := markCorrected(ctx, tx, id); err != nil {
			return 0, err
		}
	}
	return id, addEvent(ctx, tx, id, desk.Event{Kind: desk.EventSubmitted, Actor: sub.Sender})
}

// markCorrected notes of the case that a submission corrects, if it does, whether a
// correction of it stands.
func markCorrected(ctx context.Context, tx *engine.Tx, correction int64) error {
	corrected, err := engine.List(ctx, tx, scanID, `SELECT p.id FROM submission c JOIN submission p ON p.uid = c.previous_uid
		WHERE c.id = ? AND c.copy_kind = ?`, correction, desk.Correction)
	if err != nil || len(corrected) == 0 {
		return err
	}
	_, err = changeState(ctx, tx, corrected[0], checksum.Change{Set: `corrected = CASE WHEN EXISTS (SELECT 1 FROM submission c
		JOIN submission_state cs ON cs.submission_id = c.id JOIN submission p ON p.uid = c.previous_uid
		WHERE p.id = submission_state.submission_id AND c.copy_kind = ? AND cs.state <> 'withdrawn')
		THEN 1 ELSE 0 END`, Values: []any{desk.Correction}})
	return err
}

// endDraft ends the draft that was checked, unless it is another one by now.
func endDraft(ctx context.Context, tx *engine.Tx, sub desk.Submission) error {
	var id int64
	var revision int
	err := tx.QueryRow(ctx, `SELECT id, revision FROM draft WHERE uid = ? AND owner = ? AND state = 'open'`,
		engine.UID(sub.Token), engine.UID(sub.Sender.User)).Scan(&id, &revision)
	if err != nil {
		return engine.Error(err)
	}
	if revision != sub.Revision {
		return problem.New(problem.Conflict, "O rascunho mudou enquanto era confirmado. Revise de novo.")
	}
	return closeDraft(ctx, tx, id, "sent")
}

// insertRequest writes the row of the submission itself and returns its number. It is
// never updated: a correction is another submission.
func insertRequest(ctx context.Context, tx *engine.Tx, sub desk.Submission) (int64, error) {
	id, err := submissionTable.InsertNumbered(ctx, tx, slices.Concat([]any{
		engine.UID(sub.UID), engine.UID(sub.Token), engine.UID(sub.Sender.User), engine.UID(sub.Previous),
		sub.IdempotencyKey, engine.Micros(tx.Now), engine.Micros(sub.Deadline), sub.RequestID, sub.Copy,
	}, requestValues(sub.Request), nameValues(sub.Names))...)
	if err != nil {
		return 0, err
	}
	for i, p := range sub.Request.Procedures {
		if err := submissionProcedureTable.Insert(ctx, tx, id, i, p.Code, p.Name, p.Quantity); err != nil {
			return 0, err
		}
	}
	return id, insertAttachments(ctx, tx, id, 0, sub.Attachments)
}

// insertAttachments writes attachments of a submission from a place on.
func insertAttachments(ctx context.Context, tx *engine.Tx, id int64, from int, all []desk.Attachment) error {
	for i, a := range all {
		if _, err := submissionAttachmentTable.InsertNumbered(ctx, tx,
			engine.UID(a.UID), id, from+i, a.Name, a.ContentType, a.Size, string(a.Blob)); err != nil {
			return err
		}
	}
	return nil
}

// rememberAuthor keeps the name of who acts; the program has none.
func rememberAuthor(ctx context.Context, tx *engine.Tx, p desk.Author) error {
	changed, err := exec(ctx, tx, `INSERT INTO desk_person (uid, name) VALUES (?, ?)
		ON CONFLICT (uid) DO UPDATE SET name = excluded.name WHERE desk_person.name <> excluded.name`, engine.UID(p.User), p.Name)
	if changed > 0 {
		tx.Invalidate()
	}
	return err
}

// addEvent appends a line to the case's history, at the transaction's time.
func addEvent(ctx context.Context, tx *engine.Tx, submission int64, e desk.Event) error {
	_, err := insertEvent(ctx, tx, submission, e)
	return err
}

// insertEvent is addEvent that returns the number of the event.
func insertEvent(ctx context.Context, tx *engine.Tx, submission int64, e desk.Event) (int64, error) {
	return eventTable.InsertNumbered(ctx, tx, submission, engine.Micros(tx.Now), e.Kind, engine.UID(e.Actor.User), e.Attempt, e.Reason)
}

// Withdraw takes a queued case out of the queue on which the service did not act.
func (s *Store) Withdraw(ctx context.Context, by desk.Author, uid uuid.UUID, entry audit.Entry) error {
	return s.db.Write(ctx, func(tx *engine.Tx) error {
		id, err := moveState(ctx, tx, uid, checksum.Change{
			Set:       `state = 'withdrawn', queue_group = ?, origin = ?, changed_at = ?, reason = '', alert = '', due_at = 0`,
			Values:    []any{desk.GroupOf(desk.Withdrawn, ""), desk.OriginPerson, engine.Micros(tx.Now)},
			Condition: `state = 'queued' AND doubtful = 0`,
		})
		if problem.Is(err, problem.NotFound) {
			return problem.New(problem.Conflict, "O pedido já saiu da fila e não pode mais ser retirado.")
		}
		if err != nil {
			return err
		}
		if err := markCorrected(ctx, tx, id); err != nil {
			return err
		}
		if err := rememberAuthor(ctx, tx, by); err != nil {
			return err
		}
		if err := addEvent(ctx, tx, id, desk.Event{Kind: desk.EventWithdrawn, Actor: by}); err != nil {
			return err
		}
		return s.trail.Append(ctx, tx, entry)
	})
}

// Repeats lists the procedures of earlier submissions with the card, newest first.
func (s *Store) Repeats(ctx context.Context, q desk.RepeatQuery) ([]desk.Repeat, error) {
	args := []any{q.Card, engine.Micros(q.Since), engine.UID(q.Always), engine.UID(q.Except)}
	return engine.Get(ctx, s.db, func(tx *engine.Tx) ([]desk.Repeat, error) {
		ids, err := engine.List(ctx, tx, scanID, `SELECT s.id FROM submission s
			WHERE s.card_number = ? AND (s.created_at >= ? OR s.uid = ?) AND s.uid IS DISTINCT FROM ?`, args...)
		if err != nil {
			return nil, err
		}
		if ids, err = s.whole(ctx, tx, ids, ofRequest); err != nil {
			return nil, err
		}
		args := []any{engine.Numbers(ids)}
		for _, code := range q.Codes {
			args = append(args, code)
		}
		return engine.List(ctx, tx, scanRepeat, `SELECT s.uid, s.unit_uid, s.credential_uid, p.code, p.quantity,
			(SELECT COUNT(*) FROM submission_procedure n WHERE n.submission_id = s.id), s.created_at, st.password, `+stateColumns+`
			FROM submission s
			JOIN submission_procedure p ON p.submission_id = s.id
			JOIN submission_state st ON st.submission_id = s.id
			WHERE s.id `+engine.InNumbers+`
			AND p.code IN (`+placeholders(len(q.Codes))+`) AND st.state NOT IN ('refused', 'withdrawn', 'resent')
			ORDER BY s.created_at DESC, s.id DESC, p.position`, args...)
	})
}

// scanRepeat reads one procedure of an earlier submission for the same card.
func scanRepeat(rows engine.Row) (r desk.Repeat, err error) {
	err = rows.Scan(append([]any{engine.ScanUID(&r.Case), engine.ScanUID(&r.Unit), engine.ScanUID(&r.Credential), &r.Code, &r.Quantity,
		&r.Procedures, engine.ScanTime(&r.SentAt), &r.Senha}, stateTargets(&r.CaseState)...)...)
	return r, err
}

// placeholders returns ?, ?, ? for an IN list; NULL, which nothing equals, for
// an empty one.
func placeholders(n int) string {
	if n == 0 {
		return "NULL"
	}
	return "?" + strings.Repeat(", ?", n-1)
}
