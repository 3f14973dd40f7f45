package storetest

import (
	"context"
	"strings"
	"testing"

	"guiche/internal/store/checksum"
	"guiche/internal/store/engine"
)

// dialect is what tests of stores ask of an engine in its own words.
type dialect struct {
	columns  string // of the table ?, with their types
	withSums string // the tables that have a column for them
	tables   string // all of them
	unguard  func(context.Context, *engine.Tx) error
	checked  []string          // the checks that unguard left out
	loosened string            // foreign keys, until the transaction ends
	broken   string            // a trigger before %event on %table
	mended   string            // %table without it
	changed  map[string]string // a value of %column that no row has, by the column's type
}

var inSQLite = dialect{
	columns:  `SELECT name, type FROM pragma_table_info(?) WHERE name <> 'checksum'`,
	withSums: `SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c ON c.name = 'checksum' WHERE m.type = 'table'`,
	tables:   `SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name`,
	unguard:  unguardSQLite,
	checked:  []string{`PRAGMA ignore_check_constraints = OFF`},
	loosened: `PRAGMA defer_foreign_keys = ON`,
	broken:   `CREATE TRIGGER broken BEFORE %event ON "%table" BEGIN SELECT RAISE(ABORT, 'broken'); END`,
	mended:   `DROP TRIGGER broken`,
	changed:  map[string]string{"INTEGER": `COALESCE(%column, 0) + 1000003`, "TEXT": `COALESCE(%column, '') || ' '`, "BLOB": `randomblob(16)`},
}

var ofPostgres = dialect{
	columns: `SELECT column_name::text, data_type::text FROM information_schema.columns
		WHERE table_schema = current_schema() AND table_name = ? AND column_name <> 'checksum'`,
	withSums: `SELECT table_name::text FROM information_schema.columns
		WHERE table_schema = current_schema() AND column_name = 'checksum'`,
	tables:  `SELECT relname::text FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' ORDER BY relname`,
	unguard: unguardPostgres,
	loosened: `DO $$ DECLARE r record; BEGIN
		FOR r IN SELECT conrelid::regclass AS name, conname FROM pg_constraint
			WHERE connamespace = current_schema()::regnamespace AND contype = 'f' LOOP
			EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', r.name, r.conname);
		END LOOP;
	END $$`,
	broken: `CREATE TRIGGER broken BEFORE %event ON "%table" FOR EACH ROW EXECUTE FUNCTION refuse('broken')`,
	mended: `DROP TRIGGER broken ON "%table"`,
	changed: map[string]string{"bigint": `COALESCE(%column, 0) + 1000003`, "smallint": `COALESCE(%column, 0) + 3`,
		"text": `COALESCE(%column, '') || ' '`, "bytea": `decode(md5(random()::text), 'hex')`},
}

// words are those of the engine that the tests run on.
func words(db engine.DB) dialect {
	if db.Shared() {
		return ofPostgres
	}
	return inSQLite
}

// column is a column as the schema declares it.
type column struct{ name, kind string }

// Columns are the names of a table's columns, but for that of its sums.
func Columns(tb testing.TB, db engine.DB, table string) []string {
	tb.Helper()
	var names []string
	for _, c := range columnsOf(tb, db, table) {
		names = append(names, c.name)
	}
	return names
}

func scanColumn(row engine.Row) (c column, err error) {
	err = row.Scan(&c.name, &c.kind)
	return c, err
}

func columnsOf(tb testing.TB, db engine.DB, table string) []column {
	tb.Helper()
	all, err := engine.Get(tb.Context(), db, func(tx *engine.Tx) ([]column, error) {
		return engine.List(tb.Context(), tx, scanColumn, words(db).columns, table)
	})
	if err != nil || len(all) == 0 {
		tb.Fatalf("%s: %d columns, error %v", table, len(all), err)
	}
	return all
}

// tablesWithSums are the tables whose rows carry checksums.
func tablesWithSums(tb testing.TB, db engine.DB) []string {
	tb.Helper()
	all, err := engine.Get(tb.Context(), db, func(tx *engine.Tx) ([]string, error) {
		return engine.List(tb.Context(), tx, scanText, words(db).withSums)
	})
	must(tb, err)
	return all
}

// Unguard takes away what keeps the schema's own rules, so that only sums are left.
func Unguard(tb testing.TB, db engine.DB) {
	tb.Helper()
	must(tb, db.Write(tb.Context(), func(tx *engine.Tx) error { return words(db).unguard(tb.Context(), tx) }))
}

// CheckAgain has the schema take only what it allows again, after Unguard, where an engine only left
// that out.
func CheckAgain(tb testing.TB, db engine.DB) {
	tb.Helper()
	for _, statement := range words(db).checked {
		must(tb, db.Write(tb.Context(), func(tx *engine.Tx) error {
			_, err := tx.Exec(tb.Context(), statement)
			return err
		}))
	}
}

func unguardSQLite(ctx context.Context, tx *engine.Tx) error {
	if _, err := tx.Exec(ctx, `PRAGMA ignore_check_constraints = ON`); err != nil {
		return err
	}
	triggers, err := engine.List(ctx, tx, scanText, `SELECT name FROM sqlite_master WHERE type = 'trigger'`)
	for _, name := range triggers {
		if _, err := tx.Exec(ctx, `DROP TRIGGER `+name); err != nil {
			return err
		}
	}
	return err
}

func unguardPostgres(ctx context.Context, tx *engine.Tx) error {
	_, err := tx.Exec(ctx, `DO $$ DECLARE r record; BEGIN
		FOR r IN SELECT conrelid::regclass AS name, conname FROM pg_constraint
			WHERE connamespace = current_schema()::regnamespace AND contype IN ('c', 'f') LOOP
			EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', r.name, r.conname);
		END LOOP;
		FOR r IN SELECT DISTINCT tgrelid::regclass AS name FROM pg_trigger WHERE NOT tgisinternal LOOP
			EXECUTE format('ALTER TABLE %s DISABLE TRIGGER USER', r.name);
		END LOOP;
	END $$`)
	return err
}

// Break has each statement of a kind fail, as in "INSERT ON request", until mend is called.
func Break(tb testing.TB, db engine.DB, statements string) (mend func()) {
	tb.Helper()
	event, table, _ := strings.Cut(statements, " ON ")
	run := func(statement string) {
		tb.Helper()
		must(tb, db.Write(tb.Context(), func(tx *engine.Tx) error {
			_, err := tx.Exec(tb.Context(), strings.NewReplacer("%event", event, "%table", table).Replace(statement))
			return err
		}))
	}
	run(words(db).broken)
	return func() { tb.Helper(); run(words(db).mended) }
}

// Loosen has rows point at nothing until the transaction ends, which is taken back.
func Loosen(tb testing.TB, db engine.DB, tx *engine.Tx) {
	tb.Helper()
	_, err := tx.Exec(tb.Context(), words(db).loosened)
	must(tb, err)
}

// changeOne changes one column of one row.
func changeOne(tb testing.TB, db engine.DB, tx *engine.Tx, table checksum.Table, c column) {
	tb.Helper()
	Loosen(tb, db, tx)
	key := strings.Join(table.Key, ", ")
	value := strings.ReplaceAll(words(db).changed[c.kind], "%column", c.name)
	n, err := tx.Exec(tb.Context(), `UPDATE "`+table.Name+`" SET `+c.name+` = `+value+`
		WHERE (`+key+`) = (SELECT `+key+` FROM "`+table.Name+`" LIMIT 1)`)
	must(tb, err)
	if n != 1 {
		tb.Errorf("%s: no row to change", table.Name)
	}
}
