// Package sqlite is the storage engine that needs nothing: one SQLite file in WAL mode
// with one writer and a pool of read-only readers, migrations, group commit, and the one
// place where SQLite's errors are told apart.
//
// It knows no table: it implements internal/store/engine, over which each owner of data has
// a store.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"guiche/internal/atomicfile"
	"guiche/internal/diskspace"
	"guiche/internal/problem"
	"guiche/internal/store/engine"
)

// ErrClosed is returned by Write once Close was called.
var ErrClosed = fmt.Errorf("sqlite: %w: the database is closed", problem.ErrPermanent)

// Options says which file to open and what it must hold.
type Options struct {
	Path       string           // file; missing folders are created 0700, the file 0600
	Migrations fs.FS            // numbered .sql files at the root, see package migrations; nil leaves the schema as it is
	Clock      func() time.Time // nil means time.Now
	Disk       *diskspace.Disk  // asked for room before each write; may be nil
	// Strict is for tests, and asks of those who use the database what other engines ask: each
	// function given to it runs twice, the first time for nothing, and no statement follows
	// one that failed in its transaction.
	Strict bool
	// BeforeUpdate runs before the schema of a database changes that is in use already; the
	// database still has the schema of that version. Its error leaves it so. May be nil.
	BeforeUpdate func(ctx context.Context, db *DB, version int64) error
	// Updated is told of each version that the schema of such a database has come to: with many rows
	// each may take minutes. May be nil.
	Updated func(ctx context.Context, version int64)
}

// DB is an open database. It is safe for concurrent use.
type DB struct {
	writer *sql.DB // one connection
	reader *sql.DB // read-only connections
	clock  func() time.Time
	disk   *diskspace.Disk

	strict bool  // see Options
	ahead  int64 // see NewerSchema

	turns turns // of the writer
	cache engine.Cache
	lazy  bool // its commits do not wait for the disk now; of the job that has it
	close func() error

	indexDamaged chan struct{}
}

// Open opens or creates the file, brings its schema up to date and checks that
// the settings which durability rests on are in force. A file whose schema is
// newer than the migrations is refused with ErrNewerSchema, unless it says otherwise, and without space on the disk
// the error is problem.NoSpace.
func Open(ctx context.Context, o Options) (*DB, error) {
	path, err := prepareFile(o.Path)
	if err != nil {
		return nil, fmt.Errorf("sqlite: prepare file: %w", err)
	}
	db := &DB{clock: o.Clock, disk: o.Disk, strict: o.Strict, indexDamaged: make(chan struct{}, 1)}
	if db.clock == nil {
		db.clock = time.Now
	}
	if err := db.connect(path); err != nil {
		return nil, err
	}
	db.close = sync.OnceValue(db.shutdown)
	o.Disk.AddLog(path + "-wal")
	if err := db.ready(ctx, o); err != nil {
		if isFull(err) {
			err = o.Disk.Full(err)
		}
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// connect makes the two pools; nothing is opened yet.
func (db *DB) connect(path string) (err error) {
	if db.writer, err = open(writerDSN(path)); err != nil {
		return fmt.Errorf("sqlite: writer: %w", err)
	}
	db.writer.SetMaxOpenConns(1)
	if db.reader, err = open(readerDSN(path)); err != nil {
		return fmt.Errorf("sqlite: readers: %w", err)
	}
	readers := max(4, runtime.NumCPU())
	db.reader.SetMaxOpenConns(readers)
	db.reader.SetMaxIdleConns(readers)
	return nil
}

// ready migrates and checks both pools. The writer comes first: it creates the
// files beside the database that a read-only connection cannot create.
func (db *DB) ready(ctx context.Context, o Options) error {
	if err := checkSettings(ctx, db.writer); err != nil {
		return err
	}
	if o.Migrations != nil {
		if err := db.migrate(ctx, o); err != nil {
			return err
		}
	}
	if err := db.reader.PingContext(ctx); err != nil {
		return fmt.Errorf("sqlite: open reader: %w", err)
	}
	return nil
}

// Close lets the running group commit, then closes all connections; the last one
// folds the write-ahead log into the file. Further calls return the same error.
func (db *DB) Close() error { return db.close() }

func (db *DB) shutdown() error {
	db.turns.close()
	return errors.Join(db.reader.Close(), db.writer.Close())
}

var errDamaged = errors.New("sqlite: damaged database")

// Check reads the whole file and reports damage: pages, indexes, and rows that
// point at nothing.
func (db *DB) Check(ctx context.Context) error {
	return db.Read(ctx, func(tx *engine.Tx) error {
		var verdict string
		if err := tx.QueryRow(ctx, `PRAGMA integrity_check(1)`).Scan(&verdict); err != nil {
			return fmt.Errorf("sqlite: integrity check: %w", err)
		}
		if verdict != "ok" {
			return fmt.Errorf("%w: %s", errDamaged, verdict)
		}
		var table string
		err := tx.QueryRow(ctx, `SELECT "table" FROM pragma_foreign_key_check LIMIT 1`).Scan(&table)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("sqlite: foreign key check: %w", err)
		}
		return fmt.Errorf("%w: table %q has a row that points at nothing", errDamaged, table)
	})
}

func (db *DB) now() time.Time { return db.clock().UTC().Truncate(time.Microsecond) }

// prepareFile makes folder and file with the rights of a file that holds
// personal data and returns the absolute path. SQLite gives the files it puts
// beside the database the same rights.
func prepareFile(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if err := atomicfile.EnsureFolder(filepath.Dir(abs), 0o700); err != nil {
		return "", err
	}
	f, err := os.OpenFile(abs, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return "", err
	}
	if err := f.Close(); err != nil {
		return "", err
	}
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Chmod(abs+suffix, 0o600); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	return abs, nil
}
