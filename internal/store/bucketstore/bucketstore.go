// Package bucketstore remembers in the database in which bucket an installation keeps its files, and
// by what name the bucket knows it, for all processes that share the database.
package bucketstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// Mark says where files are. The zero Mark is that of an installation without a bucket.
type Mark struct {
	Place        string    // s3://bucket/prefix?endpoint=…
	Installation uuid.UUID // the owner that the bucket names
}

// Store keeps the mark. It is safe for concurrent use.
type Store struct{ db engine.DB }

// New returns a store over an open database.
func New(db engine.DB) *Store { return &Store{db} }

// Find returns the mark.
func (s *Store) Find(ctx context.Context) (Mark, error) { return engine.Get(ctx, s.db, find(ctx)) }

func find(ctx context.Context) func(*engine.Tx) (Mark, error) {
	return func(tx *engine.Tx) (m Mark, err error) {
		err = tx.QueryRow(ctx, `SELECT place, installation FROM bucket WHERE id = 1`).Scan(&m.Place, engine.ScanUID(&m.Installation))
		if errors.Is(err, sql.ErrNoRows) {
			return Mark{}, nil
		}
		if err != nil {
			return Mark{}, fmt.Errorf("bucketstore: find: %w", err)
		}
		return m, nil
	}
}

// PutFirst keeps the mark unless there is one, and returns what is kept.
func (s *Store) PutFirst(ctx context.Context, m Mark) (kept Mark, err error) {
	err = s.db.Write(ctx, func(tx *engine.Tx) (err error) {
		_, err = tx.Exec(ctx, `INSERT INTO bucket (id, place, installation) VALUES (1, ?, ?) ON CONFLICT DO NOTHING`,
			m.Place, engine.UID(m.Installation))
		if err != nil {
			return fmt.Errorf("bucketstore: put first: %w", err)
		}
		kept, err = find(ctx)(tx)
		return err
	})
	return kept, err
}

// Put keeps the mark and returns what is kept: the name is that of whoever put it first.
func (s *Store) Put(ctx context.Context, m Mark) (kept Mark, err error) {
	err = s.db.Write(ctx, func(tx *engine.Tx) (err error) {
		_, err = tx.Exec(ctx, `INSERT INTO bucket (id, place, installation) VALUES (1, ?, ?)
			ON CONFLICT (id) DO UPDATE SET place = excluded.place`, m.Place, engine.UID(m.Installation))
		if err != nil {
			return fmt.Errorf("bucketstore: put: %w", err)
		}
		kept, err = find(ctx)(tx)
		return err
	})
	return kept, err
}
