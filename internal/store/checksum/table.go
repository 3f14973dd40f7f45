// Package checksum keeps a checksum in each row that must not change unnoticed: written
// with the row, compared whenever the row is read. Rows are encoded here and not by the
// engine, so that every engine has the same sums. See the decision on checksums.
package checksum

import (
	"context"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"guiche/internal/problem"
	"guiche/internal/store/engine"
)

// Table is a table whose rows carry checksums, in a column of that name.
type Table struct {
	Name    string
	Key     []string       // its primary key
	Columns []string       // all others; new ones come last
	Later   map[string]any // of columns that came with a later version: the value of rows from before
}

// column is one of them.
func (t Table) column(place int) string {
	if place < len(t.Key) {
		return t.Key[place]
	}
	return t.Columns[place-len(t.Key)]
}

// Covered are the columns that the sum covers.
func (t Table) Covered() []string { return slices.Clone(t.columns()) }

// numbered is the key of a table whose rows are numbered as they come.
func (t Table) numbered() bool { return len(t.Key) == 1 && t.Key[0] == "id" }

// Insert writes a row: the values of Key and Columns, in their order.
func (t Table) Insert(ctx context.Context, tx *engine.Tx, values ...any) error {
	w := t.words()
	if len(values) != len(w.columns) {
		return fmt.Errorf("checksum: %s has %d columns, not %d", t.Name, len(w.columns), len(values))
	}
	values = engine.Texts(values)
	sum, err := t.sum(values)
	if err != nil {
		return err
	}
	return tx.Insert(ctx, w.quoted, w.inserted, append(values[:len(values):len(values)], sum)...)
}

// InsertNumbered writes a row of a table whose key is a number, and returns it: the values
// of Columns, in their order.
func (t Table) InsertNumbered(ctx context.Context, tx *engine.Tx, values ...any) (id int64, err error) {
	if !t.numbered() {
		return 0, fmt.Errorf("checksum: rows of %s are not numbered", t.Name)
	}
	if id, err = tx.NextID(ctx, t.Name); err != nil {
		return 0, err
	}
	return id, t.Insert(ctx, tx, slices.Concat([]any{id}, values)...)
}

// Update changes the row of a key as the SET clause says, if the condition holds for it, and
// reports whether it did. The row is as it was written before, or nothing is changed.
func (t Table) Update(ctx context.Context, tx *engine.Tx, key []any, c Change) (changed bool, err error) {
	values, err := t.UpdateReturning(ctx, tx, key, c)
	return values != nil, err
}

// UpdateReturning is Update that returns the row as it is then, the values of Key and Columns;
// nil where nothing was changed.
func (t Table) UpdateReturning(ctx context.Context, tx *engine.Tx, key []any, c Change) ([]any, error) {
	if err := t.Verify(ctx, tx, t.byKey(), key...); err != nil {
		return nil, err
	}
	return t.UpdateWritten(ctx, tx, key, c)
}

// UpdateWritten is UpdateReturning for a row that the same transaction wrote: it is not
// compared again.
func (t Table) UpdateWritten(ctx context.Context, tx *engine.Tx, key []any, c Change) ([]any, error) {
	rows, err := t.read(ctx, tx, t.update(c)+` RETURNING `+t.words().list+`, NULL`, c.args(key)...)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	return rows[0].values, t.seal(ctx, tx, rows[0])
}

// Overwrite writes all columns of the row of a key anew: nothing of what it held remains, so
// that it may have been damaged.
func (t Table) Overwrite(ctx context.Context, tx *engine.Tx, key []any, values ...any) error {
	if len(values) != len(t.Columns) {
		return fmt.Errorf("checksum: %s has %d columns beside its key, not %d", t.Name, len(t.Columns), len(values))
	}
	values = engine.Texts(values)
	sum, err := t.sum(slices.Concat(key, values))
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `UPDATE `+t.quoted()+` SET `+strings.Join(t.Columns, " = ?, ")+` = ?, checksum = ? WHERE `+t.byKey(),
		slices.Concat(values, []any{sum}, key)...)
	return engine.Error(err)
}

// ChangeDamaged changes the row of a key, if the condition holds for it, and leaves it
// damaged: its sum stays that of what was written before. It returns the values of Key and
// Columns then; nil where nothing was changed.
func (t Table) ChangeDamaged(ctx context.Context, tx *engine.Tx, key []any, c Change) ([]any, error) {
	rows, err := t.read(ctx, tx, `UPDATE `+t.quoted()+` SET `+c.Set+` WHERE `+t.byKey()+c.and()+`
		RETURNING `+t.words().list+`, NULL`, slices.Concat(c.Values, key, c.Args)...)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	return rows[0].values, nil
}

func (t Table) update(c Change) string {
	return `UPDATE ` + t.quoted() + ` SET ` + c.Set + ` WHERE ` + t.byKey() + c.and()
}

// Change is what an update changes, and when.
type Change struct {
	Set       string // "state = ?, reason = ''"
	Values    []any  // of Set's question marks
	Condition string // "" for always
	Args      []any  // of Condition's question marks
}

