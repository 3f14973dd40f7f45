package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"guiche/internal/store/engine"
)

// ofTable is what the queries of a table are about.
const ofTable = ` FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
	LEFT JOIN pg_index k ON k.indrelid = c.oid AND k.indisprimary
	WHERE c.relnamespace = current_schema()::regnamespace AND c.relname = ? AND `

// tables: an index of texts has words, and holds no rows.
var tables = engine.TableQueries{
	Names: `SELECT c.relname::text FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
	AND c.relname <> 'schema_version' AND NOT EXISTS (SELECT 1 FROM pg_attribute w
		WHERE w.attrelid = c.oid AND w.atttypid = 'tsvector'::regtype) ORDER BY c.relname`,
	Key:     `SELECT a.attname::text` + ofTable + `a.attnum = ANY (k.indkey) ORDER BY array_position(k.indkey::int2[], a.attnum)`,
	Columns: `SELECT a.attname::text` + ofTable + `a.attnum <> ALL (k.indkey) ORDER BY a.attname`,
	Refers: `SELECT DISTINCT r.relname::text FROM pg_constraint f
		JOIN pg_class c ON c.oid = f.conrelid JOIN pg_class r ON r.oid = f.confrelid
		WHERE f.contype = 'f' AND c.relnamespace = current_schema()::regnamespace AND c.relname = ? ORDER BY 1`,
}

// Tables are the tables of rows, in the order of their names.
func (db *DB) Tables(ctx context.Context) ([]engine.Table, error) { return tables.List(ctx, db) }

// Fill is WriteMany for rows of a table as another database has them: what its triggers refuse of rows
// that are new here does not hold. They stand again before anything of it is committed. The role has to
// own the table.
func (db *DB) Fill(ctx context.Context, table string, fn func(*engine.Tx) error) error {
	return db.WriteMany(ctx, func(tx *engine.Tx) error {
		refusing, err := engine.List(ctx, tx, engine.ScanText, insertTriggers, table)
		if err != nil {
			return err
		}
		if err := alterTriggers(ctx, tx, table, "DISABLE", refusing); err != nil {
			return err
		}
		if err := fn(tx); err != nil {
			return err
		}
		return alterTriggers(ctx, tx, table, "ENABLE", refusing)
	})
}

// insertTriggers are those that look at rows that are new: 4 is INSERT in tgtype.
const insertTriggers = `SELECT t.tgname::text FROM pg_trigger t WHERE t.tgrelid = to_regclass(quote_ident(?)) AND NOT t.tgisinternal
	AND t.tgtype & 4 > 0 ORDER BY t.tgname`

func alterTriggers(ctx context.Context, tx *engine.Tx, table, how string, names []string) error {
	for _, name := range names {
		if _, err := tx.Exec(ctx, `ALTER TABLE `+quoted(table)+` `+how+` TRIGGER `+quoted(name)); err != nil {
			return rightOf(fmt.Errorf("postgres: fill %s: %w", table, err))
		}
	}
	return nil
}

// rightOf tells of a right that the role lacks.
func rightOf(err error) error {
	if codeOf(err) == insufficientRight {
		return errors.Join(ErrNoRight, err)
	}
	return err
}

func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// textsAtOnce is how many rows one transaction has found by their texts.
const textsAtOnce = 500

// FillText makes an index of texts from the rows that it finds, and goes on behind the last one that it
// has already.
func (db *DB) FillText(ctx context.Context, from engine.TextSource) error {
	query := `SELECT ` + from.ID + `, ` + strings.Join(from.Texts, ", ") + ` FROM ` + quoted(from.Table) + ` WHERE ` + from.ID + ` >
		coalesce((SELECT max(id) FROM ` + quoted(from.Index.Table) + `), 0) ORDER BY ` + from.ID + ` LIMIT ?`
	for {
		var found int
		err := db.Write(ctx, func(tx *engine.Tx) error {
			rows, err := engine.List(ctx, tx, scanTexts(len(from.Texts)), query, textsAtOnce)
			found = len(rows)
			for _, r := range rows {
				if err == nil {
					err = tx.AddText(ctx, from.Index, r.id, r.texts...)
				}
			}
			return err
		})
		if err != nil || found < textsAtOnce {
			return err
		}
	}
}

// texts are those of a row.
type texts struct {
	id    int64
	texts []string
}

func scanTexts(n int) func(engine.Row) (texts, error) {
	return func(row engine.Row) (t texts, err error) {
		t.texts = make([]string, n)
		targets := []any{&t.id}
		for i := range t.texts {
			targets = append(targets, &t.texts[i])
		}
		return t, row.Scan(targets...)
	}
}

// Renumber has rows that come from now on numbered behind those that are there.
func (db *DB) Renumber(ctx context.Context) error {
	return db.Write(ctx, func(tx *engine.Tx) error {
		numbered, err := engine.List(ctx, tx, engine.ScanText, `SELECT c.relname::text FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
			WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace AND a.attname = 'id' AND a.attidentity <> ''
			ORDER BY c.relname`)
		for _, table := range numbered {
			if err != nil {
				break
			}
			var next int64
			err = engine.Error(tx.QueryRow(ctx, `SELECT setval(pg_get_serial_sequence(quote_ident(?), 'id'), m.id + 1, false)
				FROM (SELECT coalesce(max(id), 0) AS id FROM `+quoted(table)+`) m`, table).Scan(&next))
		}
		return err
	})
}
