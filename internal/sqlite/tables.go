package sqlite

import (
	"context"
	"fmt"
	"regexp"

	"guiche/internal/store/engine"
)

// tables: what belongs to an index of texts begins with its name, and holds no rows.
var tables = engine.TableQueries{
	Names: `SELECT m.name FROM sqlite_schema m WHERE m.type = 'table' AND m.sql NOT LIKE 'CREATE VIRTUAL %'
	AND m.name NOT LIKE 'sqlite\_%' ESCAPE '\' AND m.name <> 'goose_db_version' AND NOT EXISTS (SELECT 1 FROM sqlite_schema v
		WHERE v.sql LIKE 'CREATE VIRTUAL %' AND m.name LIKE replace(v.name, '_', '\_') || '\_%' ESCAPE '\') ORDER BY m.name`,
	Key:     `SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk`,
	Columns: `SELECT name FROM pragma_table_info(?) WHERE pk = 0 ORDER BY name`,
	Refers:  `SELECT DISTINCT "table" FROM pragma_foreign_key_list(?) ORDER BY 1`,
}

// Tables are the tables of rows, in the order of their names.
func (db *DB) Tables(ctx context.Context) ([]engine.Table, error) { return tables.List(ctx, db) }

// Fill is WriteMany for rows of a table as another database has them: what its triggers refuse of rows
// that are new here does not hold. They stand again before anything of it is committed.
func (db *DB) Fill(ctx context.Context, table string, fn func(*engine.Tx) error) error {
	return db.WriteMany(ctx, func(tx *engine.Tx) error {
		refusing, err := insertTriggers(ctx, tx, table)
		if err != nil {
			return err
		}
		for _, t := range refusing {
			if _, err := tx.Exec(ctx, `DROP TRIGGER `+quoted(t.name)); err != nil {
				return fmt.Errorf("sqlite: fill %s: %w", table, err)
			}
		}
		if err := fn(tx); err != nil {
			return err
		}
		for _, t := range refusing {
			if _, err := tx.Exec(ctx, t.text); err != nil {
				return fmt.Errorf("sqlite: fill %s: %w", table, err)
			}
		}
		return nil
	})
}

// trigger is a trigger with the text that made it.
type trigger struct{ name, text string }

var onInsert = regexp.MustCompile(`(?i)\b(BEFORE|AFTER)\s+INSERT\b`)

// insertTriggers are those that look at rows that are new.
func insertTriggers(ctx context.Context, tx *engine.Tx, table string) (all []trigger, err error) {
	found, err := engine.List(ctx, tx, func(row engine.Row) (t trigger, err error) {
		err = row.Scan(&t.name, &t.text)
		return t, err
	}, `SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ?`, table)
	for _, t := range found {
		if onInsert.MatchString(t.text) {
			all = append(all, t)
		}
	}
	return all, err
}

// FillText makes an index of texts from the rows that it finds.
func (db *DB) FillText(ctx context.Context, from engine.TextSource) error {
	return db.WriteAlone(ctx, func(tx *engine.Tx) error { return tx.RebuildText(ctx, from.Index) })
}

// Renumber has rows that come from now on numbered behind those that are there, as they always are.
func (db *DB) Renumber(context.Context) error { return nil }
