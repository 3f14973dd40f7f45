package copying

import (
	"context"
	"database/sql/driver"
	"fmt"
	"slices"
	"strings"

	"guiche/internal/store/engine"
)

const (
	// rowsAtOnce and bytesAtOnce bound what is in memory at once, and what one transaction writes.
	rowsAtOnce  = 500
	bytesAtOnce = 1 << 20
)

// Copy makes the rows of the one database those of the other, then what finds them by their words.
// Between two tables it calls next with the one that is copied now.
func (h Half) Copy(ctx context.Context, next func(table string)) error {
	all, err := h.tables(ctx)
	if err != nil {
		return err
	}
	err = h.From.ReadTogether(ctx, func(together context.Context) error {
		for _, t := range all {
			if slices.Contains(h.Given, t.Name) {
				continue
			}
			next(t.Name)
			if err := h.copyTable(ctx, together, t); err != nil {
				return fmt.Errorf("copying: table %s: %w", t.Name, err)
			}
		}
		return nil
	})
	for _, made := range h.Made {
		for more := true; more && err == nil; {
			more, err = h.makeSome(ctx, made)
		}
	}
	for _, text := range h.Texts {
		if err == nil {
			next(text.Index.Table)
			err = h.To.FillText(ctx, text)
		}
	}
	if err != nil {
		return err
	}
	return h.To.Renumber(ctx)
}

func (h Half) makeSome(ctx context.Context, some func(context.Context, *engine.Tx) (bool, error)) (more bool, err error) {
	err = h.To.Write(ctx, func(tx *engine.Tx) (err error) {
		more, err = some(ctx, tx)
		return err
	})
	return more, err
}

// copyTable copies what the target does not have of a table. The source is read under another context,
// in a snapshot that all of its tables share.
func (h Half) copyTable(ctx, together context.Context, t engine.Table) error {
	if slices.Contains(h.Replaced, t.Name) {
		return h.replace(ctx, together, t)
	}
	return h.From.Read(together, func(from *engine.Tx) error {
		last, err := lastKey(ctx, h.To, t)
		if err != nil {
			return err
		}
		return eachBatch(together, from, t, last, func(rows [][]any) error {
			return h.To.Fill(ctx, t.Name, func(tx *engine.Tx) error { return insert(ctx, tx, t, rows) })
		})
	})
}

// replace copies a table that is small, in one transaction.
func (h Half) replace(ctx, together context.Context, t engine.Table) error {
	rows, err := engine.Get(together, h.From, func(tx *engine.Tx) ([][]any, error) {
		return engine.List(together, tx, scanner(t), selectOf(t))
	})
	if err != nil {
		return err
	}
	return h.To.Fill(ctx, t.Name, func(tx *engine.Tx) error {
		if _, err := tx.Exec(ctx, `DELETE FROM `+quoted(t.Name)); err != nil {
			return engine.Error(err)
		}
		return insert(ctx, tx, t, rows)
	})
}

func insert(ctx context.Context, tx *engine.Tx, t engine.Table, rows [][]any) error {
	columns := allQuoted(names(t))
	for _, values := range rows {
		if err := tx.Insert(ctx, quoted(t.Name), columns, values...); err != nil {
			return err
		}
	}
	return nil
}

// lastKey is the key of the last row that a table has, nil without one.
func lastKey(ctx context.Context, db engine.DB, t engine.Table) ([]any, error) {
	keys := strings.Join(allQuoted(t.Key), ", ")
	found, err := engine.Get(ctx, db, func(tx *engine.Tx) ([][]any, error) {
		return engine.List(ctx, tx, valuesOf(len(t.Key)),
			`SELECT `+keys+` FROM `+quoted(t.Name)+` ORDER BY `+strings.Join(allQuoted(t.Key), ` DESC, `)+` DESC LIMIT 1`)
	})
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return found[0], nil
}

// names are all columns, those of the key first.
func names(t engine.Table) []string { return slices.Concat(t.Key, t.Columns) }

// selectOf reads all rows in the order of their keys, which is the same in every engine: numbers, and
// bytes of texts.
func selectOf(t engine.Table) string { return selectAfter(t, false) }

func selectAfter(t engine.Table, after bool) string {
	keys, where := strings.Join(allQuoted(t.Key), ", "), ``
	if after {
		where = ` WHERE (` + keys + `) > (?` + strings.Repeat(", ?", len(t.Key)-1) + `)`
	}
	return `SELECT ` + strings.Join(allQuoted(names(t)), ", ") + ` FROM ` + quoted(t.Name) + where + ` ORDER BY ` + keys
}

// eachBatch hands out the rows behind a key, nil for all, some at a time. They are read on while the
// ones before are written.
func eachBatch(ctx context.Context, tx *engine.Tx, t engine.Table, last []any, do func([][]any) error) error {
	rows, err := tx.Query(ctx, selectAfter(t, last != nil), last...)
	if err != nil {
		return engine.Error(err)
	}
	defer func() { _ = rows.Close() }() // Err below tells what went wrong
	scan := scanner(t)
	var batch [][]any
	var size int
	for rows.Next() {
		values, err := scan(rows)
		if err != nil {
			return engine.Error(err)
		}
		batch, size = append(batch, values), size+sizeOf(values)
		if len(batch) == rowsAtOnce || size >= bytesAtOnce {
			if err := do(batch); err != nil {
				return err
			}
			batch, size = nil, 0
		}
	}
	if err := rows.Err(); err != nil || len(batch) == 0 {
		return engine.Error(err)
	}
	return do(batch)
}

func scanner(t engine.Table) func(engine.Row) ([]any, error) {
	return valuesOf(len(t.Key) + len(t.Columns))
}

// valuesOf scans so many columns. No bytes are not the same as no value.
func valuesOf(n int) func(engine.Row) ([]any, error) {
	return func(row engine.Row) ([]any, error) {
		values, targets := make([]any, n), make([]any, n)
		for i := range values {
			targets[i] = &values[i]
		}
		if err := row.Scan(targets...); err != nil {
			return nil, err
		}
		for i, v := range values {
			if bytes, ok := v.([]byte); ok && len(bytes) == 0 {
				values[i] = noBytes
			}
		}
		return values, nil
	}
}

// noBytes are bytes that are there, and none.
var noBytes = []byte{}

func sizeOf(values []any) (size int) {
	for _, v := range values {
		switch v := driver.Value(v).(type) {
		case string:
			size += len(v)
		case []byte:
			size += len(v)
		}
	}
	return size
}
