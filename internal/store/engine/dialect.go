package engine

import (
	"context"
	"sync"
)

// Dialect is what engines say differently, beside searches.
type Dialect struct {
	// Hint stands between a table's name and that of the index by which it is to be read; "" where the
	// engine finds that out itself.
	Hint string
	// ByValue stands in a query whose best plan depends on its values; "" where each execution is planned for
	// them anyway, or none is.
	ByValue string
	// Claim and a table's alias, then ClaimEnd, end a query for rows of the table that nobody else is to
	// take before the transaction ends; those that somebody else is taking are left out. "" where
	// nobody else writes.
	Claim, ClaimEnd string
	// ListedLetters is the longest beginning of words of which an index of texts has one list of rows,
	// in their order; lists of longer ones are merged from those of whole words, before anything is
	// found. 0 where an index looks up any beginning, and has no order.
	ListedLetters int
	// InOrder says that rows are numbered in the order in which they are committed: one transaction writes at
	// a time.
	InOrder bool
	// Typed is an expression for one text of some columns, with U+0000 between them: before each stands
	// the name of its type, bytes are written in hexadecimal digits, and of NULL there is "null" alone.
	// nil of an engine whose columns of a union hold values of any type.
	Typed func(columns []string) string
}

// Statement is the text of a statement, put together once for each engine.
type Statement struct{ texts sync.Map }

// Of returns the text for a transaction.
func (s *Statement) Of(tx *Tx, build func(*Dialect) string) string {
	dialect := tx.conn.Dialect()
	if text, ok := s.texts.Load(dialect); ok {
		return text.(string)
	}
	text, _ := s.texts.LoadOrStore(dialect, build(dialect))
	return text.(string)
}

// By has a query read the table before it by an index.
func (tx *Tx) By(index string) string {
	hint := tx.conn.Dialect().Hint
	if hint == "" || index == "" {
		return ""
	}
	return " " + hint + " " + index
}

// ByValue stands behind a table's name, and has the query planned for its values each time it runs: they decide
// how many rows an index leaves.
func (tx *Tx) ByValue() string { return tx.conn.Dialect().ByValue }

// Claim ends a query for rows of a table, by its alias, that nobody else is to take.
func (tx *Tx) Claim(alias string) string {
	d := tx.conn.Dialect()
	if d.Claim == "" {
		return ""
	}
	return " " + d.Claim + " " + alias + " " + d.ClaimEnd
}

// MixesTypes reports whether a column of a union may hold values of any type: see Dialect.Typed.
func (tx *Tx) MixesTypes() bool { return tx.conn.Dialect().Typed == nil }

// InOrder is Dialect.InOrder.
func (tx *Tx) InOrder() bool { return tx.conn.Dialect().InOrder }

// ListedLetters is Dialect.ListedLetters.
func (tx *Tx) ListedLetters() int { return tx.conn.Dialect().ListedLetters }

// WordsFrom are words of an index that begin so, at most so many, where the engine has
// ListedLetters.
func (tx *Tx) WordsFrom(ctx context.Context, index TextIndex, beginning string, most int) (words []string, err error) {
	if _, err = tx.ready(ctx, nil); err == nil {
		words, err = tx.conn.WordsFrom(ctx, index, beginning, most)
	}
	return words, Error(tx.noted(tx.orEnded(ctx, err)))
}

// TextParts is in how many parts an index stands, into each of which a search looks.
func (tx *Tx) TextParts(ctx context.Context, index TextIndex) (n int, err error) {
	if _, err = tx.ready(ctx, nil); err == nil {
		n, err = tx.conn.TextParts(ctx, index)
	}
	return n, Error(tx.noted(tx.orEnded(ctx, err)))
}

// MergeText merges so many pages of an index, with those of all its parts if the number is below
// zero, and reports whether there were any.
func (tx *Tx) MergeText(ctx context.Context, index TextIndex, pages int) (merged bool, err error) {
	if _, err = tx.ready(ctx, nil); err == nil {
		merged, err = tx.conn.MergeText(ctx, index, pages)
	}
	return merged, Error(tx.noted(tx.orEnded(ctx, err)))
}

// RebuildText makes an index again from the table whose texts it has, where rows of that may have
// gone without it.
func (tx *Tx) RebuildText(ctx context.Context, index TextIndex) (err error) {
	if _, err = tx.ready(ctx, nil); err == nil {
		err = tx.conn.RebuildText(ctx, index)
	}
	return Error(tx.noted(tx.orEnded(ctx, err)))
}
