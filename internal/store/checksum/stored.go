package checksum

import (
	"context"
	"fmt"
	"slices"

	"guiche/internal/store/engine"
)

// Stored is a row as it was read: the values of Key and Columns, in their order.
type Stored struct {
	Values  []any // nil, int64, float64, string or []byte
	Damaged bool  // they are not what was written
}

// Rows reads rows with one query, and compares them. The rest of the query is what follows
// the table's name.
func (t Table) Rows(ctx context.Context, tx *engine.Tx, rest string, args ...any) ([]Stored, error) {
	rows, err := t.read(ctx, tx, `SELECT `+t.words().list+`, checksum FROM `+t.quoted()+` `+rest, args...)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	damaged, err := t.damagedOf(ctx, tx, rows)
	all := make([]Stored, len(rows))
	for i, r := range rows {
		all[i] = Stored{Values: r.values}
		if len(damaged) > 0 && sameKey(damaged[0].Key, r.values) { // in the order of rows
			all[i].Damaged, damaged = true, damaged[1:]
		}
	}
	return all, err
}

// Whole are the rows of Rows that are as they were written, the values of the named columns
// of each. The error is that of Verify where some are not.
func (t Table) Whole(ctx context.Context, tx *engine.Tx, names []string, rest string, args ...any) ([]engine.Values, error) {
	all, err := t.Rows(ctx, tx, rest, args...)
	if err != nil {
		return nil, err
	}
	columns, damaged := t.columns(), []Row(nil)
	whole := make([]engine.Values, 0, len(all))
	for _, stored := range all {
		if stored.Damaged {
			damaged = append(damaged, t.Row(stored))
			continue
		}
		values := make(engine.Values, len(names))
		for i, name := range names {
			values[i] = stored.Values[slices.Index(columns, name)]
		}
		whole = append(whole, values)
	}
	return whole, damagedError(damaged)
}

func sameKey(key, values []any) bool {
	return slices.EqualFunc(key, values[:len(key)], func(a, b any) bool { return fmt.Sprint(a) == fmt.Sprint(b) })
}

// Row names a row that was read.
func (t Table) Row(s Stored) Row { return Row{t.Name, s.Values[:len(t.Key)]} }

// Delete removes the row of a key, damaged or not: it is about to be made again.
func (t Table) Delete(ctx context.Context, tx *engine.Tx, key ...any) error {
	_, err := tx.Exec(ctx, `DELETE FROM `+t.quoted()+` WHERE `+t.byKey(), key...)
	return engine.Error(err)
}

// Replace writes those values of a row that are not what they were; both have Key and
// Columns, and the key stays.
func (t Table) Replace(ctx context.Context, tx *engine.Tx, old, values []any) error {
	values = engine.Texts(values)
	sum, err := t.sum(values)
	if err != nil {
		return err
	}
	set, args := "", []any{}
	for i, column := range t.Columns {
		if at := len(t.Key) + i; !Equal(old[at], values[at]) {
			set, args = set+column+" = ?, ", append(args, values[at])
		}
	}
	_, err = tx.Exec(ctx, `UPDATE `+t.quoted()+` SET `+set+`checksum = ? WHERE `+t.byKey(),
		slices.Concat(args, []any{sum}, values[:len(t.Key)])...)
	return engine.Error(err)
}

// Equal compares two values of a column.
func Equal(a, b any) bool {
	left, leftIs := a.([]byte)
	right, rightIs := b.([]byte)
	if leftIs || rightIs {
		return leftIs == rightIs && string(left) == string(right)
	}
	return a == b
}
