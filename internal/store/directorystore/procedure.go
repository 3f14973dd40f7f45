package directorystore

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"guiche/internal/directory"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

const procedureColumns = `p.code, p.name, p.aliases, p.active`

// scanProcedure reads a procedure with its other names, which are stored one a line.
func scanProcedure(rows engine.Row) (p directory.Procedure, err error) {
	var aliases string
	if err = rows.Scan(&p.Code, &p.Name, &aliases, &p.Active); err != nil {
		return p, err
	}
	if aliases != "" {
		p.Aliases = strings.Split(aliases, "\n")
	}
	return p, nil
}

// Procedure implements directory.Store.
func (s *Store) Procedure(ctx context.Context, code string) (directory.Procedure, error) {
	return engine.Get(ctx, s.db, func(tx *engine.Tx) (directory.Procedure, error) { return procedure(ctx, tx, code) })
}

// Procedure implements directory.Tx.
func (t *tx) Procedure(ctx context.Context, code string) (directory.Procedure, error) {
	return procedure(ctx, t.Tx, code)
}

// procedure reads one procedure by its TUSS code; ErrNotFound if there is none.
func procedure(ctx context.Context, tx *engine.Tx, code string) (directory.Procedure, error) {
	return one(engine.List(ctx, tx, scanProcedure, `SELECT `+procedureColumns+` FROM procedure p WHERE p.code = ?`, code))
}

// procedureText is where procedures are found by words of their names.
var procedureText = engine.TextIndex{Table: "procedure_text", Columns: []string{"name", "aliases"}}

// ProcedureTexts are those that procedures are found by.
func ProcedureTexts() engine.TextSource {
	return engine.TextSource{Index: procedureText, Table: "procedure", ID: "id", Texts: procedureText.Columns}
}

// matching finds procedures that have words which begin so.
func matching(tx *engine.Tx, words []string) engine.Found {
	return tx.Match(procedureText, engine.BeginAll(engine.Alternatives(words)...))
}

// SearchProcedures finds active procedures by the beginning of their code, in the order of the
// codes, or by words of name and aliases, see byFit.
func (s *Store) SearchProcedures(ctx context.Context, text string, limit int) ([]directory.Procedure, error) {
	words := engine.Words(text)
	if len(words) == 0 {
		return nil, nil
	}
	return engine.Get(ctx, s.db, func(tx *engine.Tx) ([]directory.Procedure, error) {
		if code := strings.Join(words, ""); isDigits(code) {
			byCode, err := engine.List(ctx, tx, scanProcedure, `SELECT `+procedureColumns+` FROM procedure p
				WHERE p.active = 1 AND p.code >= ? AND p.code < ? ORDER BY p.code LIMIT ?`, code, code+":", limit)
			if err != nil || len(byCode) > 0 {
				return byCode, err
			}
		}
		all, err := candidates(ctx, tx, words, limit)
		return byFit(all, words, limit), err
	})
}

// isDigits reports whether s can be the beginning of a code; ':' follows '9'.
func isDigits(s string) bool {
	return strings.Trim(s, "0123456789") == ""
}

// PutProcedure implements directory.Tx.
func (t *tx) PutProcedure(ctx context.Context, p directory.Procedure) (uid uuid.UUID, err error) {
	fresh, err := uuid.NewV7()
	if err != nil {
		return uid, fmt.Errorf("directorystore: %w", err)
	}
	before, err := textsOf(ctx, t.Tx, p.Code)
	if err != nil {
		return uid, err
	}
	var id int64
	texts := []string{p.Name, strings.Join(p.Aliases, "\n")}
	err = t.QueryRow(ctx, `INSERT INTO procedure (uid, code, name, aliases, active, updated_at) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (code) DO UPDATE SET name = excluded.name, aliases = excluded.aliases, active = excluded.active,
		updated_at = excluded.updated_at RETURNING id, uid`,
		engine.UID(fresh), p.Code, texts[0], texts[1], p.Active, engine.Micros(t.Now)).Scan(&id, engine.ScanUID(&uid))
	if err != nil || slices.Equal(before, texts) {
		return uid, engine.Error(err)
	}
	if before != nil {
		if err := t.RemoveText(ctx, procedureText, id, before...); err != nil {
			return uid, err
		}
	}
	return uid, t.AddText(ctx, procedureText, id, texts...)
}

// textsOf are the texts by which a procedure is found, nil where there is none of the code.
func textsOf(ctx context.Context, tx *engine.Tx, code string) ([]string, error) {
	found, err := engine.List(ctx, tx, func(row engine.Row) ([]string, error) {
		texts := make([]string, 2)
		return texts, row.Scan(&texts[0], &texts[1])
	}, `SELECT name, aliases FROM procedure WHERE code = ?`, code)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return found[0], nil
}
