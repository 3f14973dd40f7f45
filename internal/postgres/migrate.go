package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"guiche/internal/store/engine"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// ErrNewerSchema says that a later version of the program wrote the database, and that one as old
// as this must not go on: it could lose what it does not know.
var ErrNewerSchema = errors.New("postgres: the database was written by a newer version of the program")

// ErrNoRight says that the schema is to be changed by another role.
var ErrNoRight = errors.New("postgres: this role may not change the schema; another one has to migrate it")

// migration is a file with a change of the schema.
type migration struct {
	version int64
	name    string
}

// migrationsOf are those of a folder, in their order.
func migrationsOf(files fs.FS) (all []migration, err error) {
	names, err := fs.Glob(files, "*.sql")
	if err != nil || len(names) == 0 {
		return nil, fmt.Errorf("postgres: read migrations: %w", cmp.Or(err, fs.ErrNotExist))
	}
	for _, name := range names {
		number, _, _ := strings.Cut(path.Base(name), "_")
		version, err := strconv.ParseInt(number, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("postgres: migration %s has no number", name)
		}
		all = append(all, migration{version, name})
	}
	slices.SortFunc(all, func(a, b migration) int { return cmp.Compare(a.version, b.version) })
	return all, nil
}

// migrate applies the missing migrations, unless there are none.
func (db *DB) migrate(ctx context.Context, o Options) error {
	all, err := migrationsOf(o.Migrations)
	if err != nil {
		return err
	}
	current, err := db.version(ctx)
	if err != nil {
		return err
	}
	switch target := all[len(all)-1].version; {
	case current > target:
		return db.goOn(ctx, current, target)
	case current == target:
		return nil
	}
	if o.BeforeUpdate != nil && current > 0 {
		if err := o.BeforeUpdate(); err != nil {
			return err
		}
	}
	return Migrate(ctx, o)
}

// version is that of the schema, 0 without one.
func (db *DB) version(ctx context.Context) (version int64, err error) {
	err = db.Read(ctx, func(tx *engine.Tx) error {
		version = 0
		there, err := tx.HasTable(ctx, "schema_version")
		if err != nil || !there {
			return err
		}
		return tx.QueryRow(ctx, `SELECT coalesce(max(version), 0) FROM schema_version`).Scan(&version)
	})
	if err != nil {
		return 0, fmt.Errorf("postgres: read schema version: %w", err)
	}
	return version, nil
}

// beginAgain is how often a migration begins again that met another one before there was
// anything to wait for.
const beginAgain = 20

// Migrate makes the schema where there is none and brings it up to date, in one transaction,
// as the role that may. Of several processes that start at once one does it, and the others
// wait for it.
func Migrate(ctx context.Context, o Options) error {
	all, err := migrationsOf(o.Migrations)
	if err != nil {
		return err
	}
	config, err := poolConfig(cmp.Or(o.Owner, o.URL), o.Unverified)
	if err != nil {
		return err
	}
	config.MaxConns = 1
	needPrimary(&config.ConnConfig.Config)
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return fmt.Errorf("postgres: migrate: %w", err)
	}
	defer pool.Close()
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return busy(notAcquired(ctx, err))
	}
	defer conn.Release()
	for range beginAgain {
		if err = migrateOn(ctx, conn.Conn().PgConn(), o, all); !metAnother(err) {
			break
		}
	}
	switch {
	case codeOf(err) == insufficientRight:
		return fmt.Errorf("%w: %w", ErrNoRight, failure(err))
	case err != nil:
		return busy(fmt.Errorf("postgres: migrate: %w", failure(err)))
	}
	return nil
}

// metAnother reports whether two processes made the same at once, which IF NOT EXISTS does
// not prevent.
func metAnother(err error) bool {
	return slices.Contains([]string{uniqueViolation, "42P06", "42P07", serializationFailure, deadlockDetected}, codeOf(err))
}

// migrateOn applies the missing migrations on a connection. The row of version 0 is held
// meanwhile.
func migrateOn(ctx context.Context, conn *pgconn.PgConn, o Options, all []migration) (err error) {
	do := func(text string) error {
		_, err := conn.Exec(ctx, text).ReadAll()
		return err
	}
	defer func() {
		if err != nil && !conn.IsClosed() {
			_, _ = conn.Exec(context.WithoutCancel(ctx), `ROLLBACK`).ReadAll() // the error tells enough
		}
	}()
	err = do(`BEGIN; SET LOCAL search_path = ` + o.Schema + `; SET LOCAL client_min_messages = warning;
		DO $$ BEGIN
			IF to_regnamespace('` + o.Schema + `') IS NULL THEN CREATE SCHEMA ` + o.Schema + `; END IF;
			IF to_regclass('schema_version') IS NULL THEN CREATE TABLE schema_version (version bigint PRIMARY KEY); END IF;
		END $$;
		INSERT INTO schema_version (version) VALUES (0) ON CONFLICT DO NOTHING;
		SELECT version FROM schema_version WHERE version = 0 FOR UPDATE`)
	if err != nil {
		return err
	}
	current, err := versionOn(ctx, conn)
	for _, m := range all {
		if err != nil || m.version <= current {
			continue
		}
		if err = apply(do, o.Migrations, m); err == nil && current > 0 && o.Updated != nil {
			o.Updated(ctx, m.version)
		}
	}
	if err != nil {
		return err
	}
	return do(`COMMIT`)
}

// versionOn is the schema's version as it is after the wait for the others.
func versionOn(ctx context.Context, conn *pgconn.PgConn) (int64, error) {
	results, err := conn.Exec(ctx, `SELECT max(version) FROM schema_version`).ReadAll()
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(string(results[0].Rows[0][0]), 10, 64)
}

func apply(do func(string) error, files fs.FS, m migration) error {
	content, err := fs.ReadFile(files, m.name)
	if err != nil {
		return err
	}
	if err := do(string(content)); err != nil {
		return fmt.Errorf("%s: %w", m.name, err)
	}
	return do(fmt.Sprintf(`INSERT INTO schema_version (version) VALUES (%d)`, m.version))
}

// goOn goes on with a schema of which this version knows a part only, if its migrations say that
// it may, and notes that it did: what a newer version keeps besides is not kept meanwhile.
func (db *DB) goOn(ctx context.Context, current, target int64) error {
	err := db.Write(ctx, func(tx *engine.Tx) error {
		var oldest int64
		if err := tx.QueryRow(ctx, `SELECT oldest FROM schema_floor`).Scan(&oldest); err != nil {
			return err
		}
		if target < oldest {
			return fmt.Errorf("%w: schema %d, this version knows %d and must know %d", ErrNewerSchema, current, target, oldest)
		}
		_, err := tx.Exec(ctx, `UPDATE schema_floor SET older = ?1 WHERE older = 0 OR older > ?1`, target)
		return err
	})
	if err != nil {
		return fmt.Errorf("postgres: go on with a newer schema: %w", err)
	}
	db.ahead = current
	return nil
}

// NewerSchema returns the schema of a database with which this version goes on although it
// knows a part of it only, 0 otherwise.
func (db *DB) NewerSchema() int64 { return db.ahead }

// HasSchema reports whether the database has just the schema of the migrations: neither
// an earlier nor a later one.
func (db *DB) HasSchema(ctx context.Context, files fs.FS) (bool, error) {
	all, err := migrationsOf(files)
	if err != nil {
		return false, err
	}
	current, err := db.version(ctx)
	return current == all[len(all)-1].version, err
}
