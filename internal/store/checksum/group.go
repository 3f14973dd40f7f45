package checksum

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"guiche/internal/store/engine"
)

// Part are the rows of a table that belong to something: a condition on its number.
type Part struct {
	Table  Table
	Where  string
	Joined string // finds the same rows by a join instead, "" for none: SQLite would list the keys of a subquery first
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
		rest := ` WHERE ` + p.Where
		if p.Joined != "" {
			rest = ` JOIN ` + p.Joined
		}
		queries[i] = `SELECT ` + strconv.Itoa(i) + `, ` + g.values(d, p.Table) + ` FROM ` + p.Table.quoted() + rest
	}
	return strings.Join(queries, ` UNION ALL `)
}

// values are those of a table's columns with its sum: one text of all where every column of a union has
// one type, else each for itself, as many as of the widest table.
func (g *Group) values(d *engine.Dialect, t Table) string {
	columns := append(t.columns(), "checksum")
	for i, name := range columns {
		columns[i] = t.quoted() + "." + name
	}
	if d.Typed != nil {
		return d.Typed(columns)
	}
	return strings.Join(columns, ", ") + strings.Repeat(", NULL", g.width()-len(columns))
}

// width is how many values a row of the widest table has, with its sum.
func (g *Group) width() (most int) {
	for _, p := range g.Parts {
		most = max(most, p.Table.width())
	}
	return most
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
	scan := g.scanner(tx)
	var encoded []byte
	_, err := engine.List(ctx, tx, func(row engine.Row) (none struct{}, err error) {
		place, values, err := scan(row)
		if err != nil {
			return none, err
		}
		whole = whole && g.Parts[place].Table.isWhole(values, &encoded)
		show(place, values[:max(0, len(values)-1)])
		return none, nil
	}, g.query.Of(tx, g.rows), args...)
	return whole && err == nil, err
}

// scanner reads the place and the values of each row.
func (g *Group) scanner(tx *engine.Tx) func(engine.Row) (place int, values []any, err error) {
	if !tx.MixesTypes() {
		var known []any
		return func(row engine.Row) (place int, values []any, err error) {
			var text string
			err = row.Scan(&place, &text)
			known = typed(known[:0], text)
			return place, known, err
		}
	}
	at, of := 0, -1
	all := make([]any, g.width())
	place, targets := make([]any, len(all)+1), make([]any, len(all)+1)
	place[0] = &at
	return func(row engine.Row) (int, []any, error) {
		if err := row.Scan(place...); err != nil {
			return 0, nil, err
		}
		width := g.Parts[at].Table.width()
		if of != at { // what is behind the columns of its table stays out: most tables have few
			of = at
			clear(targets)
			for i := range all[:width] {
				targets[i+1] = &all[i]
			}
		}
		return at, all[:width], row.Scan(targets...)
	}
}

// isWhole compares the values of a row with its sum, which comes last. It encodes them in the space that
// it is given.
func (t Table) isWhole(values []any, space *[]byte) bool {
	last := t.width() - 1
	if len(values) != last+1 {
		return false
	}
	stored, _ := values[last].([]byte)
	encoded, err := t.encode((*space)[:0], values[:last])
	*space = encoded
	sum := sha256.Sum256(encoded)
	return err == nil && string(sum[:Size]) == string(stored)
}

// width is how many values a row has, with its sum.
func (t Table) width() int { return len(t.Key) + len(t.Columns) + 1 }

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
