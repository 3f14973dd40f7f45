package sqlite

import (
	"context"
	"errors"
	"io"

	"guiche/internal/store/engine"
)

// dialect is SQLite's. Its indexes of texts are made with prefix='1 2 3 4'.
var dialect = engine.Dialect{Hint: "INDEXED BY", ListedLetters: 4, InOrder: true}

// Dialect implements engine.Conn.
func (c *conn) Dialect() *engine.Dialect { return &dialect }

// WordsFrom implements engine.Conn. From each word it goes to the next with a search of its
// own: a word stands in the table of words once for each row.
func (c *conn) WordsFrom(ctx context.Context, index engine.TextIndex, beginning string, most int) (words []string, err error) {
	if err := c.writeTexts(); err != nil {
		return nil, failure(err)
	}
	rows, err := c.Query(ctx, `WITH RECURSIVE following (word) AS (
		SELECT (SELECT term FROM `+index.Words+` WHERE term >= ?1 LIMIT 1)
		UNION ALL SELECT (SELECT term FROM `+index.Words+` WHERE term >= word || char(1) LIMIT 1) FROM following
			WHERE substr(word, 1, length(?1)) = ?1 LIMIT ?2)
		SELECT word FROM following WHERE substr(word, 1, length(?1)) = ?1`, []any{beginning, most})
	if err != nil {
		return nil, err
	}
	for err = rows.Next(); err == nil; err = rows.Next() {
		var word string
		if err := rows.Scan([]any{&word}); err != nil {
			return nil, errors.Join(err, rows.Close())
		}
		words = append(words, word)
	}
	if !errors.Is(err, io.EOF) {
		return nil, errors.Join(err, rows.Close())
	}
	return words, rows.Close()
}

// TextParts implements engine.Conn.
func (c *conn) TextParts(ctx context.Context, index engine.TextIndex) (int, error) {
	if err := c.writeTexts(); err != nil {
		return 0, failure(err)
	}
	var n int
	err := c.one(ctx, &n, `SELECT COUNT(DISTINCT segid) FROM `+index.Table+`_idx`)
	return n, err
}

// MergeText implements engine.Conn.
func (c *conn) MergeText(ctx context.Context, index engine.TextIndex, pages int) (merged bool, err error) {
	if err := c.writeTexts(); err != nil {
		return false, failure(err)
	}
	var before, after int64
	if err := c.one(ctx, &before, `SELECT total_changes()`); err != nil {
		return false, err
	}
	if _, err := c.Exec(ctx, `INSERT INTO `+index.Table+` (`+index.Table+`, rank) VALUES ('merge', ?)`, []any{pages}); err != nil {
		return false, err
	}
	err = c.one(ctx, &after, `SELECT total_changes()`)
	return after-before > 1, err // one is the statement's own
}

// RebuildText implements engine.Conn.
func (c *conn) RebuildText(ctx context.Context, index engine.TextIndex) error {
	if err := c.writeTexts(); err != nil {
		return failure(err)
	}
	_, err := c.Exec(ctx, `INSERT INTO `+index.Table+` (`+index.Table+`) VALUES ('rebuild')`, nil)
	return err
}
