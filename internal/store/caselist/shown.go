package caselist

import (
	"context"

	"guiche/internal/store/engine"
)

// shownRows are rows as the queue shows them.
type shownRows struct {
	rows  []Row
	read  int  // how many there were
	whole bool // all of them are as they were written, and among the rows

	row     Row // at hand
	packed  []byte
	columns []any // of a query: what is packed, and others
	targets []any // of what is packed
}

func newShownRows(most int) *shownRows {
	s := &shownRows{rows: make([]Row, 0, most), whole: true}
	s.columns, s.targets = []any{&s.packed}, s.row.targets()
	return s
}

// list adds the rows that a query for the columns finds.
func (s *shownRows) list(ctx context.Context, tx *engine.Tx, query string, args []any) error {
	_, err := engine.List(ctx, tx, func(row engine.Row) (none struct{}, err error) {
		s.read++
		if s.whole = s.whole && row.Scan(s.columns...) == nil && reader.Unpack(s.packed, s.targets); s.whole {
			s.rows = append(s.rows, s.row)
		}
		return none, nil
	}, query, args...)
	return err
}
