package caselist

import (
	"context"
	"slices"

	"guiche/internal/store/checksum"
	"guiche/internal/store/engine"
)

// Ending lists cases to be attended whose senha ends from one day to another, the first
// first.
func (q Queue) Ending(ctx context.Context, tx *engine.Tx, found func(checksum.Row), from, until string) ([]Row, error) {
	if rows, whole, err := q.endingWhole(ctx, tx, from, until); whole || err != nil {
		return rows, err
	}
	query, args := q.endingQuery(tx, placesAlone, from, until)
	places, err := engine.List(ctx, tx, func(row engine.Row) (p position, err error) {
		err = row.Scan(&p.id)
		return p, err
	}, query, args...)
	if err != nil {
		return nil, err
	}
	return readPlaces(ctx, tx, found, places)
}

// endingWhole reads what Ending lists if it is all as it was written.
func (q Queue) endingWhole(ctx context.Context, tx *engine.Tx, from, until string) (rows []Row, whole bool, err error) {
	query, args := q.endingQuery(tx, rowsShown, from, until)
	s := newShownRows(min(q.Limit, usual))
	if err := s.list(ctx, tx, query, args); err != nil || !s.whole || len(s.rows) == 0 {
		return nil, s.whole, err
	}
	known, err := damagedCases(ctx, tx)
	return s.rows, !slices.ContainsFunc(s.rows, func(r Row) bool { return slices.Contains(known, r.UID) }), err
}

// AheadOfEnding tells of what Ending asks.
func (q Queue) AheadOfEnding(tx *engine.Tx, from, until string) {
	query, args := q.endingQuery(tx, rowsShown, from, until)
	tx.Ahead(query, args...)
}

func (q Queue) endingQuery(tx *engine.Tx, what string, from, until string) (query string, args []any) {
	of, units := within(q.Units)
	query = `SELECT ` + what + ` FROM queue_case q` + tx.By(`queue_case_ends`) +
		` WHERE q.ends <> '' AND q.ends >= ? AND q.ends < ?` + of + ` ORDER BY q.ends, q.submission_id LIMIT ?`
	return query, append(append([]any{from, until}, units...), q.Limit)
}
