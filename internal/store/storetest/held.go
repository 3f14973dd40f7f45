package storetest

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"guiche/internal/store/engine"
)

// Held is all that the database holds, for a test that looks for what must not be there: the bytes
// of SQLite's files with their log, or the text of each row on a server. The database may be closed.
func (d *Database) Held(tb testing.TB) string {
	tb.Helper()
	if OnPostgres() {
		return d.Again(tb).rows(tb)
	}
	var all strings.Builder
	for _, end := range []string{"", "-wal"} {
		content, err := os.ReadFile(d.place + end)
		if end == "" || !errors.Is(err, os.ErrNotExist) { // a database that was closed has no log
			must(tb, err)
		}
		all.Write(content)
	}
	return all.String()
}

// rows are those of all tables as text, in which readable bytes stand as they are.
func (d *Database) rows(tb testing.TB) string {
	tb.Helper()
	ctx := tb.Context()
	rows, err := engine.Get(ctx, d, func(tx *engine.Tx) (all []string, err error) {
		if _, err := tx.Exec(ctx, `SET LOCAL bytea_output = escape`); err != nil {
			return nil, err
		}
		tables, err := engine.List(ctx, tx, scanText, words(d).tables)
		for _, table := range tables {
			if err == nil {
				var some []string
				some, err = engine.List(ctx, tx, scanText, `SELECT t::text FROM "`+table+`" t`)
				all = append(all, some...)
			}
		}
		return all, err
	})
	must(tb, err)
	return strings.Join(rows, "\n")
}

// Texts are the values of a length in all columns of text.
func (d *Database) Texts(tb testing.TB, length int) (all []string) {
	tb.Helper()
	ctx := tb.Context()
	tables, err := engine.Get(ctx, d, func(tx *engine.Tx) ([]string, error) { return engine.List(ctx, tx, scanText, words(d).tables) })
	must(tb, err)
	for _, table := range tables {
		for _, c := range columnsOf(tb, d, table) {
			if !strings.EqualFold(c.kind, "text") {
				continue
			}
			found, err := engine.Get(ctx, d, func(tx *engine.Tx) ([]string, error) {
				return engine.List(ctx, tx, scanText, `SELECT "`+c.name+`" FROM "`+table+`" WHERE length("`+c.name+`") = ?`, length)
			})
			must(tb, err)
			all = append(all, found...)
		}
	}
	return all
}

// AsKilled is where the database is as it stands when a process is killed now, for At: SQLite's files
// as they are beside those that are open; a server keeps what was committed where it is.
func (d *Database) AsKilled(tb testing.TB) (place string) {
	tb.Helper()
	if OnPostgres() {
		return d.place
	}
	folder := tb.TempDir()
	must(tb, os.CopyFS(folder, os.DirFS(filepath.Dir(d.place))))
	return filepath.Join(folder, filepath.Base(d.place))
}
