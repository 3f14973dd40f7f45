package sqlite

import (
	"context"
	"fmt"
	"strings"

	"guiche/internal/store/engine"
)

// MendIndexes compares the indexes of each table with its rows, and those of texts with themselves,
// and makes those anew that say anything else: mended is told their table. Each table is a snapshot
// of its own, with a pause behind it. Where damage was met, pages that a connection has from before it are
// read again. What is damaged in a table itself is an error, and the others go on.
func (db *DB) MendIndexes(ctx context.Context, met bool, mended func(table string), pause func() error) error {
	tables, err := engine.Get(ctx, db, func(tx *engine.Tx) ([]indexed, error) { return indexedTables(ctx, tx) })
	var damaged []string
	for _, t := range tables {
		if err != nil {
			return err
		}
		var verdict string
		if verdict, err = db.mendIndexes(ctx, t, met, mended); err == nil && verdict != whole {
			damaged = append(damaged, t.name)
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

// IndexDamaged tells once of indexes that were met damaged since the last time: MendIndexes makes them anew.
func (db *DB) IndexDamaged() <-chan struct{} { return db.indexDamaged }

// whole is the verdict on what is as it should be.
const whole = "ok"

// indexed is a table with indexes, or one that is an index of texts.
type indexed struct {
	name   string
	ofText bool
}

func indexedTables(ctx context.Context, tx *engine.Tx) ([]indexed, error) {
	return engine.List(ctx, tx, func(row engine.Row) (t indexed, err error) {
		err = row.Scan(&t.name, &t.ofText)
		return t, err
	}, `SELECT DISTINCT tbl_name, type = 'table' AS of_text FROM sqlite_schema
		WHERE type = 'index' OR sql LIKE 'CREATE VIRTUAL TABLE % USING fts5 (%' ORDER BY of_text DESC, tbl_name`)
}

// again is the statement that makes its indexes anew.
func (t indexed) again() string {
	if t.ofText {
		return `INSERT INTO ` + quoted(t.name) + ` (` + quoted(t.name) + `) VALUES ('rebuild')`
	}
	return `REINDEX ` + quoted(t.name)
}

// mendIndexes returns the verdict on a table and its indexes, after they were made anew
// where that was needed.
func (db *DB) mendIndexes(ctx context.Context, t indexed, met bool, mended func(string)) (verdict string, err error) {
	look := func(tx *engine.Tx) (err error) {
		if met {
			if err := forgetPages(ctx, tx); err != nil {
				return err
			}
		}
		verdict, err = verdictOn(ctx, tx, t.name)
		return err
	}
	if err := db.Read(ctx, look); err != nil || verdict == whole {
		return verdict, err
	}
	err = db.WriteAlone(ctx, func(tx *engine.Tx) error {
		if _, err := tx.Exec(ctx, t.again()); err != nil {
			return engine.Error(err)
		}
		return look(tx)
	})
	if err == nil && verdict == whole {
		mended(t.name)
	}
	return verdict, err
}

// forgetPages has a connection read what it needs from the disk, where a page may be damaged by now.
func forgetPages(ctx context.Context, tx *engine.Tx) error {
	_, err := tx.Exec(ctx, `PRAGMA shrink_memory`)
	return engine.Error(err)
}

func verdictOn(ctx context.Context, tx *engine.Tx, table string) (verdict string, err error) {
	err = tx.QueryRow(ctx, `PRAGMA integrity_check(`+quoted(table)+`)`).Scan(&verdict)
	return verdict, engine.Error(err)
}

// quoted is a name as SQL takes it.
func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
