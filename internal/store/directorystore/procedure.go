package directorystore

import (
	"context"
	"fmt"
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

// SearchProcedures finds active procedures by the beginning of their code or by
// words of name and aliases; what an alias says counts double.
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
		return engine.List(ctx, tx, scanProcedure, `SELECT `+procedureColumns+`
			FROM procedure_text t JOIN procedure p ON p.id = t.rowid
			WHERE procedure_text MATCH ? AND p.active = 1
			ORDER BY bm25(procedure_text, 1.0, 2.0), length(p.name), p.code LIMIT ?`, engine.MatchQuery(words), limit)
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
	err = t.QueryRow(ctx, `INSERT INTO procedure (uid, code, name, aliases, active, updated_at) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (code) DO UPDATE SET name = excluded.name, aliases = excluded.aliases, active = excluded.active,
		updated_at = excluded.updated_at RETURNING uid`,
		engine.UID(fresh), p.Code, p.Name, strings.Join(p.Aliases, "\n"), p.Active, engine.Micros(t.Now)).Scan(engine.ScanUID(&uid))
	return uid, engine.Error(err)
}
