package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"guiche/internal/atomicfile"
	"guiche/internal/postgres"
	"guiche/internal/problem"
	"guiche/internal/store/engine"
	"guiche/migrations"
)

// Database says where rows are kept that are not kept in the data folder. An address is
// postgres://user@host/database, with a password in it or not.
type Database struct {
	URL   string // of both halves, each in a schema of its own; "" means the data folder
	Owner string // with which the schema is changed; "" means the same
	// Service and ServiceOwner are those of the service, where it has another database.
	Service, ServiceOwner string
	Insecure              bool // servers on other machines without TLS, and certificates that nobody verifies
}

// database is what is open of a half, whatever engine keeps it.
type database = engine.Versioned

// onServer reports whether a database server keeps the rows, which other processes may share.
func (c Config) onServer() bool { return c.Database.URL != "" }

// checkDatabase refuses addresses that cannot be, and what a database server does itself.
func (c Config) checkDatabase() error {
	d := c.Database
	if d.URL == "" {
		if d != (Database{}) {
			return errors.New("GUICHE_DATABASE: other settings of a database server are set, and it is not named")
		}
		return nil
	}
	if d.ServiceOwner != "" && d.Service == "" {
		return errors.New("GUICHE_SERVICE_MIGRATE_DATABASE: GUICHE_SERVICE_DATABASE belongs to it")
	}
	var errs []error
	for _, s := range []setting{
		{"GUICHE_DATABASE", d.URL}, {"GUICHE_MIGRATE_DATABASE", d.Owner},
		{"GUICHE_SERVICE_DATABASE", d.Service}, {"GUICHE_SERVICE_MIGRATE_DATABASE", d.ServiceOwner},
	} {
		if s.value == "" {
			continue
		}
		if err := postgres.CheckURL(s.value, d.Insecure); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", s.name, err))
		}
	}
	if c.Backups.Folder != "" {
		errs = append(errs, fmt.Errorf("GUICHE_BACKUP_TO: %w", ErrServersTools))
	}
	return errors.Join(errs...)
}

// ErrServersTools says who copies a database that a server keeps.
var ErrServersTools = errors.New("the rows are in PostgreSQL (GUICHE_DATABASE), which is copied by its own tools: " +
	"pg_basebackup with its write-ahead log, or pg_dump; files in a bucket are kept by its versions, and keys are copied by hand")

// postgresOptions are how the database of a half is opened.
func (c Config) postgresOptions(half string) (o postgres.Options, setting string) {
	d := c.Database
	o = postgres.Options{URL: d.URL, Owner: d.Owner, Schema: half, Migrations: postgresSchemaOf(half), Unverified: d.Insecure, Clock: c.Clock,
		Updated: c.tellStep(half)}
	if half == serviceHalf && d.Service != "" {
		o.URL, o.Owner = d.Service, d.ServiceOwner
		return o, "GUICHE_SERVICE_DATABASE"
	}
	return o, "GUICHE_DATABASE"
}

// postgresSchemaOf is the schema that this version of the program gives a half on PostgreSQL.
func postgresSchemaOf(half string) fs.FS {
	if half == deskHalf {
		return migrations.PostgresDesk
	}
	return migrations.PostgresService
}

// openDatabase opens the database of a half and brings it to this version's schema. The error
// names the setting that a person would have to change.
func (c Config) openDatabase(ctx context.Context, half string) (db database, err error) {
	if c.onServer() {
		db, err = c.openOnServer(ctx, half)
	} else {
		db, err = c.openFile(ctx, half)
	}
	if err != nil {
		return nil, err
	}
	if half == deskHalf {
		if err := checkWhole(ctx, db); err != nil {
			return nil, errors.Join(err, db.Close())
		}
	}
	if newer := db.NewerSchema(); newer > 0 && c.disk != nil {
		c.Logger.WarnContext(ctx, "a newer version changed the database; this one goes on with what it knows of it",
			"database", half, "schema", newer)
	}
	return db, nil
}

// openFile opens the database of a half in the data folder.
func (c Config) openFile(ctx context.Context, half string) (database, error) {
	name, whose := "guiche.db", "desk's"
	if half == serviceHalf {
		name, whose = "service.db", "service's"
	}
	db, err := c.openUpdatable(ctx, half, name)
	if err != nil {
		return nil, fmt.Errorf("GUICHE_DATA: open the %s database: %w", whose, err)
	}
	return db, nil
}

