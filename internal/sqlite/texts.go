package sqlite

import (
	"cmp"
	"slices"
	"strings"
)

// texts are the changes of full-text indexes in a transaction. They wait for its commit: FTS5 writes
// a part of an index whenever a savepoint is set behind a change, as for each job of a group and by
// many a statement. One behind the other, the changes of all jobs are one part.
type texts struct {
	changes []textChange
	written int // how many do not wait any more
	marks   []mark
	// failing says that a change failed with a commit: from then on none waits, so that whose change fails
	// is told, and nobody else of the group.
	failing bool
}

// textChange is a statement that has a row found by texts, or found by them no more.
type textChange struct {
	table     string
	id        int64
	statement string
	values    []any
}

// mark is how far changes had come when a savepoint was set: what is taken back to there was
// perhaps written behind it.
type mark struct{ changes, written int }

// mostTexts is how many changes wait: those of a whole history would take as much memory as it.
const mostTexts = 256

// changeText has a change made with the transaction.
func (c *conn) changeText(t textChange) error {
	c.texts.changes = append(c.texts.changes, t)
	if !c.texts.failing && len(c.texts.changes)-c.texts.written < mostTexts {
		return nil
	}
	return c.writeTexts()
}

// writeTexts makes the changes that wait. FTS5 collects them as long as row numbers rise.
func (c *conn) writeTexts() error {
	waiting := slices.Clone(c.texts.changes[c.texts.written:])
	c.texts.written = len(c.texts.changes)
	slices.SortStableFunc(waiting, func(a, b textChange) int {
		return cmp.Or(strings.Compare(a.table, b.table), cmp.Compare(a.id, b.id))
	})
	for _, t := range waiting {
		if _, _, err := c.run(t.statement, t.values); err != nil {
			return err
		}
	}
	return nil
}

// follow keeps step with a statement about a savepoint.
func (t *texts) follow(statement string) {
	last := len(t.marks) - 1
	switch {
	case strings.HasPrefix(statement, "SAVEPOINT "):
		t.marks = append(t.marks, mark{len(t.changes), t.written})
	case last < 0:
	case strings.HasPrefix(statement, "ROLLBACK TO "):
		t.changes, t.written = t.changes[:t.marks[last].changes], t.marks[last].written
	case strings.HasPrefix(statement, "RELEASE "):
		t.marks = t.marks[:last]
	}
}

// forget ends with the transaction.
func (t *texts) forget() {
	clear(t.changes) // their values
	t.changes, t.written, t.marks = t.changes[:0], 0, t.marks[:0]
}