func (c Change) and() string {
	if c.Condition == "" {
		return ""
	}
	return ` AND (` + c.Condition + `)`
}

// args are the values of the whole statement.
func (c Change) args(key []any) []any { return slices.Concat(c.Values, key, c.Args) }

// seal gives a row its sum.
func (t Table) seal(ctx context.Context, tx *engine.Tx, r row) error {
	sum, err := t.sum(r.values)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `UPDATE `+t.quoted()+` SET checksum = ? WHERE `+t.byKey(),
		slices.Concat([]any{sum}, r.values[:len(t.Key)])...)
	return engine.Error(err)
}

// row is a row as it was read.
type row struct {
	values []any
	sum    []byte // nil where it has none
}

// read runs a query for the columns and the sum.
func (t Table) read(ctx context.Context, tx *engine.Tx, query string, args ...any) ([]row, error) {
	return engine.List(ctx, tx, t.scan, query, args...)
}

func (t Table) scan(rows engine.Row) (r row, err error) {
	r.values = make([]any, len(t.Key)+len(t.Columns))
	targets := make([]any, len(r.values)+1)
	for i := range r.values {
		targets[i] = &r.values[i]
	}
	targets[len(r.values)] = &r.sum
	err = rows.Scan(targets...)
	return r, err
}

// Row names a row.
type Row struct {
	Table string
	Key   []any
}

// String names the row for a person: "submission 12".
func (r Row) String() string {
	words := []string{r.Table}
	for _, k := range r.Key {
		words = append(words, fmt.Sprintf("%v", shown(k)))
	}
	return strings.Join(words, " ")
}

// shown is a part of a key as it is shown: bytes in hexadecimal.
func shown(k any) any {
	if b, ok := k.([]byte); ok {
		return fmt.Sprintf("%x", b)
	}
	return k
}

// Named returns the row that Row.String names, with its table.
func Named(tables []Table, name string) (t Table, r Row, ok bool) {
	words := strings.Fields(name)
	i := slices.IndexFunc(tables, func(t Table) bool { return len(words) == len(t.Key)+1 && t.Name == words[0] })
	if i < 0 {
		return t, r, false
	}
	r.Table = words[0]
	for _, word := range words[1:] {
		r.Key = append(r.Key, keyPart(word))
	}
	return tables[i], r, true
}

// keyPart reads what shown wrote: bytes are longer than a number.
func keyPart(word string) any {
	if number, err := strconv.ParseInt(word, 10, 64); err == nil {
		return number
	}
	if b, err := hex.DecodeString(word); err == nil {
		return b
	}
	return word
}

// DamagedError says which rows are not as they were written.
type DamagedError struct{ Rows []Row }

// Error implements error. It names rows and no content.
func (e *DamagedError) Error() string {
	return fmt.Sprintf("checksum: %d damaged rows, the first is %s", len(e.Rows), e.Rows[0])
}

// Verify compares the rows that a condition finds. A problem.Damaged error wraps a
// *DamagedError.
func (t Table) Verify(ctx context.Context, tx *engine.Tx, where string, args ...any) error {
	damaged, err := t.Damaged(ctx, tx, where, args...)
	if err != nil {
		return err
	}
	return damagedError(damaged)
}

func damagedError(damaged []Row) error {
	if len(damaged) == 0 {
		return nil
	}
	return problem.NewDamaged(&DamagedError{damaged})
}

// Damaged names the rows that a condition finds and that are not as they were written.
func (t Table) Damaged(ctx context.Context, tx *engine.Tx, where string, args ...any) ([]Row, error) {
	rows, err := t.read(ctx, tx, `SELECT `+t.words().list+`, checksum FROM `+t.quoted()+` WHERE `+where, args...)
	if err != nil {
		return nil, err
	}
	return t.damagedOf(ctx, tx, rows)
}

// IsWhole reports whether the row of a key is as it was written; one that is not there has
// nothing to be damaged.
func (t Table) IsWhole(ctx context.Context, tx *engine.Tx, key ...any) (bool, error) {
	if len(key) != len(t.Key) {
		return false, nil
	}
	damaged, err := t.Damaged(ctx, tx, t.byKey(), key...)
	return len(damaged) == 0, err
}

// damagedOf names those of some rows that are damaged. One without a sum is, unless rows
// from before checksums are still getting theirs.
func (t Table) damagedOf(ctx context.Context, tx *engine.Tx, rows []row) (damaged []Row, err error) {
	var asked, pending bool
	for _, r := range rows {
		if r.sum == nil {
			if !asked {
				if pending, err = t.pending(ctx, tx); err != nil {
					return nil, err
				}
				asked = true
			}
			if pending {
				continue
			}
		}
		sum, err := t.sum(r.values)
		if err != nil {
			return nil, err
		}
		if string(sum) != string(r.sum) {
			damaged = append(damaged, Row{t.Name, r.values[:len(t.Key)]})
		}
	}
	return damaged, nil
}
