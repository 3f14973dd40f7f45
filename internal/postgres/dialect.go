package postgres

import (
	"context"
	"strings"

	"guiche/internal/store/engine"
)

var dialect = engine.Dialect{ByValue: byValue, Claim: "FOR UPDATE OF", ClaimEnd: "SKIP LOCKED", Typed: typed}

// byValue marks a statement whose plan is made for its values each time: see statement.
const byValue = ` /* by value */`

const between = ` || '\x00'::bytea || `

// typed implements Dialect.Typed, as bytes: no text here has U+0000.
func typed(columns []string) string {
	parts := make([]string, len(columns))
	for i, name := range columns {
		parts[i] = `CASE WHEN ` + name + ` IS NULL THEN 'null'::bytea ELSE convert_to(CAST(pg_typeof(` + name + `) AS text), 'UTF8')` + between +
			`convert_to(CAST(` + name + ` AS text), 'UTF8') END`
	}
	return strings.Join(parts, between)
}

// Dialect implements engine.Conn.
func (c *conn) Dialect() *engine.Dialect { return &dialect }

// WordsFrom implements engine.Conn. Beginnings are looked up as they are.
func (c *conn) WordsFrom(context.Context, engine.TextIndex, string, int) ([]string, error) {
	return nil, nil
}

// TextParts implements engine.Conn.
func (c *conn) TextParts(context.Context, engine.TextIndex) (int, error) { return 1, nil }

// MergeText implements engine.Conn. The server merges what it has to.
func (c *conn) MergeText(context.Context, engine.TextIndex, int) (bool, error) { return false, nil }

// RebuildText implements engine.Conn. What an index has of a row goes with the row.
func (c *conn) RebuildText(context.Context, engine.TextIndex) error { return nil }
