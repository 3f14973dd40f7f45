package engine

import "context"

// Table is a table of rows by its names, which are the same in every engine. What an engine keeps to find
// words, and the versions of its schema, are no such tables.
type Table struct {
	Name    string
	Key     []string // columns of the primary key, in its order
	Columns []string // all others, in the order of their names
	Refers  []string // tables that its rows point at
}

// TableQueries are how an engine tells its tables, each query of one column of text. All but the first
// are of the table whose name is their argument.
type TableQueries struct{ Names, Key, Columns, Refers string }

// List returns the tables in the order of Names.
func (q TableQueries) List(ctx context.Context, db DB) ([]Table, error) {
	return Get(ctx, db, func(tx *Tx) (all []Table, err error) {
		names, err := List(ctx, tx, ScanText, q.Names)
		for _, name := range names {
			if err != nil {
				break
			}
			var t Table
			if t, err = q.table(ctx, tx, name); err == nil {
				all = append(all, t)
			}
		}
		return all, err
	})
}

func (q TableQueries) table(ctx context.Context, tx *Tx, name string) (t Table, err error) {
	t.Name = name
	if t.Key, err = List(ctx, tx, ScanText, q.Key, name); err != nil {
		return t, err
	}
	if t.Columns, err = List(ctx, tx, ScanText, q.Columns, name); err != nil {
		return t, err
	}
	t.Refers, err = List(ctx, tx, ScanText, q.Refers, name)
	return t, err
}

// ScanText reads a row of one text.
func ScanText(row Row) (text string, err error) {
	err = row.Scan(&text)
	return text, err
}

// TextSource says which texts an index finds rows by: of each row of a table its number and its texts,
// in the order of the index's columns and labels.
type TextSource struct {
	Index TextIndex
	Table string
	ID    string   // column
	Texts []string // expressions
}
