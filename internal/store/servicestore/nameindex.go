package servicestore

import (
	"context"
	"sort"
	"strings"

	"guiche/internal/sqlite"
)

// nameIndex is what credentials are searched by, in the order in which they are
// listed. It never changes; after a change of the credentials another is read.
type nameIndex struct {
	changes int64  // credential_changes.count when it was read
	text    string // the searched columns, a line each, so that one look passes over many
	rows    []nameRow
}

type nameRow struct {
	id       int64
	end      int // of its line in text, behind the line's end
	disabled bool
}

// currentNames returns the index of the credentials that tx sees. Whoever changes
// a credential, in this process or another, changes the count with it.
func (s *Store) currentNames(ctx context.Context, tx *sqlite.Tx) (*nameIndex, error) {
	var changes int64
	if err := tx.QueryRow(ctx, `SELECT count FROM credential_changes`).Scan(&changes); err != nil {
		return nil, err
	}
	s.reading.Lock() // of searches at the same moment one reads for all
	defer s.reading.Unlock()
	if s.names != nil && s.names.changes == changes {
		return s.names, nil
	}
	names, err := readNames(ctx, tx)
	if err != nil {
		return nil, err
	}
	names.changes = changes
	s.names = names
	return names, nil
}

func readNames(ctx context.Context, tx *sqlite.Tx) (*nameIndex, error) {
	var text strings.Builder
	rows, err := sqlite.List(ctx, tx, func(r sqlite.Row) (n nameRow, err error) {
		var searched string
		err = r.Scan(&n.id, &n.disabled, &searched)
		text.WriteString(searched)
		text.WriteByte('\n')
		n.end = text.Len()
		return n, err
	}, `SELECT id, disabled, searched FROM credential ORDER BY sort_name, id`)
	return &nameIndex{text: text.String(), rows: rows}, err
}

// find calls found with each credential that holds every word, in their order.
// The words are as strings.Fields returns them: without a line's end in them, none
// is found across two lines.
func (x *nameIndex) find(words []string, disabled bool, found func(id int64)) {
	rarest, others := longest(words)
	for i, from := 0, 0; i < len(x.rows); i++ {
		at := strings.Index(x.text[from:], rarest)
		if at < 0 {
			return
		}
		i = x.rowAt(i, from+at)
		row := x.rows[i]
		if (disabled || !row.disabled) && holdsAll(x.line(i), others) {
			found(row.id)
		}
		from = row.end
	}
}

// rowAt returns the row whose line holds a position; it is first or a later one.
func (x *nameIndex) rowAt(first, position int) int {
	if position < x.rows[first].end { // as with all words that are common
		return first
	}
	return first + sort.Search(len(x.rows)-first, func(i int) bool { return position < x.rows[first+i].end })
}

func (x *nameIndex) line(i int) string {
	start := 0
	if i > 0 {
		start = x.rows[i-1].end
	}
	return x.text[start:x.rows[i].end]
}

// longest takes the longest word, which is likely to be in the fewest lines, from
// the others. No word is in every line.
func longest(words []string) (word string, others []string) {
	for i, w := range words {
		if len(w) > len(word) {
			word, others = w, append(append([]string{}, words[:i]...), words[i+1:]...)
		}
	}
	return word, others
}

func holdsAll(line string, words []string) bool {
	for _, word := range words {
		if !strings.Contains(line, word) {
			return false
		}
	}
	return true
}
