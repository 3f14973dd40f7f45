// Package postgres is the storage engine for several processes: PostgreSQL, in a schema for
// each half of the program.
//
// Transactions that write are serializable, which keeps what one writer gives for nothing: a
// function that could not be put in a row with the others runs again. What is asked of a
// connection outside of its transaction is nothing, so that PgBouncer may give each
// transaction another one.
package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"sync/atomic"
	"time"

	"guiche/internal/problem"
	"guiche/internal/store/engine"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Options says which database to open and what it must hold.
type Options struct {
	URL        string // postgres://…
	Schema     string // lower-case letters and underscores; made where the role may
	Migrations fs.FS  // numbered .sql files at the root, see package migrations; nil leaves the schema as it is, and a standby is read
	// BeforeUpdate runs where Open would change a schema that is in use already. Its error leaves it so. May be nil.
	BeforeUpdate func() error
	// Updated is told of each step of an update of such a schema; they are in force together, with the last. May be nil.
	Updated func(ctx context.Context, version int64)
	// Owner is the URL with which the schema is changed, "" for the same.
	Owner string
	// Unverified permits another host without TLS, or with a certificate that nobody verifies.
	Unverified bool
	Clock      func() time.Time // nil means time.Now
	// AnswerWithin is how long the server may say nothing; 0 means a little longer than any statement may take there.
	AnswerWithin time.Duration
	// Strict is for tests: each function given to the database runs twice, the first time for
	// nothing, and no statement follows one that failed in its transaction.
	Strict bool
}

// DB is a database. It implements engine.DB.
type DB struct {
	reader *pgxpool.Pool
	writer *pgxpool.Pool // of its own: who reads may write
	begin  beginnings
	clock  func() time.Time
	strict bool
	ahead  int64 // see NewerSchema

	texts   sync.Map    // *statement by what a store wrote
	unnamed atomic.Bool // statements are not kept on the server
	last    lastAsked
}

// ErrClosed is returned once Close was called.
var ErrClosed = fmt.Errorf("postgres: %w: the database is closed", problem.ErrPermanent)

// Open connects to the database, brings its schema up to date and checks that the settings
// which durability rests on are in force. A schema that is newer than the migrations is
// refused with ErrNewerSchema, unless it says otherwise.
func Open(ctx context.Context, o Options) (*DB, error) {
	if !isName(o.Schema) {
		return nil, fmt.Errorf("postgres: %q is no name of a schema", o.Schema)
	}
	db := &DB{clock: o.Clock, strict: o.Strict}
	db.begins(o.Schema)
	if db.clock == nil {
		db.clock = time.Now
	}
	if err := db.connect(ctx, o); err != nil {
		return nil, err
	}
	if err := db.ready(ctx, o); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// connect makes the two pools; nothing is opened yet.
func (db *DB) connect(ctx context.Context, o Options) (err error) {
	config, err := poolConfig(o.URL, o.Unverified)
	if err != nil {
		return err
	}
	config.ConnConfig.DialFunc = dialPatient(cmp.Or(o.AnswerWithin, statementWithin+answerLate))
	if o.Migrations != nil {
		needPrimary(&config.ConnConfig.Config)
	}
	if db.reader, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		return fmt.Errorf("postgres: readers: %w", err)
	}
	if db.writer, err = pgxpool.NewWithConfig(ctx, config.Copy()); err != nil {
		db.reader.Close()
		return fmt.Errorf("postgres: writers: %w", err)
	}
	return nil
}

func (db *DB) ready(ctx context.Context, o Options) error {
	if err := db.checkSettings(ctx); err != nil {
		return err
	}
	if o.Migrations == nil {
		return nil
	}
	return db.migrate(ctx, o)
}

// Close ends all connections, after what runs on them.
func (db *DB) Close() error {
	db.reader.Close()
	db.writer.Close()
	return nil
}

func (db *DB) now() time.Time { return db.clock().UTC().Truncate(time.Microsecond) }

// settings are what durability and comparisons rest on, with the values that will not do.
var settings = []struct{ name, never, why string }{
	{"fsync", "off", "what was confirmed would not survive a power cut"},
	{"full_page_writes", "off", "pages could be torn by a power cut"},
	{"synchronous_commit", "off", "what was confirmed would not survive a power cut"},
	{"server_encoding", "SQL_ASCII", "texts are UTF-8"},
}

// oldestVersion is the first version of PostgreSQL that is looked after.
const oldestVersion = 150000

func (db *DB) checkSettings(ctx context.Context) error {
	err := db.Read(ctx, func(tx *engine.Tx) error {
		var version int
		if err := tx.QueryRow(ctx, `SELECT current_setting('server_version_num')::int`).Scan(&version); err != nil {
			return err
		}
		if version < oldestVersion {
			return fmt.Errorf("version %d is too old, %d is needed", version/10000, oldestVersion/10000) // major version
		}
		for _, s := range settings {
			var value string
			if err := tx.QueryRow(ctx, `SELECT current_setting(?)`, s.name).Scan(&value); err != nil {
				return err
			}
			if value == s.never {
				return fmt.Errorf("setting %s is %s: %s", s.name, value, s.why)
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("postgres: open: %w", err)
	}
	return nil
}
