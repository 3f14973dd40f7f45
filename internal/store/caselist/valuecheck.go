package caselist

import (
	"context"

	"guiche/internal/store/checksum"
	"guiche/internal/store/engine"
)

// ValueTable is that of the values of filters, as Check names its rows.
const ValueTable = "filter_value"

// misnamed finds values that are not called as in their newest case, and what that calls them.
const misnamed = `SELECT v.id, c.unit_name FROM filter_value v JOIN case_summary c
		ON c.submission_id = (SELECT max(n.submission_id) FROM case_summary n WHERE n.unit = v.id)
		WHERE v.kind = 'unit' AND v.name <> c.unit_name
	UNION ALL SELECT v.id, c.credential_name FROM filter_value v JOIN case_summary c
		ON c.submission_id = (SELECT max(n.submission_id) FROM case_summary n WHERE n.credential = v.id)
		WHERE v.kind = 'credential' AND v.name <> c.credential_name
	UNION ALL SELECT id, '' FROM filter_value WHERE kind = 'sender' AND name <> ''`

// called is what a value should be called.
type called struct {
	number int64
	name   string
}

func listMisnamed(ctx context.Context, tx *engine.Tx) ([]called, error) {
	return engine.List(ctx, tx, func(row engine.Row) (c called, err error) {
		return c, row.Scan(&c.number, &c.name)
	}, misnamed)
}

// checkValues finds the values that are misnamed.
func checkValues(ctx context.Context, tx *engine.Tx) (differing []checksum.Row, err error) {
	all, err := listMisnamed(ctx, tx)
	for _, c := range all {
		differing = append(differing, checksum.Row{Table: ValueTable, Key: []any{c.number}})
	}
	return differing, err
}

// renameAll has values called as in their newest cases.
func renameAll(ctx context.Context, tx *engine.Tx) error {
	all, err := listMisnamed(ctx, tx)
	for _, c := range all {
		tx.Invalidate()
		if _, err := tx.Exec(ctx, `UPDATE filter_value SET name = ? WHERE id = ?`, c.name, c.number); err != nil {
			return engine.Error(err)
		}
	}
	return err
}
