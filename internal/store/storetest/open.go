package storetest

import (
	"context"
	"io/fs"
	"os"
	"sync"
	"testing"
	"time"

	"guiche/internal/postgres"
	"guiche/internal/postgres/postgrestest"
	"guiche/internal/sqlite"
	"guiche/internal/store/engine"
	"guiche/migrations"
)

// OnPostgres reports whether the tests of stores run on PostgreSQL, as GUICHE_TEST_ENGINE says.
func OnPostgres() bool { return os.Getenv("GUICHE_TEST_ENGINE") == "postgres" }

// OfSQLite is for a test of what SQLite alone does: on another engine it is left out.
func OfSQLite(tb testing.TB) {
	tb.Helper()
	if OnPostgres() {
		tb.Skip("of SQLite alone")
	}
}

// Database is a database of a test's own, on the engine that the tests run on.
type Database struct {
	engine.DB
	place  string // its path, or its address
	schema Schema
	clock  func() time.Time
}

// Schema are the migrations of a schema, in the words of each engine.
type Schema struct{ SQLite, Postgres fs.FS }

// Open opens an empty database. A nil clock is the time.
func Open(tb testing.TB, schema fs.FS, clock func() time.Time) *Database {
	tb.Helper()
	return both(schema).Open(tb, clock)
}

// both are the migrations of a half in the words of each engine.
func both(schema fs.FS) Schema {
	return Schema{schema, map[fs.FS]fs.FS{
		migrations.Desk: migrations.PostgresDesk, migrations.Service: migrations.PostgresService,
	}[schema]}
}

// Open is Open for a schema of a test's own. Its file systems are comparable.
func (s Schema) Open(tb testing.TB, clock func() time.Time) *Database {
	tb.Helper()
	d := &Database{place: s.empty(tb), schema: s, clock: clock}
	return d.Again(tb)
}

// empty is where a new database is.
func (s Schema) empty(tb testing.TB) (place string) {
	tb.Helper()
	if OnPostgres() {
		return postgrestest.Copy(tb, template(tb, s.Postgres))
	}
	return Migrated(tb, s.SQLite)
}

// Empty makes an empty database, for At.
func Empty(tb testing.TB, schema fs.FS) (place string) {
	tb.Helper()
	return both(schema).empty(tb)
}

// At opens a database where it is. A nil clock is the time.
func At(tb testing.TB, schema fs.FS, place string, clock func() time.Time) *Database {
	tb.Helper()
	d := &Database{place: place, schema: both(schema), clock: clock}
	return d.Again(tb)
}

// Again opens the database once more, as another process would.
func (d *Database) Again(tb testing.TB) *Database {
	tb.Helper()
	again := *d
	var err error
	if OnPostgres() {
		again.DB, err = d.postgres(tb)
	} else {
		again.DB, err = sqlite.Open(context.Background(), sqlite.Options{
			Strict: true, Path: d.place, Migrations: d.schema.SQLite, Clock: d.clock,
		})
	}
	must(tb, err)
	tb.Cleanup(func() { _ = again.Close() })
	return &again
}

func (d *Database) postgres(tb testing.TB) (*postgres.DB, error) {
	tb.Helper()
	return postgres.Open(tb.Context(), postgres.Options{
		URL: Short(d.place) + "&pool_max_conns=4", Schema: inPostgres, Migrations: d.schema.Postgres, Clock: d.clock, Strict: true,
	})
}

// Short is the address of a database for connections that a test uses for seconds: what they ask is planned
// once on each, as on one that has been used for a while. Planning would be a third of what tests ask of the server.
func Short(url string) string { return url + "&plan_cache_mode=force_generic_plan" }

// copied opens a copy of the database, which nobody has open.
func (d *Database) copied(tb testing.TB) *Database {
	tb.Helper()
	other := *d
	other.place = d.Keep(tb).Copy(tb)
	return other.Again(tb)
}

// Kept is what a database held, with which others begin: filling each anew would be most of the
// time of tests. It lasts as long as the binary.
type Kept struct {
	content []byte // of the file
	url     string // of a database that nobody opens
}

// Keep keeps what the database holds. Nobody has it open any more.
func (d *Database) Keep(tb testing.TB) Kept {
	tb.Helper()
	if OnPostgres() {
		return Kept{url: postgrestest.Keep(tb, d.place)}
	}
	content, err := os.ReadFile(d.place)
	must(tb, err)
	return Kept{content: content}
}

// Copy makes a database of the test's own with what was kept, for At.
func (k Kept) Copy(tb testing.TB) (place string) {
	tb.Helper()
	if OnPostgres() {
		return postgrestest.Copy(tb, k.url)
	}
	return writtenTo(tb, k.content)
}

// Path is the file of a database of SQLite.
func (d *Database) Path() string { return d.place }

// inPostgres is the schema there in which tests have their tables.
const inPostgres = "guiche"

// templates are the addresses of empty databases by their schema: migrating each would take longer.
var templates = struct {
	sync.Mutex
	urls map[fs.FS]string
}{urls: map[fs.FS]string{}}

// template is the address of an empty database.
func template(tb testing.TB, files fs.FS) string {
	tb.Helper()
	templates.Lock()
	defer templates.Unlock()
	if templates.urls[files] == "" {
		url := postgrestest.Database(tb)
		must(tb, postgres.Migrate(tb.Context(), postgres.Options{URL: url, Schema: inPostgres, Migrations: files}))
		templates.urls[files] = url
	}
	return templates.urls[files]
}
