package postgres

import (
	"context"
	"strings"

	"guiche/internal/store/engine"
)

// Match implements engine.Conn, by tsvector: its table has the columns id and words. Words are
// folded and split in Go, so that they are those which SQLite finds.
func (c *conn) Match(index engine.TextIndex, s engine.Search) engine.Found {
	return engine.Found{
		From:  index.Table + ` t` + byValue + ` JOIN CAST(? AS tsquery) asked (words) ON t.words @@ asked.words`,
		ID:    `t.id`,
		Value: tsquery(s),
	}
}

// tsquery is a search as a tsquery is written.
func tsquery(s engine.Search) string {
	switch s.Kind {
	case engine.Beginning:
		return lexeme(s.Label, s.Word) + ":*"
	case engine.AllOf:
		return tsqueries(s.Of, " & ")
	case engine.AnyOf:
		return tsqueries(s.Of, " | ")
	case engine.ButNot:
		return tsqueries(s.Of, " & !")
	case engine.OneWord:
	}
	return lexeme(s.Label, s.Word)
}

func tsqueries(of []engine.Search, between string) string {
	parts := make([]string, len(of))
	for i, s := range of {
		parts[i] = tsquery(s)
	}
	return "(" + strings.Join(parts, between) + ")"
}

// longestWord is how many letters of a word count; PostgreSQL takes no more than 2046 bytes.
const longestWord = 500

// lexeme is a word as a tsvector has it, quoted. No word of a text looks like that of a label.
func lexeme(label, word string) string {
	word = engine.Fold(word)
	if runes := []rune(word); len(runes) > longestWord {
		word = string(runes[:longestWord])
	}
	if label != "" {
		word = label + "=" + word
	}
	return `'` + strings.NewReplacer(`'`, `''`, `\`, `\\`).Replace(word) + `'`
}

// AddText implements engine.Conn.
func (c *conn) AddText(ctx context.Context, index engine.TextIndex, id int64, texts []string) error {
	_, err := c.Exec(ctx, `INSERT INTO `+index.Table+` (id, words) VALUES (?, CAST(? AS tsvector))
		ON CONFLICT (id) DO UPDATE SET words = excluded.words`, []any{id, vector(index, texts)})
	return err
}

// RemoveText implements engine.Conn.
func (c *conn) RemoveText(ctx context.Context, index engine.TextIndex, id int64, _ []string) error {
	_, err := c.Exec(ctx, `DELETE FROM `+index.Table+` WHERE id = ?`, []any{id})
	return err
}

// ChangeText implements engine.Conn.
func (c *conn) ChangeText(ctx context.Context, index engine.TextIndex, id int64, _, is []string) error {
	return c.AddText(ctx, index, id, is)
}

// vector are the words of texts as a tsvector is written, without their places.
func vector(index engine.TextIndex, texts []string) string {
	var lexemes []string
	for i, text := range texts {
		if i >= len(index.Columns) {
			lexemes = append(lexemes, lexeme(index.Labels[i-len(index.Columns)], text))
			continue
		}
		for _, word := range engine.Words(text) {
			lexemes = append(lexemes, lexeme("", word))
		}
	}
	return strings.Join(lexemes, " ")
}
