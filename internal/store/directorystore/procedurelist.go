package directorystore

import (
	"context"
	"strings"

	"guiche/internal/directory"
	"guiche/internal/store/engine"
)

// ListProcedures implements directory.Store.
func (s *Store) ListProcedures(ctx context.Context, text string, offset, limit int) (page []directory.Procedure, total int, err error) {
	if strings.TrimSpace(text) == "" {
		return s.listProcedures(ctx, choice{from: `procedure p`, where: `TRUE`}, offset, limit)
	}
	words := engine.Words(text)
	if len(words) == 0 {
		return nil, 0, nil
	}
	if code := strings.Join(words, ""); isDigits(code) {
		page, total, err = s.listProcedures(ctx, choice{`procedure p`, `p.code >= ? AND p.code < ?`, []any{code, code + ":"}}, offset, limit)
		if err != nil || total > 0 {
			return page, total, err
		}
	}
	return s.listProcedures(ctx, choice{`procedure_text t JOIN procedure p ON p.id = t.rowid`, `procedure_text MATCH ?`,
		[]any{engine.MatchQuery(words)}}, offset, limit)
}

// choice is which procedures a list is made of.
type choice struct {
	from, where string
	args        []any
}

// listProcedures reads one page and the total in one transaction, so that the two belong
// to the same state.
func (s *Store) listProcedures(ctx context.Context, c choice, offset, limit int) (page []directory.Procedure, total int, err error) {
	err = s.db.Read(ctx, func(tx *engine.Tx) error {
		of := ` FROM ` + c.from + ` WHERE ` + c.where
		if err := tx.QueryRow(ctx, `SELECT count(*)`+of, c.args...).Scan(&total); err != nil {
			return engine.Error(err)
		}
		page, err = engine.List(ctx, tx, scanProcedure, `SELECT `+procedureColumns+of+` ORDER BY p.code LIMIT ? OFFSET ?`,
			append(c.args[:len(c.args):len(c.args)], limit, offset)...)
		return err
	})
	return page, total, err
}
