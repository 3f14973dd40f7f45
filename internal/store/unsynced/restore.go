package unsynced

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"guiche/internal/blob"
	"guiche/internal/problem"
	"guiche/internal/store/engine"
)

// Restore makes the files again that a power cut has taken away, before anybody reads them.
// What no row names any more stays away.
func (s *Syncer) Restore(ctx context.Context) error {
	rows, err := s.rows(ctx)
	if err != nil {
		return err
	}
	for i, r := range rows {
		if slices.ContainsFunc(rows[:i], func(earlier row) bool { return earlier.ref == r.ref }) {
			continue
		}
		err := s.restore(ctx, r)
		if err != nil && !errors.Is(err, blob.ErrUnreachable) { // its bytes stay in the database
			return fmt.Errorf("unsynced: make a file again: %w", err)
		}
	}
	return nil
}

// restoreGone makes files again that went while their bytes were in the database.
func (s *Syncer) restoreGone(ctx context.Context, rows []row, gone []blob.Ref) error {
	for _, r := range rows {
		if !slices.Contains(gone, r.ref) {
			continue
		}
		if err := s.restore(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

func (s *Syncer) restore(ctx context.Context, r row) error {
	whole, err := s.isWhole(ctx, r.ref)
	if whole || err != nil {
		return err
	}
	named, err := s.config.Names.NamedBlobs(ctx, []blob.Ref{r.ref})
	if err != nil || len(named) == 0 {
		return err
	}
	content, err := engine.Get(ctx, s.config.DB, func(tx *engine.Tx) (content []byte, err error) {
		err = tx.QueryRow(ctx, `SELECT bytes FROM unsynced_blob WHERE id = ?`, r.id).Scan(&content)
		return content, engine.Error(err)
	})
	if err != nil {
		return err
	}
	ctx, hold := s.config.Files.Hold(ctx)
	defer hold.End()
	_, err = s.config.Files.Put(ctx, bytes.NewReader(content))
	return err
}

// isWhole reads a file to its end.
func (s *Syncer) isWhole(ctx context.Context, ref blob.Ref) (whole bool, err error) {
	file, err := s.config.Files.Open(ctx, ref)
	if problem.Is(err, problem.NotFound) || errors.Is(err, blob.ErrDamaged) || errors.Is(err, blob.ErrUnreachable) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	_, err = io.Copy(io.Discard, file)
	if errors.Is(err, blob.ErrDamaged) {
		return false, nil
	}
	return err == nil, err
}
