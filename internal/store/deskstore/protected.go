package deskstore

import (
	"context"
	"database/sql"
	"slices"

	"github.com/google/uuid"

	"guiche/internal/desk"
	"guiche/internal/problem"
	"guiche/internal/store/caselist"
	"guiche/internal/store/checksum"
	"guiche/internal/store/engine"
)

// The tables whose rows carry checksums. All writing to them is theirs.
var (
	submissionTable = checksum.Table{Name: "submission", Key: []string{"id"}, Columns: slices.Concat(
		[]string{"uid", "token", "sender", "previous_uid", "idempotency_key", "created_at", "deadline_at", "x_request_id", "copy_kind"},
		requestColumns, nameColumns)}
	submissionProcedureTable = checksum.Table{Name: "submission_procedure", Key: []string{"submission_id", "position"},
		Columns: []string{"code", "name", "quantity"}}
	submissionAttachmentTable = checksum.Table{Name: "submission_attachment", Key: []string{"id"},
		Columns: []string{"uid", "submission_id", "position", "name", "content_type", "size", "blob"}}
	stateTable = checksum.Table{Name: "submission_state", Key: []string{"submission_id"}, Columns: []string{
		"unit_uid", "state", "status", "queue_group", "origin", "changed_at", "reason", "alert", "doubtful", "attempt", "due_at",
		"deadline_at", "lease", "simulated", "authorizations", "items", "items_authorized", "password", "password_until",
		"authorized", "corrected"}}
	attemptTable = checksum.Table{Name: "attempt", Key: []string{"id"},
		Columns: []string{"submission_id", "number", "lease", "started_at", "service", "keyed"}}
	exchangeTable = checksum.Table{Name: "exchange", Key: []string{"attempt_id"}, Columns: []string{
		"started_at", "ended_at", "sent_bytes", "http_status", "content_type", "retry_after", "body", "body_size", "complete", "failure"}}
	answerTable = checksum.Table{Name: "answer", Key: []string{"id"},
		Columns: []string{"submission_id", "attempt", "read_at", "success", "guide_pdf", "receipt_pdf"}}
	authorizationTable = checksum.Table{Name: "authorization", Key: []string{"id"}, Columns: []string{
		"answer_id", "position", "number", "success", "status", "guide_id", "guide_number", "password", "password_until",
		"protocol", "provider_guide", "partner_guide", "request_number", "authorized_at", "guide_pdf", "recorded"},
		Later: map[string]any{"recorded": int64(0)}}
	authorizationProcedureTable = checksum.Table{Name: "authorization_procedure", Key: []string{"authorization_id", "position"},
		Columns: []string{"code", "name", "quantity", "authorized", "executed", "password", "protocol", "justification", "mnemonic"}}
	answerErrorTable = checksum.Table{Name: "answer_error", Key: []string{"answer_id", "place", "position"},
		Columns: []string{"code", "field", "message"}}
	eventTable = checksum.Table{Name: "submission_event", Key: []string{"id"},
		Columns: []string{"submission_id", "at", "kind", "actor", "attempt", "reason"}}
	decisionTable = checksum.Table{Name: "decision", Key: []string{"id"},
		Columns: []string{"submission_id", "at", "actor", "contact", "call_protocol", "note", "answer_id", "resent_id"}}
	actTable = checksum.Table{Name: "act", Key: []string{"id"}, Columns: []string{"uid", "submission_id", "kind", "place", "guide_id",
		"status", "reason", "state", "actor", "asked_at", "until", "ended_at", "message", "file_first", "file_count"},
		Later: map[string]any{"file_first": int64(0), "file_count": int64(0)}}
	noteTable = checksum.Table{Name: "case_note", Key: []string{"id"},
		Columns: []string{"submission_id", "event_id", "contact", "call_protocol", "note"}}
)

// ProtectedTables are the tables of guiche.db whose rows carry checksums.
func ProtectedTables() []checksum.Table {
	return []checksum.Table{
		submissionTable, submissionProcedureTable, submissionAttachmentTable, stateTable, attemptTable, exchangeTable,
		answerTable, authorizationTable, authorizationProcedureTable, answerErrorTable, eventTable, decisionTable, actTable, noteTable,
		caselist.Table,
	}
}

// changeState changes the state of a submission, if the condition holds for it, and what
// lists show of it: more is what else changes there.
func changeState(ctx context.Context, tx *engine.Tx, id int64, c checksum.Change, more ...func(*caselist.Row)) (bool, error) {
	values, err := stateTable.UpdateReturning(ctx, tx, []any{id}, c)
	if err != nil || values == nil {
		return false, err
	}
	return true, changeSummary(ctx, tx, id, values, more...)
}

// moveState changes the state of a case, if the condition holds for it, and returns its
// number; problem.NotFound when it does not.
func moveState(ctx context.Context, tx *engine.Tx, uid uuid.UUID, c checksum.Change,
	more ...func(*caselist.Row)) (id int64, err error) {
	err = tx.QueryRow(ctx, `SELECT id FROM submission WHERE uid = ?`, engine.UID(uid)).Scan(&id)
	if err != nil {
		return 0, engine.Error(err)
	}
	changed, err := changeState(ctx, tx, id, c, more...)
	if err == nil && !changed {
		err = engine.Error(sql.ErrNoRows)
	}
	return id, err
}

// changeStates changes the states that a query of numbers finds, and returns those that it
// changed. What is damaged stays as it is.
func (s *Store) changeStates(ctx context.Context, tx *engine.Tx, c checksum.Change, query string,
	args ...any) (changed []int64, err error) {
	ids, err := engine.List(ctx, tx, scanID, query, args...)
	for _, id := range ids {
		ok, err := changeState(ctx, tx, id, c)
		switch {
		case problem.Is(s.noted(err), problem.Damaged):
		case err != nil:
			return nil, err
		case ok:
			changed = append(changed, id)
		}
	}
	return changed, err
}

// beginState writes the state of a submission that begins, with its first attempt under way
// where there is a lease, and returns what lists show of it.
func beginState(ctx context.Context, tx *engine.Tx, id int64, sub desk.Submission, lease uuid.UUID) (caselist.State, error) {
	now, none := engine.Micros(tx.Now), 0
	state, attempt, due := desk.Queued, 0, now
	if lease != uuid.Nil {
		state, attempt, due = desk.Sending, 1, 0
	}
	group := desk.GroupOf(state, "")
	err := stateTable.Insert(ctx, tx, id, engine.UID(sub.Request.UnitID), state, "", group, desk.OriginDesk, now,
		"", "", false, attempt, due, engine.Micros(sub.Deadline), engine.UID(lease), sub.Simulated, none, none, none, "", "", none, false)
	return caselist.State{State: string(state), Group: int64(group), Origin: string(desk.OriginDesk), ChangedAt: now,
		Simulated: sub.Simulated}, err
}
