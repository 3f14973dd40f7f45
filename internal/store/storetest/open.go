package storetest

import (
	"context"
	"fmt"
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

// Open opens an empty database of the test's own, on the engine that the tests run on. A nil clock
// is the time.
func Open(tb testing.TB, schema fs.FS, clock func() time.Time) engine.DB {
	tb.Helper()
	open := openSQLite
	if OnPostgres() {
		open = openPostgres
	}
	db, err := open(tb, schema, clock)
	must(tb, err)
	tb.Cleanup(func() { _ = db.Close() })
	return db
}

func openSQLite(tb testing.TB, schema fs.FS, clock func() time.Time) (engine.DB, error) {
	tb.Helper()
	return sqlite.Open(context.Background(), sqlite.Options{Strict: true, Path: Migrated(tb, schema), Migrations: schema, Clock: clock})
}

// inPostgres are the migrations of PostgreSQL by those of SQLite.
var inPostgres = map[fs.FS]fs.FS{migrations.Desk: migrations.PostgresDesk, migrations.Service: migrations.PostgresService}

// templates are the addresses of empty databases by their schema: migrating each would take longer.
var templates = struct {
	sync.Mutex
	urls map[fs.FS]string
}{urls: map[fs.FS]string{}}

func openPostgres(tb testing.TB, schema fs.FS, clock func() time.Time) (engine.DB, error) {
	tb.Helper()
	files, ok := inPostgres[schema]
	if !ok {
		return nil, fmt.Errorf("storetest: this schema is not that of PostgreSQL")
	}
	templates.Lock()
	defer templates.Unlock()
	url := templates.urls[schema]
	if url == "" {
		url = postgrestest.Database(tb)
		if err := postgres.Migrate(tb.Context(), postgres.Options{URL: url, Schema: "guiche", Migrations: files}); err != nil {
			return nil, err
		}
		templates.urls[schema] = url
	}
	return postgres.Open(tb.Context(), postgres.Options{
		URL: postgrestest.Copy(tb, url), Schema: "guiche", Migrations: files, Clock: clock, Strict: true,
	})
}
