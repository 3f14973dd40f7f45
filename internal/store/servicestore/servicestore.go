// Package servicestore keeps what the embedded authorization service knows, in a
// database of its own: credentials, units and professionals, and the ledger, which
// the schema itself protects against changes.
package servicestore

import (
	"context"
	"database/sql"
	"strings"
	"sync"
	"unicode"

	"guiche/internal/service"
	"guiche/internal/service/admin"
	"guiche/internal/store/checksum"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"
)

// Store satisfies service.Store and admin.LedgerReader. It is safe for concurrent use.
type Store struct {
	db engine.DB

	onDamage func(checksum.Row) // nil where nobody is told
	reading  sync.Mutex
	names    *nameIndex // the latest that a search has read
}

var (
	_ service.Store      = (*Store)(nil)
	_ admin.LedgerReader = (*Store)(nil)
)

// New returns a store over a database that was opened with migrations.Service.
func New(db engine.DB) *Store { return &Store{db: db} }

// ReadTogether implements service.Store.
func (s *Store) ReadTogether(ctx context.Context, fn func(context.Context) error) error {
	return engine.Error(s.db.ReadTogether(ctx, fn))
}

// fold is how names are compared and sorted: without case, accents and what nobody sees.
func fold(text string) string {
	plain, _, err := transform.String(transform.Chain(norm.NFKD, runes.Remove(runes.Predicate(unseen))), text)
	if err != nil {
		plain = text
	}
	return strings.ToLower(plain)
}

func unseen(r rune) bool { return unicode.In(r, unicode.Mn, unicode.Cf) }

// write runs statements that stand for themselves in one transaction.
func (s *Store) write(ctx context.Context, fn func(*engine.Tx) error) error {
	return engine.Error(s.db.Write(ctx, fn))
}

// read runs fn in a transaction that sees one state of the database.
func (s *Store) read(ctx context.Context, fn func(*engine.Tx) error) error {
	return engine.Error(s.db.Read(ctx, fn))
}

// exec runs a statement for its effect.
func exec(ctx context.Context, tx *engine.Tx, query string, args ...any) error {
	_, err := tx.Exec(ctx, query, args...)
	return err
}

// rowID returns the inner id of a row by its uid.
func rowID(ctx context.Context, tx *engine.Tx, table string, uid uuid.UUID) (id int64, err error) {
	err = tx.QueryRow(ctx, `SELECT id FROM `+table+` WHERE uid = ?`, engine.UID(uid)).Scan(&id)
	return id, err
}

// one returns the only entry that a query by its uid found.
func one[T any](all []T, err error) (T, error) {
	if err == nil && len(all) == 0 {
		err = engine.Error(sql.ErrNoRows)
	}
	if err != nil {
		var none T
		return none, err
	}
	return all[0], nil
}
