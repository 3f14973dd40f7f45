package servicestore

import (
	"context"
	"strings"

	"guiche/internal/store/engine"
)

// nameIndex is what credentials are searched by, in the order in which they are
// listed. It never changes; after a change of the credentials another is read.
type nameIndex struct {
	changes int64 // credential_changes.count when it was read
	rows    []nameRow
}

type nameRow struct {
	id       int64
	disabled bool
	searched string // name and code, folded
}

// raiseChanges tells every process that credentials are others than before. Whoever
// writes one calls it in the same transaction.
func raiseChanges(ctx context.Context, tx *engine.Tx) error {
	return exec(ctx, tx, `UPDATE credential_changes SET count = count + 1`)
}

// currentNames returns the index of the credentials that tx sees.
func (s *Store) currentNames(ctx context.Context, tx *engine.Tx) (*nameIndex, error) {
	var changes int64
	if err := tx.QueryRow(ctx, `SELECT count FROM credential_changes`).Scan(&changes); err != nil {
		return nil, err
	}
	s.reading.Lock() // of searches at the same moment one reads for all
	defer s.reading.Unlock()
	if s.names != nil && s.names.changes == changes {
		return s.names, nil
	}
	rows, err := engine.List(ctx, tx, func(r engine.Row) (n nameRow, err error) {
		err = r.Scan(&n.id, &n.disabled, &n.searched)
		return n, err
	}, `SELECT id, disabled <> 0, searched FROM credential ORDER BY sort_name, id`)
	if err != nil {
		return nil, err
	}
	names := &nameIndex{changes: changes, rows: rows}
	if s.names == nil || s.names.changes < changes { // tx may see less than the latest
		s.names = names
	}
	return names, nil
}

// find returns a page of the credentials that hold every word, and how many do.
func (x *nameIndex) find(words []string, disabled bool, first, size int) (ids []int64, total int) {
	for i := range x.rows {
		row := &x.rows[i]
		if row.disabled && !disabled || !holdsAll(row.searched, words) {
			continue
		}
		if total >= first && len(ids) < size {
			ids = append(ids, row.id)
		}
		total++
	}
	return ids, total
}

func holdsAll(text string, words []string) bool {
	for _, word := range words {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}
