package postgres

import (
	"context"

	"guiche/internal/store/engine"
)

var dialect = engine.Dialect{Claim: " FOR UPDATE SKIP LOCKED"}

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
