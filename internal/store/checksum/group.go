package checksum

import (
	"context"
	"encoding/hex"
	"strconv"
	"strings"

	"guiche/internal/store/engine"
)

// Part are the rows of a table that belong to something: a condition on its number.
type Part struct {
	Table Table
	Where string
}

// Group are rows of several tables that belong together.
type Group struct {
	Parts []Part
	query engine.Statement
}

// NewGroup returns a group.
func NewGroup(parts ...Part) *Group { return &Group{Parts: parts} }

// rows reads the rows of all parts.
func (g *Group) rows(d *engine.Dialect) string {
	queries := make([]string, len(g.Parts))
	for i, p := range g.Parts {
		values := d.Typed(append(p.Table.columns(), "checksum"))
		queries[i] = `SELECT ` + strconv.Itoa(i) + `, ` + values + ` FROM ` + p.Table.quoted() + ` WHERE ` + p.Where
	}
	return strings.Join(queries, ` UNION ALL `)
}

// Whole compares all rows of a number with one query. Where it reports false, some are not
// as they were written or have no sums yet, and Table.Verify tells more.
func (g *Group) Whole(ctx context.Context, tx *engine.Tx, number int64) (bool, error) {
	return g.read(ctx, tx, number, func(int, []any) {})
}

// read shows each row with the place of its part: the values of Key and Columns, which the
// next row overwrites.
func (g *Group) read(ctx context.Context, tx *engine.Tx, number int64, show func(place int, values []any)) (bool, error) {
	args := make([]any, len(g.Parts))
	for i := range args {
		args[i] = number
	}
	whole := true
	var values []any
	_, err := engine.List(ctx, tx, func(row engine.Row) (none struct{}, err error) {
		var place int
		var text string
		if err := row.Scan(&place, &text); err != nil {
			return none, err
		}
		values = typed(values[:0], text)
		whole = whole && g.Parts[place].Table.isWhole(values)
		show(place, values[:max(0, len(values)-1)])
		return none, nil
	}, g.query.Of(tx, g.rows), args...)
	return whole && err == nil, err
}

// isWhole compares the values of a row with its sum, which comes last.
func (t Table) isWhole(values []any) bool {
	last := len(t.Key) + len(t.Columns)
	if len(values) != last+1 {
		return false
	}
	stored, _ := values[last].([]byte)
	sum, err := t.sum(values[:last])
	return err == nil && string(sum) == string(stored)
}

// typed reads values that stand behind their types; of NULL there is the type alone. A text
// with a NUL, which nobody wrote, leaves something over.
func typed(values []any, text string) []any {
	for text != "" {
		var kind, value string
		kind, text, _ = strings.Cut(text, "\x00")
		if kind != "null" {
			value, text, _ = strings.Cut(text, "\x00")
		}
		values = append(values, valueOf(kind, value))
	}
	return values
}

// valueOf reads one value, of a type as SQLite or PostgreSQL calls it. What is none is a value
// that nobody wrote, and so is a number with more digits than they write.
func valueOf(kind, text string) any {
	switch kind {
	case "text":
		return text
	case "integer", "bigint", "smallint":
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return n
		}
	case "real", "double precision":
		if f, err := strconv.ParseFloat(text, 64); err == nil {
			return f
		}
	case "bytea":
		return valueOf("blob", strings.TrimPrefix(text, `\x`))
	case "blob":
		if b, err := hex.DecodeString(text); err == nil {
			return b
		}
	}
	return nil
}
