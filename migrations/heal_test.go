package migrations_test

import (
	"context"
	"database/sql"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"guiche/internal/sqlite"
	"guiche/migrations"

	"github.com/google/go-cmp/cmp"
)

// earlier is what service/00001 said of the table authorization_status at first.
const earlier, later = "-- operator's connector, or uid of the person\n", "-- operator's connector\n"

// TestService_EarlierText: a folder that got the earlier text of service/00001 has the
// schema of every other one in the end, and its rows.
func TestService_EarlierText(t *testing.T) {
	old, present := fstest.MapFS{}, fstest.MapFS{}
	names, err := fs.Glob(migrations.Service, "*.sql")
	must(t, err)
	for _, name := range names {
		content, err := fs.ReadFile(migrations.Service, name)
		must(t, err)
		present[name] = &fstest.MapFile{Data: content}
		if name < "00017" {
			old[name] = present[name]
		}
	}
	first := string(present["00001_service.sql"].Data)
	if strings.Count(first, later) != 1 {
		t.Fatal("service/00001 is not as expected")
	}
	old["00001_service.sql"] = &fstest.MapFile{Data: []byte(strings.Replace(first, later, earlier, 1))}

	path := filepath.Join(t.TempDir(), "service.db")
	migrate(t, path, old)
	before := query(t, path, `INSERT INTO authorization_entry (id, uid, request_id, number, status, document)
			VALUES (7, randomblob(16), 1, 1, 'A', '{}'), (8, randomblob(16), 1, 2, 'N', '{}');
		INSERT INTO authorization_status VALUES (1, 7, '', 'A', 100, 'simulada'), (4, 8, '', 'N', 200, 'uid')`, rows)
	migrate(t, path, present)
	if diff := cmp.Diff(before, query(t, path, ``, rows)); diff != "" || len(before) != 2 {
		t.Errorf("rows (-before +after):\n%s", diff)
	}
	fresh := filepath.Join(t.TempDir(), "service.db")
	migrate(t, fresh, present)
	const schema = `SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_schema ORDER BY type, name`
	if diff := cmp.Diff(query(t, fresh, ``, schema), query(t, path, ``, schema)); diff != "" {
		t.Errorf("schema (-fresh +healed):\n%s", diff)
	}
}

const rows = `SELECT id || ' ' || entry_id || ' ' || before || ' ' || after || ' ' || at || ' ' || actor
	FROM authorization_status ORDER BY id`

func migrate(t *testing.T, path string, files fs.FS) {
	t.Helper()
	db, err := sqlite.Open(context.Background(), sqlite.Options{Path: path, Migrations: files})
	must(t, err)
	must(t, db.Close())
}

// query runs statements without the rules of the schema and returns a column of texts.
func query(t *testing.T, path, statements, question string) (all []string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(path))
	must(t, err)
	defer func() { must(t, db.Close()) }()
	_, err = db.ExecContext(t.Context(), statements)
	must(t, err)
	found, err := db.QueryContext(t.Context(), question)
	must(t, err)
	defer found.Close()
	for found.Next() {
		var text string
		must(t, found.Scan(&text))
		all = append(all, text)
	}
	must(t, found.Err())
	return all
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}
