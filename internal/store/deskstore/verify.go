package deskstore

import (
	"context"
	"errors"
	"slices"

	"guiche/internal/problem"
	"guiche/internal/store/checksum"
	"guiche/internal/store/engine"
)

// ofRequest are what is sent, and what an attempt rests on.
var ofRequest = checksum.NewGroup(
	checksum.Part{Table: submissionTable, Where: `id = ?`},
	checksum.Part{Table: stateTable, Where: `submission_id = ?`},
	checksum.Part{Table: submissionProcedureTable, Where: `submission_id = ?`},
	checksum.Part{Table: submissionAttachmentTable, Where: `submission_id = ?`},
	checksum.Part{Table: attemptTable, Where: `submission_id = ?`},
	checksum.Part{Table: exchangeTable, Where: `attempt_id IN (SELECT id FROM attempt WHERE submission_id = ?)`,
		Joined: `attempt k ON k.id = attempt_id WHERE k.submission_id = ?`},
	checksum.Part{Table: eventTable, Where: `submission_id = ?`},
)

// wholeCase are these, what came back, and what people recorded.
var wholeCase = checksum.NewGroup(append(slices.Clone(ofRequest.Parts),
	checksum.Part{Table: answerTable, Where: `submission_id = ?`},
	checksum.Part{Table: authorizationTable, Where: `answer_id IN (SELECT id FROM answer WHERE submission_id = ?)`,
		Joined: `answer k ON k.id = answer_id WHERE k.submission_id = ?`},
	checksum.Part{Table: authorizationProcedureTable, Where: `authorization_id IN (SELECT z.id FROM answer a
		JOIN "authorization" z ON z.answer_id = a.id WHERE a.submission_id = ?)`,
		Joined: `"authorization" z ON z.id = authorization_id JOIN answer k ON k.id = z.answer_id WHERE k.submission_id = ?`},
	checksum.Part{Table: answerErrorTable, Where: `answer_id IN (SELECT id FROM answer WHERE submission_id = ?)`,
		Joined: `answer k ON k.id = answer_id WHERE k.submission_id = ?`},
	checksum.Part{Table: decisionTable, Where: `submission_id = ?`},
	checksum.Part{Table: actTable, Where: `submission_id = ?`},
	checksum.Part{Table: noteTable, Where: `submission_id = ?`},
)...)

// verify compares rows of a submission with their checksums.
func (s *Store) verify(ctx context.Context, tx *engine.Tx, id int64, of *checksum.Group) error {
	if whole, err := of.Whole(ctx, tx, id); whole || err != nil {
		return err
	}
	return s.verifyEach(ctx, tx, id, of)
}

// verified is verify that returns the rows.
func (s *Store) verified(ctx context.Context, tx *engine.Tx, id int64, of *checksum.Group) (checksum.Rows, error) {
	rows, whole, err := of.Read(ctx, tx, id)
	if whole || err != nil {
		return rows, err
	}
	return rows, s.verifyEach(ctx, tx, id, of)
}

// verifyEach compares the rows of each table, and names those that are damaged.
func (s *Store) verifyEach(ctx context.Context, tx *engine.Tx, id int64, of *checksum.Group) error {
	for _, p := range of.Parts {
		if err := p.Table.Verify(ctx, tx, p.Where, id); err != nil {
			return s.noted(err)
		}
	}
	return nil
}

// whole leaves out the submissions whose rows are damaged.
func (s *Store) whole(ctx context.Context, tx *engine.Tx, ids []int64, of *checksum.Group) (all []int64, err error) {
	for _, id := range ids {
		switch err := s.verify(ctx, tx, id, of); {
		case problem.Is(err, problem.Damaged):
			s.damaged.Store(id, true)
		case err != nil:
			return nil, err
		default:
			all = append(all, id)
		}
	}
	return all, nil
}

// OnDamage has f told of every damaged row that is read, again each time. It is called
// within a transaction and must not wait.
func (s *Store) OnDamage(f func(checksum.Row)) { s.onDamage = f }

// Found tells of a damaged row.
func (s *Store) Found(row checksum.Row) { s.note([]checksum.Row{row}) }

func (s *Store) note(damaged []checksum.Row) {
	for _, row := range damaged {
		if s.onDamage != nil {
			s.onDamage(row)
		}
	}
}

// noted tells of the damaged rows that an error is about, and returns it.
func (s *Store) noted(err error) error {
	var damaged *checksum.DamagedError
	if errors.As(err, &damaged) {
		s.note(damaged.Rows)
	}
	return err
}
