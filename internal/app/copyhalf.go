package app

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"guiche/internal/copying"
	"guiche/internal/postgres"
	"guiche/internal/sqlite"
	"guiche/internal/store/caselist"
	"guiche/internal/store/deskstore"
	"guiche/internal/store/directorystore"
	"guiche/internal/store/engine"
)

// copyDatabase is a database that is copied, or copied to.
type copyDatabase interface {
	copying.Target
	HasSchema(ctx context.Context, files fs.FS) (bool, error)
}

// copyHalf says what is particular about the tables of a half.
func copyHalf(half string, from copying.Source, to copying.Target) copying.Half {
	h := copying.Half{From: from, To: to, Own: []string{"schema_floor"}, Given: []string{"schema_floor"},
		Replaced: []string{"checksum_pending"}}
	if half == serviceHalf {
		h.Own = append(h.Own, "traffic", "traffic_process") // of the processes that run
		h.Given = append(h.Given, "status", "status_transition")
		h.Replaced = append(h.Replaced, "credential_changes")
		return h
	}
	h.Own = append(h.Own, "bucket", "history") // where files are; the words of cases, in the engine's order
	h.Made = append(h.Made, caselist.LearnNext)
	h.Given = append(h.Given, "audit_lease")
	h.Texts = []engine.TextSource{caselist.Texts(), deskstore.KnownTexts(), directorystore.ProcedureTexts()}
	return h
}

var errOtherSchema = errors.New("the source has the schema of another version of the program: " +
	"bring it to this version's with guiche migrate and its settings, then copy it")

// openToCopy opens a half of the source to read it, nil where there is none.
func (c Config) openToCopy(ctx context.Context, half string) (db copyDatabase, err error) {
	files := schemaOf(half)
	if c.onServer() {
		o, setting := c.postgresOptions(half)
		o.Migrations, files = nil, postgresSchemaOf(half)
		if db, err = postgres.Open(ctx, o); err != nil {
			return nil, c.serverError(setting, err)
		}
		there, err := hasHalf(ctx, db)
		if err == nil && !there && half == serviceHalf {
			return nil, db.Close()
		}
		if err != nil {
			return nil, errors.Join(err, db.Close())
		}
	} else if db, err = c.openFileToCopy(ctx, half); db == nil || err != nil {
		return nil, err
	}
	same, err := db.HasSchema(ctx, files)
	if err == nil && !same {
		err = errOtherSchema
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// hasHalf reports whether a database on a server has the schema of a half, of whatever version.
func hasHalf(ctx context.Context, db engine.DB) (bool, error) {
	return engine.Get(ctx, db, func(tx *engine.Tx) (bool, error) { return tx.HasTable(ctx, "schema_version") })
}

// openFileToCopy opens a database in the data folder and leaves it as it is, with what a killed process left
// beside it.
func (c Config) openFileToCopy(ctx context.Context, half string) (copyDatabase, error) {
	path := c.databaseFile(half)
	if half == serviceHalf && !exists(path) {
		return nil, nil // an installation without a service of its own
	}
	open := sqlite.OpenCopy
	if log, err := os.Stat(path + "-wal"); err == nil && log.Size() > 0 {
		open = sqlite.OpenToRead
	}
	db, err := open(ctx, path)
	if err != nil {
		return nil, err
	}
	return db, nil
}

// databaseFile is where the data folder has the database of a half.
func (c Config) databaseFile(half string) string {
	for _, h := range halves() {
		if h.Name == half {
			return filepath.Join(c.DataDir, h.Name, h.File)
		}
	}
	return ""
}

// openCopiedTo opens a half of the target, and makes it where there is none.
func (c Config) openCopiedTo(ctx context.Context, half string) (copyDatabase, error) {
	if !c.onServer() {
		db, err := sqlite.Open(ctx, sqlite.Options{Path: c.databaseFile(half), Migrations: schemaOf(half), Clock: c.Clock})
		if err != nil {
			return nil, err
		}
		return db, nil
	}
	o, setting := c.postgresOptions(half)
	o.URL = cmp.Or(o.Owner, o.URL) // triggers are the owner's
	db, err := postgres.Open(ctx, o)
	if err != nil {
		return nil, c.serverError(setting, err)
	}
	return db, nil
}
