package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
)

// ErrNewerSchema says that a later version of the program wrote the file; to go
// on could lose what this version does not know.
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
		return fmt.Errorf("%w: schema %d, this version knows %d", ErrNewerSchema, current, target)
	}
	if o.BeforeUpdate != nil && 0 < current && current < target {
		if err := o.BeforeUpdate(ctx, db, current); err != nil {
			return fmt.Errorf("sqlite: before the update: %w", err)
		}
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("sqlite: migrate: %w", err)
	}
	return nil
}

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
	err = db.Read(ctx, func(tx *Tx) error {
		return tx.QueryRow(ctx, `SELECT coalesce(max(version_id), 0) = ? FROM goose_db_version`, newest).Scan(&same)
	})
	return same, Error(err)
}
