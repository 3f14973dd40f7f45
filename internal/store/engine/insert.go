package engine

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
)

// rowsAtOnce is how many rows one statement of WriteMany writes: beyond that each row costs
// as much as with fewer.
const rowsAtOnce = 32

// Many returns what WriteMany runs in place of fn.
func Many(ctx context.Context, fn func(*Tx) error) func(*Tx) error {
	return func(tx *Tx) error {
		tx.many = &inserts{last: map[string]int64{}}
		err := fn(tx)
		if failed := tx.flushError(); failed != nil || err != nil {
			return cmp.Or(failed, err)
		}
		return tx.flush(ctx)
	}
}

// Insert adds a row to a table.
func (tx *Tx) Insert(ctx context.Context, table string, columns []string, values ...any) error {
	if tx.many == nil {
		_, err := tx.exec(ctx, insertOne(table, columns), values)
		return Error(err)
	}
	tx.many.add(table, columns, values)
	return nil
}

// InsertLater is Insert as ExecLater runs it.
func (tx *Tx) InsertLater(ctx context.Context, table string, columns []string, values ...any) error {
	if tx.many == nil {
		return Error(tx.execLater(ctx, insertOne(table, columns), values))
	}
	return tx.Insert(ctx, table, columns, values...)
}

// NextID returns the number of the next row of a table whose rows are numbered as they come.
func (tx *Tx) NextID(ctx context.Context, table string) (id int64, err error) {
	last := tx.lastID(table)
	if last == 0 {
		err = tx.flush(ctx)
	}
	if err == nil {
		_, err = tx.ready(ctx, nil)
	}
	if err == nil {
		id, err = tx.conn.NextID(ctx, table, last)
	}
	if err != nil {
		return 0, Error(tx.noted(tx.orEnded(ctx, err)))
	}
	if tx.many != nil {
		tx.many.last[table] = id
	}
	return id, nil
}

// lastID is the number that NextID gave out for a table in WriteMany, 0 without one.
func (tx *Tx) lastID(table string) int64 {
	if tx.many == nil {
		return 0
	}
	return tx.many.last[table]
}

// inserts are rows that were not written yet, by table.
type inserts struct {
	tables []*tableRows // in the order of their first rows: what others point at comes first
	rows   int
	last   map[string]int64 // number of the last row
	failed error            // of a flush within a statement that returns no error
}

// tableRows are rows of one table.
type tableRows struct {
	table   string
	columns []string
	rows    int
	values  []any // of one row after the other
}

func (i *inserts) add(table string, columns []string, values []any) {
	at := slices.IndexFunc(i.tables, func(t *tableRows) bool { return t.table == table })
	if at < 0 {
		at = len(i.tables)
		i.tables = append(i.tables, &tableRows{table: table, columns: columns})
	}
	t := i.tables[at]
	t.values = append(t.values, values...)
	t.rows++
	i.rows++
}

// flush writes the rows that were collected.
func (tx *Tx) flush(ctx context.Context) error {
	if tx.many == nil || tx.many.failed != nil || tx.many.rows == 0 {
		return tx.flushError()
	}
	tx.many.rows = 0
	for _, t := range tx.many.tables {
		if err := tx.writeRows(ctx, t); err != nil {
			tx.many.failed = Error(err)
			break
		}
	}
	return tx.flushError()
}

func (tx *Tx) flushError() error {
	if tx.many == nil {
		return nil
	}
	return tx.many.failed
}

func (tx *Tx) writeRows(ctx context.Context, t *tableRows) error {
	width := len(t.columns)
	for first := 0; first < t.rows; {
		n := 1
		if t.rows-first >= rowsAtOnce {
			n = rowsAtOnce
		}
		if _, err := tx.exec(ctx, insertText(t.table, t.columns, n), t.values[first*width:(first+n)*width]); err != nil {
			return err
		}
		first += n
	}
	t.rows, t.values = 0, t.values[:0]
	return nil
}

// insertion is a statement that writes one row.
type insertion struct {
	columns []string
	text    string
}

// insertions are those of tables, by their names: to put one together takes as long as to run it.
var insertions sync.Map

// insertOne is insertText for one row.
func insertOne(table string, columns []string) string {
	if found, ok := insertions.Load(table); ok {
		known := found.(insertion) // nothing else is stored
		if slices.Equal(known.columns, columns) {
			return known.text
		}
	}
	text := insertText(table, columns, 1)
	insertions.Store(table, insertion{slices.Clone(columns), text})
	return text
}

// insertText is the statement that writes so many rows.
func insertText(table string, columns []string, rows int) string {
	row := `(?` + strings.Repeat(", ?", len(columns)-1) + `)`
	return `INSERT INTO ` + table + ` (` + strings.Join(columns, ", ") + `) VALUES ` + row + strings.Repeat(", "+row, rows-1)
}
