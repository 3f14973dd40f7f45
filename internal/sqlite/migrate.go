package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"

	"guiche/internal/store/engine"

	"github.com/pressly/goose/v3"
)

// ErrNewerSchema says that a later version of the program wrote the file, and that one as old
// as this must not go on: it could lose what it does not know.
var ErrNewerSchema = errors.New("sqlite: the database was written by a newer version of the program")

// migrate applies the missing migrations in order, each in a transaction.
func (db *DB) migrate(ctx context.Context, o Options) error {
	provider, err := goose.NewProvider(goose.DialectSQLite3, db.writer, o.Migrations, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return fmt.Errorf("sqlite: read migrations: %w", err)
	}
	current, target, err := provider.GetVersions(ctx)
	if err != nil {
		return fmt.Errorf("sqlite: read schema version: %w", err)
	}
	if current > target {
		return db.goOn(ctx, current, target)
	}
	if o.BeforeUpdate != nil && 0 < current && current < target {
		if err := o.BeforeUpdate(ctx, db, current); err != nil {
			return fmt.Errorf("sqlite: before the update: %w", err)
		}
	}
	if o.Updated != nil && 0 < current && current < target {
		return updateByOne(ctx, provider, o.Updated)
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("sqlite: migrate: %w", err)
	}
	return nil
}

// updateByOne applies the missing migrations and tells of each.
func updateByOne(ctx context.Context, provider *goose.Provider, updated func(context.Context, int64)) error {
	for {
		step, err := provider.UpByOne(ctx)
		if errors.Is(err, goose.ErrNoNextVersion) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("sqlite: migrate: %w", err)
		}
		updated(ctx, step.Source.Version)
	}
}

// goOn goes on with a schema of which this version knows a part only, if its migrations say that
// it may, and notes that it did: what a newer version keeps besides is not kept meanwhile.
func (db *DB) goOn(ctx context.Context, current, target int64) error {
	oldest, err := db.oldestProgram(ctx)
	if err != nil {
		return err
	}
	if target < oldest {
		return fmt.Errorf("%w: schema %d, this version knows %d and must know %d", ErrNewerSchema, current, target, oldest)
	}
	_, err = db.writer.ExecContext(ctx, `UPDATE schema_floor SET older = ?1 WHERE older = 0 OR older > ?1`, target)
	if err != nil {
		return fmt.Errorf("sqlite: go on with a newer schema: %w", err)
	}
	db.ahead = current
	return nil
}

// oldestProgram is the schema that a version must know to go on, more than any where none
// was noted yet.
func (db *DB) oldestProgram(ctx context.Context) (oldest int64, err error) {
	var noted bool
	err = db.writer.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'schema_floor')`).Scan(&noted)
	oldest = math.MaxInt64
	if err == nil && noted {
		err = db.writer.QueryRowContext(ctx, `SELECT oldest FROM schema_floor`).Scan(&oldest)
	}
	if err != nil {
		return 0, fmt.Errorf("sqlite: read which version may go on: %w", err)
	}
	return oldest, nil
}

// NewerSchema returns the schema of a database with which this version goes on although it
// knows a part of it only, 0 otherwise.
func (db *DB) NewerSchema() int64 { return db.ahead }

// HasSchema reports whether the database has just the schema of the migrations: neither
// an earlier nor a later one.
func (db *DB) HasSchema(ctx context.Context, migrations fs.FS) (same bool, err error) {
	files, err := fs.Glob(migrations, "*.sql")
	if err != nil || len(files) == 0 {
		return false, fmt.Errorf("sqlite: read migrations: %w", errors.Join(err, fs.ErrNotExist))
	}
	newest, err := goose.NumericComponent(files[len(files)-1])
	if err != nil {
		return false, fmt.Errorf("sqlite: read migrations: %w", err)
	}
	err = db.Read(ctx, func(tx *engine.Tx) error {
		return tx.QueryRow(ctx, `SELECT coalesce(max(version_id), 0) = ? FROM goose_db_version`, newest).Scan(&same)
	})
	return same, engine.Error(err)
}
