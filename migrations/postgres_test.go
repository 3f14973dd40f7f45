package migrations_test

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"guiche/internal/postgres/postgrestest"
	"guiche/migrations"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
)

// halves are the folders of migrations by engine.
var halves = map[string]struct{ sqlite, postgres fs.FS }{
	"desk":    {migrations.Desk, migrations.PostgresDesk},
	"service": {migrations.Service, migrations.PostgresService},
}

// TestPostgres_Versions: the schemas of both engines have the same newest version.
func TestPostgres_Versions(t *testing.T) {
	for half, files := range halves {
		if ours, theirs := newest(t, files.sqlite), newest(t, files.postgres); ours != theirs {
			t.Errorf("%s ends with %s, postgres/%s with %s: a change of the schema is a file of the same number in both", half, ours, half, theirs)
		}
	}
}

func newest(t *testing.T, files fs.FS) string {
	t.Helper()
	names, err := fs.Glob(files, "*.sql")
	must(t, err)
	last := ""
	for _, name := range names {
		last = max(last, name[:5])
	}
	return last
}

// TestPostgres_Schema: both engines have the same tables, columns, keys and triggers. What is searched
// by words is in tables of each engine's own, which SQLite fills by triggers in part.
func TestPostgres_Schema(t *testing.T) {
	for half, files := range halves {
		t.Run(half, func(t *testing.T) {
			conn := applied(t, files.postgres)
			path := filepath.Join(t.TempDir(), half+".db")
			migrate(t, path, files.sqlite)
			for what, q := range schemaQueries {
				want := query(t, path, ``, q.sqlite)
				got := postgresQuery(t, conn, q.postgres)
				slices.Sort(want)
				slices.Sort(got)
				if diff := cmp.Diff(want, got); diff != "" || len(want) == 0 {
					t.Errorf("%s (-SQLite +PostgreSQL):\n%s", what, diff)
				}
			}
		})
	}
}

// ordinary are the tables of SQLite that are not made for a search by words.
const ordinary = `sqlite_schema m WHERE m.type = 'table' AND m.sql NOT LIKE 'CREATE VIRTUAL %' AND m.name NOT LIKE 'sqlite\_%' ESCAPE '\'
	AND m.name <> 'goose_db_version' AND NOT EXISTS (SELECT 1 FROM sqlite_schema v
		WHERE v.sql LIKE 'CREATE VIRTUAL %' AND m.name LIKE replace(v.name, '_', '\_') || '\_%' ESCAPE '\')`

// theirs are those of PostgreSQL.
const theirs = `pg_class c WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
	AND NOT EXISTS (SELECT 1 FROM pg_attribute w WHERE w.attrelid = c.oid AND w.atttypid = 'tsvector'::regtype)`

