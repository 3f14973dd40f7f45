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
		return s.listProcedures(ctx, choice{}, offset, limit)
	}
	words := engine.Words(text)
	if len(words) == 0 {
		return nil, 0, nil
	}
	if code := strings.Join(words, ""); isDigits(code) {
		page, total, err = s.listProcedures(ctx, choice{code: code}, offset, limit)
		if err != nil || total > 0 {
			return page, total, err
		}
	}
	return s.listProcedures(ctx, choice{words: words}, offset, limit)
}

// choice is which procedures a list is made of: all, those whose codes begin so, or those with
// words that begin so.
type choice struct {
	code  string
	words []string
}

func (c choice) from(tx *engine.Tx) (from string, args []any) {
	switch {
	case c.code != "":
		return ` FROM procedure p WHERE p.code >= ? AND p.code < ?`, []any{c.code, c.code + ":"}
	case c.words != nil:
		found := matching(tx, c.words)
		return ` FROM ` + found.From + ` JOIN procedure p ON p.id = ` + found.ID, []any{found.Value}
	}
	return ` FROM procedure p`, nil
}

// listProcedures reads one page and the total in one transaction, so that the two belong
// to the same state.
func (s *Store) listProcedures(ctx context.Context, c choice, offset, limit int) (page []directory.Procedure, total int, err error) {
	err = s.db.Read(ctx, func(tx *engine.Tx) error {
		of, args := c.from(tx)
		if err := tx.QueryRow(ctx, `SELECT count(*)`+of, args...).Scan(&total); err != nil {
			return engine.Error(err)
		}
		page, err = engine.List(ctx, tx, scanProcedure, `SELECT `+procedureColumns+of+` ORDER BY p.code LIMIT ? OFFSET ?`,
			append(args[:len(args):len(args)], limit, offset)...)
		return err
	})
	return page, total, err
}
