package deskstore

import (
	"database/sql"
	"slices"

	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/store/checksum"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// The columns that a case is made of.
var (
	caseColumns = wholeCase.Columns(submissionTable, "id", slices.Concat(
		[]string{"uid", "created_at", "sender", "previous_uid", "copy_kind"}, nameColumns, requestColumns)...)
	caseStateColumns = wholeCase.Columns(stateTable, "submission_id", "state", "status", "queue_group", "origin", "changed_at", "reason",
		"alert", "simulated", "corrected", "doubtful", "unit_uid", "deadline_at", "due_at", "authorizations", "authorized", "items",
		"items_authorized", "password", "password_until")
	caseProcedureColumns  = wholeCase.Columns(submissionProcedureTable, "position", "code", "name", "quantity")
	caseAttachmentColumns = wholeCase.Columns(submissionAttachmentTable, "position", "uid", "name", "content_type", "size", "blob")
	caseAttemptColumns    = wholeCase.Columns(attemptTable, "number", "id", "number", "started_at", "service")
	caseExchangeColumns   = wholeCase.Columns(exchangeTable, "attempt_id", "attempt_id", "started_at", "ended_at", "sent_bytes", "http_status",
		"failure")
	caseEventColumns = wholeCase.Columns(eventTable, "id", "id", "at", "kind", "actor", "attempt", "reason")
	caseActColumns   = wholeCase.Columns(actTable, "id", "uid", "kind", "place", "guide_id", "status", "reason", "state", "actor", "asked_at",
		"until", "ended_at", "message", "file_first", "file_count")
	caseNoteColumns     = wholeCase.Columns(noteTable, "id", "event_id", "contact", "call_protocol", "note")
	caseDecisionColumns = wholeCase.Columns(decisionTable, "id", "at", "actor", "contact", "call_protocol", "note", "resent_id")
)

// fillCase makes a case of its rows and of what surrounds them.
func fillCase(rows checksum.Rows, around surroundings, c *desk.Case) error {
	parts := []func(checksum.Rows, surroundings, *desk.Case) error{
		readSubmission, readState, readProcedures, readAnswered, readAttempts, readDecisions, readActs, readEvents}
	for _, read := range parts {
		if err := read(rows, around, c); err != nil {
			return engine.Error(err)
		}
	}
	c.Corrections, c.Repetitions, c.ResendOf = around.corrections, around.repetitions, around.resendOf
	c.FollowAt, c.FollowedAt = engine.Time(max(0, around.followAt)), engine.Time(around.followedAt) // below zero: left off
	return nil
}

// one scans the only row of a table.
func one(rows checksum.Rows, of checksum.Columns, targets []any) error {
	all, err := checksum.Scan(rows, of, func(row engine.Row) (struct{}, error) { return struct{}{}, row.Scan(targets...) })
	if err == nil && len(all) == 0 {
		err = sql.ErrNoRows
	}
	return err
}

// readSubmission reads what was sent, and by whom.
func readSubmission(rows checksum.Rows, around surroundings, c *desk.Case) (err error) {
	r := &c.Request
	err = one(rows, caseColumns, slices.Concat([]any{engine.ScanUID(&c.UID), engine.ScanTime(&c.CreatedAt), engine.ScanUID(&c.Sender.User),
		engine.ScanUID(&c.Previous), &c.Copy}, nameTargets(&c.Names), requestTargets(r)))
	if err != nil {
		return err
	}
	c.Sender.Name, c.Credential = around.names[c.Sender.User], c.Names.Credential
	c.ProviderGuide, c.BeneficiaryName, c.CardNumber, c.PatientPresent = r.ProviderGuide, r.BeneficiaryName, r.CardNumber, r.PatientPresent
	c.Attachments, err = checksum.Scan(rows, caseAttachmentColumns, scanAttachment)
	for _, a := range c.Attachments {
		r.Attachments = append(r.Attachments, a.Attachment)
	}
	return err
}

// readState reads how the case stands.
func readState(rows checksum.Rows, _ surroundings, c *desk.Case) error {
	return one(rows, caseStateColumns, append(stateTargets(&c.CaseState), engine.ScanUID(&c.UnitID), engine.ScanTime(&c.Deadline),
		engine.ScanTime(&c.Due), &c.Authorizations, &c.Authorized, &c.Items, &c.ItemsAuthorized, &c.Senha, (*localTime)(&c.SenhaValidUntil)))
}

// readProcedures reads what was asked for; the first one stands for all in a list.
func readProcedures(rows checksum.Rows, _ surroundings, c *desk.Case) (err error) {
	if c.Request.Procedures, err = checksum.Scan(rows, caseProcedureColumns, scanProcedure); err != nil {
		return err
	}
	if c.Procedures = len(c.Request.Procedures); c.Procedures == 0 {
		return sql.ErrNoRows
	}
	c.ProcedureCode, c.ProcedureName = c.Request.Procedures[0].Code, c.Request.Procedures[0].Name
	return nil
}

// readAnswered reads all answers; the latest is in force.
func readAnswered(rows checksum.Rows, _ surroundings, c *desk.Case) (err error) {
	if c.Answers, c.Fields, err = answersOf(rows); err != nil || len(c.Answers) == 0 {
		return err
	}
	c.Answer = &c.Answers[len(c.Answers)-1].Answer
	c.HasGuide = c.Answer.GuidePDF != "" ||
		slices.ContainsFunc(c.Answer.Authorizations, func(a authorization.Authorization) bool { return a.GuidePDF != "" })
	return nil
}

// readAttempts reads the attempts, each with what came of it; EndedAt is zero while it runs.
func readAttempts(rows checksum.Rows, _ surroundings, c *desk.Case) error {
	exchanges := map[int64]desk.Attempt{}
	_, err := checksum.Scan(rows, caseExchangeColumns, func(row engine.Row) (none struct{}, err error) {
		var id int64
		var a desk.Attempt
		err = row.Scan(&id, engine.ScanTime(&a.StartedAt), engine.ScanTime(&a.EndedAt), &a.SentBytes, &a.HTTPStatus, &a.Failure)
		exchanges[id] = a
		return none, err
	})
	if err != nil {
		return err
	}
	c.Attempts, err = checksum.Scan(rows, caseAttemptColumns, func(row engine.Row) (a desk.Attempt, err error) {
		var id int64
		err = row.Scan(&id, &a.Number, engine.ScanTime(&a.StartedAt), &c.SentTo) // of the latest in the end
		if made, ok := exchanges[id]; ok {
			made.Number = a.Number
			a = made
		}
		return a, err
	})
	return err
}

// readDecisions reads what people recorded of a submission, with the names that they have
// today.
func readDecisions(rows checksum.Rows, around surroundings, c *desk.Case) (err error) {
	c.Decisions, err = checksum.Scan(rows, caseDecisionColumns, func(row engine.Row) (d desk.Decision, err error) {
		var resent sql.NullInt64
		err = row.Scan(engine.ScanTime(&d.At), engine.ScanUID(&d.By.User), &d.Contact, &d.CallProtocol, &d.Note, &resent)
		d.By.Name = around.names[d.By.User]
		if resent.Valid {
			d.Resent = around.resent[resent.Int64]
		}
		return d, err
	})
	return err
}

// readEvents reads the case's history. The actor's name is the one known today, empty for
// what the desk did itself. What a person wrote with an event stands in rows of its own.
func readEvents(rows checksum.Rows, around surroundings, c *desk.Case) error {
	notes := map[int64]desk.Inquiry{}
	_, err := checksum.Scan(rows, caseNoteColumns, func(row engine.Row) (none struct{}, err error) {
		var event int64
		var q desk.Inquiry
		err = row.Scan(&event, &q.Contact, &q.CallProtocol, &q.Note)
		notes[event] = q
		return none, err
	})
	if err != nil {
		return err
	}
	c.Events, err = checksum.Scan(rows, caseEventColumns, func(row engine.Row) (e desk.Event, err error) {
		var id int64
		err = row.Scan(&id, engine.ScanTime(&e.At), &e.Kind, engine.ScanUID(&e.Actor.User), &e.Attempt, &e.Reason)
		e.Note = notes[id]
		if e.Actor.User != uuid.Nil {
			e.Actor.Name = around.names[e.Actor.User]
		}
		return e, err
	})
	return err
}
