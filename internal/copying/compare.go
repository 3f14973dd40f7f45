package copying

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"

	"guiche/internal/store/engine"
)

// Compared is what a comparison of two databases found.
type Compared struct {
	Tables, Rows int
	Differing    []Difference
}

// Difference is a table of which rows differ.
type Difference struct {
	Table string
	Rows  int
}

// Compare reads all rows of both databases and compares every value of them.
func (h Half) Compare(ctx context.Context) (c Compared, err error) {
	all, err := h.tables(ctx)
	if err != nil {
		return c, err
	}
	for _, t := range all {
		found, err := h.compareTable(ctx, t)
		if err != nil {
			return c, fmt.Errorf("copying: compare %s: %w", t.Name, err)
		}
		c.Tables, c.Rows = c.Tables+1, c.Rows+found.read
		if found.differing > 0 {
			c.Differing = append(c.Differing, Difference{t.Name, found.differing})
		}
	}
	return c, nil
}

// counted is how many rows the source has, and how many rows are not the same in both.
type counted struct{ read, differing int }

func (h Half) compareTable(ctx context.Context, t engine.Table) (counted, error) {
	return engine.Get(ctx, h.From, func(from *engine.Tx) (counted, error) {
		return engine.Get(ctx, h.To, func(to *engine.Tx) (counted, error) { return compareRows(ctx, from, to, t) })
	})
}

func compareRows(ctx context.Context, from, to *engine.Tx, t engine.Table) (c counted, err error) {
	a, err := reading(ctx, from, t)
	if err != nil {
		return c, err
	}
	defer a.close()
	b, err := reading(ctx, to, t)
	if err != nil {
		return c, err
	}
	defer b.close()
	a.next()
	b.next()
	for a.row != nil || b.row != nil {
		order := a.compare(b)
		if order != 0 || !slices.EqualFunc(a.row, b.row, sameValue) {
			c.differing++
		}
		if order <= 0 {
			c.read++
			a.next()
		}
		if order >= 0 {
			b.next()
		}
	}
	return c, cmp.Or(a.err, b.err)
}

// reader reads a table in the order of its keys.
type reader struct {
	rows *engine.Rows
	scan func(engine.Row) ([]any, error)
	key  int   // columns of it
	row  []any // nil behind the last one
	err  error
}

func reading(ctx context.Context, tx *engine.Tx, t engine.Table) (*reader, error) {
	rows, err := tx.Query(ctx, selectOf(t))
	if err != nil {
		return nil, engine.Error(err)
	}
	return &reader{rows: rows, scan: scanner(t), key: len(t.Key)}, nil
}

func (r *reader) next() {
	r.row = nil
	if r.err == nil && r.rows.Next() {
		r.row, r.err = r.scan(r.rows)
		return
	}
	r.err = cmp.Or(r.err, r.rows.Err())
}

func (r *reader) close() { _ = r.rows.Close() } // err has what went wrong

// compare tells which row comes first: behind the last one is last.
func (r *reader) compare(other *reader) int {
	switch {
	case other.row == nil && r.row == nil:
		return 0
	case other.row == nil:
		return -1
	case r.row == nil:
		return 1
	}
	return slices.CompareFunc(r.row[:r.key], other.row[:r.key], compareValues)
}

// compareValues compares parts of keys, which are of the same kind on both sides.
func compareValues(a, b any) int {
	switch a := a.(type) {
	case int64:
		if b, ok := b.(int64); ok {
			return cmp.Compare(a, b)
		}
	case string:
		if b, ok := b.(string); ok {
			return cmp.Compare(a, b)
		}
	case []byte:
		if b, ok := b.([]byte); ok {
			return bytes.Compare(a, b)
		}
	}
	return cmp.Compare(fmt.Sprintf("%T", a), fmt.Sprintf("%T", b))
}

func sameValue(a, b any) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return compareValues(a, b) == 0
}