// openOnServer opens the database of a half on its server.
func (c Config) openOnServer(ctx context.Context, half string) (database, error) {
	if err := atomicfile.EnsureFolder(filepath.Join(c.DataDir, half), 0o700); err != nil {
		return nil, fmt.Errorf("GUICHE_DATA: %w", err)
	}
	o, setting := c.postgresOptions(half)
	if c.beside {
		o.BeforeUpdate = func() error { return errEarlierSchema }
	}
	db, err := postgres.Open(ctx, o)
	if err != nil {
		return nil, c.serverError(setting, err)
	}
	return db, nil
}

// whileAway starts a program, for Config.Wait at most again and again while the server of its
// rows is out of reach: it may go in the middle of a start, and what was done of it stands as
// after a kill.
func whileAway[P any](ctx context.Context, c Config, start func(context.Context, Config) (P, error)) (P, error) {
	waiting, cancel := context.WithTimeout(ctx, c.Wait)
	defer cancel()
	for said := false; ; said = true {
		p, err := start(ctx, c)
		if err == nil || !c.onServer() || !passes(err) {
			return p, err
		}
		if !said {
			c.Logger.WarnContext(ctx, "the start waits for the database", "error", err)
		}
		select {
		case <-waiting.Done():
			return p, errors.Join(ctx.Err(), err) // who was told to stop did not fail
		case <-time.After(serverPause):
		}
	}
}

// passes reports whether a start may succeed a moment later.
func passes(err error) bool {
	return (problem.Is(err, problem.Busy) || errors.Is(err, problem.ErrUnknown)) && !errors.Is(err, postgres.ErrRefused)
}

// serverPause is between two starts while the database is out of reach.
const serverPause = 200 * time.Millisecond

// serverError names the setting and, where the role may not change the schema, the way out.
func (c Config) serverError(setting string, err error) error {
	if errors.Is(err, postgres.ErrNoRight) {
		return fmt.Errorf("%s: %w: run guiche migrate with GUICHE_MIGRATE_DATABASE, the address with the role that owns the schema", setting, err)
	}
	return fmt.Errorf("%s: %w", setting, err)
}

// warnOfServer tells at each start of a database that others could read on its way.
func (s *baseServer) warnOfServer(ctx context.Context) error {
	if s.config.Database.Insecure {
		s.config.Logger.WarnContext(ctx, "GUICHE_DATABASE_INSECURE: whoever is on the way to the database can read it and change it")
	}
	return nil
}

// checkThere refuses a server without an installation: a mistyped address must not become a
// new one.
func (c Config) checkThere(ctx context.Context) (err error) {
	o, setting := c.postgresOptions(deskHalf)
	o.Migrations = nil
	db, err := postgres.Open(ctx, o)
	if err != nil {
		return c.serverError(setting, err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	there, err := engine.Get(ctx, db, func(tx *engine.Tx) (bool, error) { return tx.HasTable(ctx, "schema_version") })
	if err == nil && !there {
		err = fmt.Errorf("%w in this database", errNoInstallation)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", setting, err)
	}
	return nil
}

// Migrate brings both halves to this version's schema, as the role that may, and changes nothing
// else. On a database server it may run beside programs that are up.
func Migrate(ctx context.Context, c Config) error {
	c = c.withDefaults()
	if err := c.checkDatabase(); err != nil {
		return err
	}
	if c.onServer() {
		return c.migrateOnServer(ctx)
	}
	if err := c.checkInstalled(ctx); err != nil {
		return err
	}
	unlock, err := c.Lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	for _, half := range halves() {
		if !exists(filepath.Join(c.DataDir, half.Name, half.File)) {
			continue // an installation without a service of its own
		}
		db, err := c.openDatabase(ctx, half.Name)
		if err == nil {
			err = db.Close()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (c Config) migrateOnServer(ctx context.Context) error {
	for _, half := range []string{deskHalf, serviceHalf} {
		o, setting := c.postgresOptions(half)
		if err := postgres.Migrate(ctx, o); err != nil {
			return c.serverError(setting, err)
		}
	}
	return nil
}

// takesChanges returns an error while a database server takes nothing new.
func takesChanges(ctx context.Context, db database) error {
	if server, ok := db.(*postgres.DB); ok {
		return server.TakesChanges(ctx)
	}
	return nil
}