// schemaQueries ask both engines for the same, a line each.
var schemaQueries = map[string]struct{ sqlite, postgres string }{
	"columns": {
		`SELECT t.name || '.' || i.name || CASE i.type WHEN 'INTEGER' THEN ' number' WHEN 'TEXT' THEN ' text C' ELSE ' bytes' END
				|| iif(i."notnull" OR i.pk > 0, ' not null', '') || iif(i.dflt_value IS NULL, '', ' default ' || ltrim(i.dflt_value, 'x'))
			FROM (SELECT m.name FROM ` + ordinary + `) t JOIN pragma_table_info(t.name) i`,
		`SELECT t.relname || '.' || a.attname || CASE format_type(a.atttypid, NULL) WHEN 'bigint' THEN ' number' WHEN 'smallint' THEN ' number'
				WHEN 'text' THEN ' text ' || (SELECT collname FROM pg_collation WHERE oid = a.attcollation)
				WHEN 'bytea' THEN ' bytes' ELSE format_type(a.atttypid, NULL) END
				|| CASE WHEN a.attnotnull THEN ' not null' ELSE '' END
				|| coalesce(' default ' || regexp_replace(replace(pg_get_expr(d.adbin, d.adrelid), '\x', ''), '::[a-z]+$', ''), '')
			FROM (SELECT c.oid, c.relname FROM ` + theirs + `) t JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
			LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum`,
	},
	"unique keys": {
		`SELECT t.name || ' (' || (SELECT group_concat(name, ', ') FROM (SELECT name FROM pragma_index_info(i.name) ORDER BY seqno)) || ')'
				|| iif(i.partial, ' of some', '')
			FROM (SELECT m.name FROM ` + ordinary + `) t JOIN pragma_index_list(t.name) i WHERE i."unique"
		UNION SELECT t.name || ' (' || i.name || ')' FROM (SELECT m.name FROM ` + ordinary + `) t JOIN pragma_table_info(t.name) i
			WHERE i.pk = 1 AND i.type = 'INTEGER' AND (SELECT count(*) FROM pragma_table_info(t.name) WHERE pk > 0) = 1`,
		`SELECT t.relname || ' (' || (SELECT string_agg(a.attname, ', ' ORDER BY k.place) FROM unnest(i.indkey) WITH ORDINALITY k (num, place)
				JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.num) || ')' || CASE WHEN i.indpred IS NULL THEN '' ELSE ' of some' END
			FROM (SELECT c.oid, c.relname FROM ` + theirs + `) t JOIN pg_index i ON i.indrelid = t.oid AND i.indisunique`,
	},
	"references": {
		`SELECT t.name || '.' || f."from" || ' ' || f."table" || ' (' || coalesce(f."to", '') || ') ' || f.on_delete
			FROM (SELECT m.name FROM ` + ordinary + `) t JOIN pragma_foreign_key_list(t.name) f`,
		`SELECT t.relname || '.' || a.attname || ' ' || r.relname || ' (' || b.attname || ') '
				|| CASE k.confdeltype WHEN 'a' THEN 'NO ACTION' WHEN 'c' THEN 'CASCADE' WHEN 'r' THEN 'RESTRICT' ELSE '?' END
			FROM (SELECT c.oid, c.relname FROM ` + theirs + `) t JOIN pg_constraint k ON k.conrelid = t.oid AND k.contype = 'f'
			JOIN pg_class r ON r.oid = k.confrelid JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.conkey[1]
			JOIN pg_attribute b ON b.attrelid = r.oid AND b.attnum = k.confkey[1]`,
	},
	"triggers": {
		`SELECT tbl_name || ' ' || name FROM sqlite_schema WHERE type = 'trigger' AND sql NOT LIKE '%INSERT INTO%\_text %' ESCAPE '\'`,
		`SELECT t.relname || ' ' || g.tgname FROM (SELECT c.oid, c.relname FROM ` + theirs + `) t JOIN pg_trigger g ON g.tgrelid = t.oid
			WHERE NOT g.tgisinternal AND g.tgname NOT LIKE '%\_no\_truncate'`,
	},
}

// TestPostgres_Refusals: what SQLite refuses by a trigger PostgreSQL refuses in the same words.
func TestPostgres_Refusals(t *testing.T) {
	for half, files := range halves {
		conn := applied(t, files.postgres)
		path := filepath.Join(t.TempDir(), half+".db")
		migrate(t, path, files.sqlite)
		sentence := regexp.MustCompile(`RAISE\(ABORT, ('[^']*')\)`)
		for _, line := range query(t, path, ``, `SELECT tbl_name || '.' || name || char(10) || sql FROM sqlite_schema WHERE type = 'trigger'
			AND sql LIKE '%RAISE%'`) {
			trigger, text, _ := strings.Cut(line, "\n")
			table, name, _ := strings.Cut(trigger, ".")
			there := postgresQuery(t, conn, fmt.Sprintf(`SELECT pg_get_triggerdef(t.oid) || p.prosrc FROM pg_trigger t
				JOIN pg_proc p ON p.oid = t.tgfoid WHERE t.tgrelid = '"%s"'::regclass AND t.tgname = '%s'`, table, name))
			if want := sentence.FindStringSubmatch(text)[1]; len(there) != 1 || !strings.Contains(there[0], want) {
				t.Errorf("%s: no trigger %s that says %s", half, trigger, want)
			}
		}
	}
}

// applied returns a connection to a new database that has a schema.
func applied(t *testing.T, files fs.FS) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), postgrestest.Database(t))
	must(t, err)
	t.Cleanup(func() { _ = conn.Close(t.Context()) })
	names, err := fs.Glob(files, "*.sql")
	must(t, err)
	for _, name := range names {
		content, err := fs.ReadFile(files, name)
		must(t, err)
		_, err = conn.Exec(t.Context(), string(content))
		must(t, err)
	}
	return conn
}

func postgresQuery(t *testing.T, conn *pgx.Conn, question string) []string {
	t.Helper()
	found, err := conn.Query(t.Context(), question)
	must(t, err)
	all, err := pgx.CollectRows(found, pgx.RowTo[string])
	must(t, err)
	return all
}
