package deskstore

import (
	"context"

	"guiche/internal/problem"
	"guiche/internal/store/caselist"
	"guiche/internal/store/checksum"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// ownerOf finds the submission of a row by the first part of its key.
var ownerOf = map[string]string{
	submissionTable.Name:             `?`,
	stateTable.Name:                  `?`,
	submissionProcedureTable.Name:    `?`,
	submissionAttachmentTable.Name:   `(SELECT submission_id FROM submission_attachment WHERE id = ?)`,
	attemptTable.Name:                `(SELECT submission_id FROM attempt WHERE id = ?)`,
	exchangeTable.Name:               `(SELECT submission_id FROM attempt WHERE id = ?)`,
	answerTable.Name:                 `(SELECT submission_id FROM answer WHERE id = ?)`,
	authorizationTable.Name:          `(SELECT a.submission_id FROM "authorization" z JOIN answer a ON a.id = z.answer_id WHERE z.id = ?)`,
	authorizationProcedureTable.Name: `(SELECT a.submission_id FROM "authorization" z JOIN answer a ON a.id = z.answer_id WHERE z.id = ?)`,
	answerErrorTable.Name:            `(SELECT submission_id FROM answer WHERE id = ?)`,
	eventTable.Name:                  `(SELECT submission_id FROM submission_event WHERE id = ?)`,
	decisionTable.Name:               `(SELECT submission_id FROM decision WHERE id = ?)`,
	actTable.Name:                    `(SELECT submission_id FROM act WHERE id = ?)`,
	noteTable.Name:                   `(SELECT submission_id FROM case_note WHERE id = ?)`,
	caselist.Table.Name:              `?`,
	caselist.LostCase:                `?`,
}

// CaseOfRow returns the case that a damaged row belongs to, as far as can be told; the
// zero identifier otherwise.
func (s *Store) CaseOfRow(ctx context.Context, row checksum.Row) (uid uuid.UUID, err error) {
	owner, ok := ownerOf[row.Table]
	if !ok || len(row.Key) == 0 {
		return uuid.Nil, nil
	}
	err = s.db.Read(ctx, func(tx *engine.Tx) error {
		return engine.Error(tx.QueryRow(ctx, `SELECT uid FROM submission WHERE id = `+owner, row.Key[0]).Scan(engine.ScanUID(&uid)))
	})
	if problem.Is(err, problem.NotFound) {
		err = nil
	}
	return uid, err
}
