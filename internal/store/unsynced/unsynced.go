// Package unsynced keeps the bytes of small blobs in the database until their files are on
// disk: they are written in the transaction that names them, so that what names a blob and
// the blob wait for the disk together, once, and with everybody who commits at the same
// time. The files are in place all the while; a start after a power cut makes again what is
// missing of them.
package unsynced

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"guiche/internal/blob"
	"guiche/internal/problem"
	"guiche/internal/store/engine"
)

// Files are the blobs, on disk or where they are brought to from there.
type Files interface {
	blob.Store
	// Unsynced is received from when files were put in place that a power cut would take.
	Unsynced() <-chan struct{}
	// Sync brings files that are in place to where none takes them, and names those that are
	// not in place.
	Sync(refs []blob.Ref) (gone []blob.Ref, err error)
}

// Names says which blobs rows name.
type Names interface {
	NamedBlobs(ctx context.Context, refs []blob.Ref) ([]blob.Ref, error)
}

// Write writes the batch of the context in the transaction that names its blobs.
func Write(ctx context.Context, tx *engine.Tx) error {
	for _, c := range blob.BatchOf(ctx).Contents() {
		if _, err := tx.Exec(ctx, `INSERT INTO unsynced_blob (ref, bytes) VALUES (?, ?)`, string(c.Ref), c.Bytes); err != nil {
			return engine.Error(err)
		}
	}
	return nil
}

// Bytes returns the bytes of a blob that are in the database, nil where they are not. One
// of an earlier version has none.
func Bytes(ctx context.Context, db engine.DB, ref blob.Ref) ([]byte, error) {
	content, err := engine.Get(ctx, db, func(tx *engine.Tx) (content []byte, err error) {
		has, err := tx.HasTable(ctx, "unsynced_blob")
		if err == nil && has {
			err = tx.QueryRow(ctx, `SELECT bytes FROM unsynced_blob WHERE ref = ? LIMIT 1`, string(ref)).Scan(&content)
		}
		return content, engine.Error(err)
	})
	if problem.Is(err, problem.NotFound) {
		return nil, nil
	}
	return content, err
}

// gather is how long files wait for others before they are brought to disk. Their bytes
// take space in the database so long.
const gather = 250 * time.Millisecond

// Config is what a Syncer is made of.
type Config struct {
	DB     engine.DB
	Files  Files
	Names  Names
	Logger *slog.Logger
}

// Syncer brings files to disk and forgets their bytes in the database.
type Syncer struct{ config Config }

// New returns a syncer.
func New(c Config) *Syncer { return &Syncer{config: c} }

// Run syncs what is put until ctx is done, and then once more.
func (s *Syncer) Run(ctx context.Context) {
	for {
		if err := s.Sync(context.WithoutCancel(ctx)); err != nil && !errors.Is(err, blob.ErrUnreachable) { // the store tells of that
			s.config.Logger.ErrorContext(ctx, "bring files to disk", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-s.config.Files.Unsynced():
			pause(ctx)
		}
	}
}

// pause waits for more files.
func pause(ctx context.Context) {
	timer := time.NewTimer(gather)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// Sync brings all files to disk whose bytes are in the database now, and deletes those.
func (s *Syncer) Sync(ctx context.Context) error {
	rows, err := s.rows(ctx)
	if err != nil || len(rows) == 0 {
		return err
	}
	refs, ids := make([]blob.Ref, len(rows)), make([]int64, len(rows))
	for i, r := range rows {
		refs[i], ids[i] = r.ref, r.id
	}
	gone, err := s.config.Files.Sync(refs)
	if err == nil {
		err = s.restoreGone(ctx, rows, gone)
	}
	if err != nil {
		return fmt.Errorf("unsynced: %w", err)
	}
	return s.config.DB.WriteDerived(ctx, func(tx *engine.Tx) error { // what comes back is deleted again
		// These alone: with several writers, one with a lower number may have been committed since.
		return tx.DeleteCopies(ctx, `DELETE FROM unsynced_blob WHERE id `+engine.InNumbers, engine.Numbers(ids))
	})
}

// row is a blob whose bytes are in the database.
type row struct {
	id  int64
	ref blob.Ref
}

func (s *Syncer) rows(ctx context.Context) ([]row, error) {
	return engine.Get(ctx, s.config.DB, func(tx *engine.Tx) ([]row, error) {
		return engine.List(ctx, tx, func(columns engine.Row) (r row, err error) {
			err = columns.Scan(&r.id, &r.ref)
			return r, err
		}, `SELECT id, ref FROM unsynced_blob ORDER BY id`)
	})
}
