package sqlite

import (
	"context"
	"slices"
	"strings"

	"guiche/internal/store/engine"
)

// Match implements engine.Conn, by FTS5.
func (c *conn) Match(index engine.TextIndex, s engine.Search) engine.Found {
	if err := c.writeTexts(); err != nil {
		c.lost = err // the statement that follows says so
	}
	texts := ""
	if len(index.Labels) > 0 {
		texts = "{" + strings.Join(index.Columns, " ") + "} : "
	}
	return engine.Found{From: index.Table + `(?) t`, ID: `t.rowid`, Value: match(s, texts)}
}

// match is a search as FTS5 reads it. Quoted, no word is syntax. Texts restricts words to the
// columns that are no labels.
func match(s engine.Search, texts string) string {
	if s.Label != "" {
		texts = s.Label + " : "
	}
	word := texts + `"` + strings.ReplaceAll(s.Word, `"`, `""`) + `"`
	switch s.Kind {
	case engine.Beginning:
		return word + "*"
	case engine.AllOf:
		return matchAll(s.Of, " AND ", texts)
	case engine.AnyOf:
		return matchAll(s.Of, " OR ", texts)
	case engine.ButNot:
		return matchAll(s.Of, " NOT ", texts)
	}
	return word
}

func matchAll(of []engine.Search, between, texts string) string {
	parts := make([]string, len(of))
	for i, s := range of {
		parts[i] = match(s, texts)
	}
	return "(" + strings.Join(parts, between) + ")"
}

// AddText implements engine.Conn.
func (c *conn) AddText(_ context.Context, index engine.TextIndex, id int64, texts []string) error {
	columns := slices.Concat(index.Columns, index.Labels)
	return c.changeText(textChange{index.Table, id, `INSERT INTO ` + index.Table + ` (rowid, ` + strings.Join(columns, ", ") + `) VALUES (?` +
		strings.Repeat(", ?", len(columns)) + `)`, textValues(id, texts)})
}

// RemoveText implements engine.Conn.
func (c *conn) RemoveText(_ context.Context, index engine.TextIndex, id int64, texts []string) error {
	columns := slices.Concat(index.Columns, index.Labels)
	return c.changeText(textChange{index.Table, id, `INSERT INTO ` + index.Table + ` (` + index.Table + `, rowid, ` +
		strings.Join(columns, ", ") + `) VALUES ('delete', ?` + strings.Repeat(", ?", len(columns)) + `)`, textValues(id, texts)})
}

// ChangeText implements engine.Conn. What only grew, as the numbers of a case do, is found by what was
// added as well: to be taken out and put in again, each word would be written twice.
func (c *conn) ChangeText(ctx context.Context, index engine.TextIndex, id int64, was, is []string) error {
	if more, grew := grown(was, is); grew && len(index.Labels) == 0 { // a label would hide the words of before
		return c.AddText(ctx, index, id, more)
	}
	if err := c.RemoveText(ctx, index, id, was); err != nil {
		return err
	}
	return c.AddText(ctx, index, id, is)
}

// grown returns what was added to lists that are written with commas; ok is false where more
// changed than that.
func grown(was, is []string) (more []string, ok bool) {
	more = make([]string, len(is))
	for i := range is {
		rest, begins := strings.CutPrefix(is[i], was[i])
		if !begins || rest != "" && rest[0] != ',' {
			return nil, false
		}
		more[i] = rest
	}
	return more, true
}

func textValues(id int64, texts []string) []any {
	values := make([]any, 1, 1+len(texts))
	values[0] = id
	for _, text := range texts {
		values = append(values, text)
	}
	return values
}
