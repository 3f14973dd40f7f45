package checksum

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"reflect"
	"slices"

	"guiche/internal/store/engine"
)

// Rows are the rows of a group as they were read.
type Rows struct{ parts [][][]any } // of each part its rows, the values of Key and Columns

// Read is Whole that returns the rows too, whether they are whole or not.
func (g *Group) Read(ctx context.Context, tx *engine.Tx, number int64) (rows Rows, whole bool, err error) {
	parts := make([][][]any, len(g.Parts))
	whole, err = g.read(ctx, tx, number, func(place int, values []any) {
		parts[place] = append(parts[place], slices.Clone(values))
	})
	return Rows{parts}, whole, err
}

// Columns are some columns of a table of a group, and the one by which its rows are sorted.
type Columns struct {
	table  string
	part   int
	order  int
	places []int
}

// Columns chooses columns of a table of the group. Rows are sorted by a number.
func (g *Group) Columns(t Table, order string, names ...string) Columns {
	all := t.columns()
	c := Columns{table: t.Name, order: slices.Index(all, order), places: make([]int, len(names))}
	c.part = slices.IndexFunc(g.Parts, func(p Part) bool { return p.Table.Name == t.Name })
	for i, name := range names {
		c.places[i] = slices.Index(all, name)
	}
	return c
}

// Scan scans each row of a table as engine.List does.
func Scan[T any](rows Rows, of Columns, scan func(engine.Row) (T, error)) ([]T, error) {
	sorted := slices.Clone(rows.parts[of.part])
	slices.SortStableFunc(sorted, func(a, b []any) int { return cmp.Compare(of.number(a), of.number(b)) })
	var all []T
	for _, values := range sorted {
		item, err := scan(record{of, values})
		if err != nil {
			return nil, err
		}
		all = append(all, item)
	}
	return all, nil
}

// number is what a row is sorted by.
func (c Columns) number(values []any) int64 {
	if c.order >= len(values) {
		return 0
	}
	n, _ := values[c.order].(int64)
	return n
}

// record is a row of which some columns are scanned.
type record struct {
	of     Columns
	values []any
}

// Scan implements engine.Row.
func (r record) Scan(targets ...any) error {
	if len(targets) != len(r.of.places) {
		return fmt.Errorf("checksum: %d columns of %s are not %d", len(r.of.places), r.of.table, len(targets))
	}
	for i, place := range r.of.places {
		if place < 0 || place >= len(r.values) {
			return fmt.Errorf("checksum: a row of %s has no such column", r.of.table)
		}
		if err := assign(targets[i], r.values[place]); err != nil {
			return fmt.Errorf("checksum: column %d of %s: %w", i, r.of.table, err)
		}
	}
	return nil
}

// assign gives a target a value as it was stored; what is no target of its kind is an error.
func assign(target, value any) error {
	switch to := target.(type) { // most are one of these, without a look at their types
	case *string:
		if v, ok := value.(string); ok {
			*to = v
			return nil
		}
	case *int64:
		if v, ok := value.(int64); ok {
			*to = v
			return nil
		}
	case *int:
		if v, ok := value.(int64); ok {
			*to = int(v)
			return nil
		}
	}
	return assignOther(target, value)
}

// assignOther is assign for targets of all types.
func assignOther(target, value any) error {
	if s, ok := target.(sql.Scanner); ok {
		return s.Scan(value)
	}
	to := reflect.ValueOf(target).Elem()
	if to.Kind() == reflect.Pointer { // nil of NULL
		given := reflect.New(to.Type().Elem())
		if value == nil {
			to.SetZero()
			return nil
		}
		to.Set(given)
		return assign(given.Interface(), value)
	}
	switch v := value.(type) {
	case string:
		if to.Kind() == reflect.String {
			to.SetString(v)
			return nil
		}
	case int64:
		switch {
		case to.CanInt() && !to.OverflowInt(v):
			to.SetInt(v)
			return nil
		case to.Kind() == reflect.Bool && (v == 0 || v == 1):
			to.SetBool(v == 1)
			return nil
		}
	}
	return fmt.Errorf("a %T is no %s", value, to.Type())
}
