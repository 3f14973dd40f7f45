// Package accessstore keeps who may use the embedded authorization
// service: partner profiles with keys, users, OAuth clients and tokens, and the
// counts of failed attempts. It shares the service's database with servicestore.
package accessstore

import (
	"context"
	"database/sql"
	"strings"

	"guiche/internal/service/access"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// Store satisfies access.Store. It is safe for concurrent use.
type Store struct{ db engine.DB }

var _ access.Store = (*Store)(nil)

// New returns a store over a database that was opened with migrations.Service.
func New(db engine.DB) *Store { return &Store{db: db} }

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

// execOne runs a statement that must find its row.
func execOne(ctx context.Context, tx *engine.Tx, query string, args ...any) error {
	n, err := tx.Exec(ctx, query, args...)
	if err == nil && n == 0 {
		err = sql.ErrNoRows
	}
	return err
}

// profileID returns the inner id of a profile.
func profileID(ctx context.Context, tx *engine.Tx, uid uuid.UUID) (id int64, err error) {
	err = tx.QueryRow(ctx, `SELECT id FROM profile WHERE uid = ?`, engine.UID(uid)).Scan(&id)
	return id, err
}

// join and split keep a set of words in one text.
func join[T ~string](words []T) string {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = string(w)
	}
	return strings.Join(texts, " ")
}

// split reads a stored list of words.
func split[T ~string](text string) (words []T) {
	for word := range strings.FieldsSeq(text) {
		words = append(words, T(word))
	}
	return words
}
