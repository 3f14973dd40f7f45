package deskstore

import (
	"context"

	"guiche/internal/problem"
	"guiche/internal/store/caselist"
	"guiche/internal/store/checksum"
	"guiche/internal/store/engine"
)

// CheckLists compares what lists are read from with the cases that it was made from, and
// names the rows that differ. Next is as in checksum.Check.
func (s *Store) CheckLists(ctx context.Context, next func() error) (differing []checksum.Row, err error) {
	found := func(r checksum.Row) { differing = append(differing, r) }
	if err = caselist.Check(ctx, s.db, found, next); err == nil {
		err = s.checkKnown(ctx, found, next)
	}
	if err == nil {
		err = s.checkUses(ctx, found, next)
	}
	return differing, err
}

// IsLost reports whether a row that CheckLists names is a case that is gone, and not what could be made
// again from one.
func IsLost(row checksum.Row) bool { return row.Table == caselist.LostCase }

// IsBack reports whether a case that CheckLists named as gone is there again; false for any other name.
func (s *Store) IsBack(ctx context.Context, name string) (back bool, err error) {
	_, row, lost := checksum.Named([]checksum.Table{{Name: caselist.LostCase, Key: []string{"id"}}}, name)
	if !lost {
		return false, nil
	}
	err = s.db.Read(ctx, func(tx *engine.Tx) error {
		return engine.Error(tx.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM submission s JOIN submission_state st
			ON st.submission_id = s.id WHERE s.id = ?)`, row.Key...).Scan(&back))
	})
	return back, err
}

// RepairLists makes rows that differ again from their cases, and returns those that it made.
// Of a case that is damaged itself, or gone, nothing is made.
func (s *Store) RepairLists(ctx context.Context, differing []checksum.Row) (repaired []checksum.Row, err error) {
	err = s.db.Write(ctx, func(tx *engine.Tx) error {
		repaired = nil
		var ids []int64
		var known []checksum.Row
		for _, row := range differing {
			if IsLost(row) { // what lists tell of it may be all there is
				continue
			}
			if row.Table == knownTable {
				known = append(known, row)
				continue
			}
			if row.Table != caselist.CounterTable && row.Table != caselist.ValueTable { // a row of one case
				id, _ := row.Key[0].(int64) // the key is always a number
				err := s.verify(ctx, tx, id, wholeCase)
				if problem.Is(err, problem.Damaged) {
					continue
				}
				if err != nil {
					return err
				}
				ids = append(ids, id)
			}
			repaired = append(repaired, row)
		}
		if err := caselist.Rebuild(ctx, tx, ids); err != nil {
			return err
		}
		again, err := s.repairKnown(ctx, tx, known)
		repaired = append(repaired, again...)
		return err
	})
	return repaired, err
}
