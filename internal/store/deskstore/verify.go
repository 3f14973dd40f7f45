package deskstore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"guiche/internal/problem"
	"guiche/internal/sqlite"
	"guiche/internal/store/checksum"
)

// part are the rows of one table that belong to a case: a condition on the number of its
// submission.
type part struct {
	table checksum.Table
	where string
}

// ofRequest are what is sent, and what an attempt rests on.
var ofRequest = []part{
	{submissionTable, `id = ?`},
	{stateTable, `submission_id = ?`},
	{submissionProcedureTable, `submission_id = ?`},
	{submissionAttachmentTable, `submission_id = ?`},
	{attemptTable, `submission_id = ?`},
	{exchangeTable, `attempt_id IN (SELECT id FROM attempt WHERE submission_id = ?)`},
	{eventTable, `submission_id = ?`},
}

// ofAnswer are what came back, and what people recorded.
var ofAnswer = []part{
	{answerTable, `submission_id = ?`},
	{authorizationTable, `answer_id IN (SELECT id FROM answer WHERE submission_id = ?)`},
	{authorizationProcedureTable, `authorization_id IN (SELECT z.id FROM answer a JOIN authorization z ON z.answer_id = a.id
		WHERE a.submission_id = ?)`},
	{answerErrorTable, `answer_id IN (SELECT id FROM answer WHERE submission_id = ?)`},
	{decisionTable, `submission_id = ?`},
}

// verify compares rows of a submission with their checksums.
func (s *Store) verify(ctx context.Context, tx *sqlite.Tx, id int64, parts ...part) error {
	for _, p := range parts {
		if err := p.table.Verify(ctx, tx, p.where, id); err != nil {
			return s.noted(err)
		}
	}
	return nil
}

// whole leaves out the submissions whose rows are damaged.
func (s *Store) whole(ctx context.Context, tx *sqlite.Tx, ids []int64, parts ...part) (all []int64, err error) {
	for _, id := range ids {
		switch err := s.verify(ctx, tx, id, parts...); {
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

// wholeList is whole as a list for json_each.
func (s *Store) wholeList(ctx context.Context, tx *sqlite.Tx, ids []int64, parts ...part) (string, error) {
	all, err := s.whole(ctx, tx, ids, parts...)
	if err != nil {
		return "", err
	}
	return jsonList(all)
}

// jsonList writes numbers for json_each.
func jsonList(ids []int64) (string, error) {
	list, err := json.Marshal(append([]int64{}, ids...)) // no null
	if err != nil {
		return "", fmt.Errorf("deskstore: %w", err)
	}
	return string(list), nil
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
