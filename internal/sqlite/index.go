package sqlite

import (
	"context"
	"fmt"
	"strings"

	"guiche/internal/store/engine"
)

// MendIndexes compares the indexes of each table with its rows, and makes those anew that
// say anything else: mended is told their table. Each table is a snapshot of its own, with
// a pause behind it. What is damaged in a table itself is an error, and the others go on.
func (db *DB) MendIndexes(ctx context.Context, mended func(table string), pause func() error) error {
	tables, err := engine.Get(ctx, db, func(tx *engine.Tx) ([]string, error) { return indexedTables(ctx, tx) })
	var damaged []string
	for _, table := range tables {
		if err != nil {
			return err
		}
		var verdict string
		if verdict, err = db.mendIndexes(ctx, table, mended); err == nil && verdict != whole {
			damaged = append(damaged, table)
		}
		if err == nil {
			err = pause()
		}
	}
	if err == nil && len(damaged) > 0 {
		err = fmt.Errorf("%w: tables %s", errDamaged, strings.Join(damaged, ", "))
	}
	return err
}

// whole is the verdict on what is as it should be.
const whole = "ok"

func indexedTables(ctx context.Context, tx *engine.Tx) ([]string, error) {
	return engine.List(ctx, tx, func(row engine.Row) (name string, err error) {
		err = row.Scan(&name)
		return name, err
	}, `SELECT DISTINCT tbl_name FROM sqlite_schema WHERE type = 'index' ORDER BY tbl_name`)
}

// mendIndexes returns the verdict on a table and its indexes, after they were made anew
// where that was needed.
func (db *DB) mendIndexes(ctx context.Context, table string, mended func(string)) (verdict string, err error) {
	look := func(tx *engine.Tx) (err error) {
		verdict, err = verdictOn(ctx, tx, table)
		return err
	}
	if err := db.Read(ctx, look); err != nil || verdict == whole {
		return verdict, err
	}
	err = db.WriteAlone(ctx, func(tx *engine.Tx) error {
		if _, err := tx.Exec(ctx, `REINDEX `+quoted(table)); err != nil {
			return engine.Error(err)
		}
		return look(tx)
	})
	if err == nil && verdict == whole {
		mended(table)
	}
	return verdict, err
}

func verdictOn(ctx context.Context, tx *engine.Tx, table string) (verdict string, err error) {
	err = tx.QueryRow(ctx, `PRAGMA integrity_check(`+quoted(table)+`)`).Scan(&verdict)
	return verdict, engine.Error(err)
}

// quoted is a name as SQL takes it.
func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
