package checksum

import (
	"slices"
	"strings"
	"sync"
)

// words are the parts of a table's statements. They are put together once: that takes longer, and more memory,
// than all else that a row needs.
type words struct {
	key, others []string // Key and Columns of the table
	columns     []string // all that the sum covers, in the order of the encoding
	inserted    []string // columns and checksum
	list        string   // columns
	quoted      string   // the name as statements have it: a word of SQL may be one
	byKey       string   // holds for the row of a key
}

// known are the words of tables, by their names.
var known sync.Map

func (t Table) words() *words {
	if found, ok := known.Load(t.Name); ok {
		w := found.(*words) // nothing else is stored
		if slices.Equal(w.key, t.Key) && slices.Equal(w.others, t.Columns) {
			return w
		}
	}
	columns := slices.Clip(slices.Concat(t.Key, t.Columns))
	w := &words{
		key: slices.Clone(t.Key), others: slices.Clone(t.Columns), columns: columns,
		inserted: slices.Clip(append(columns, "checksum")), list: strings.Join(columns, ", "),
		quoted: `"` + t.Name + `"`, byKey: strings.Join(t.Key, " = ? AND ") + " = ?",
	}
	known.Store(t.Name, w)
	return w
}

// columns are not to be changed.
func (t Table) columns() []string { return t.words().columns }

func (t Table) quoted() string { return t.words().quoted }

func (t Table) byKey() string { return t.words().byKey }
