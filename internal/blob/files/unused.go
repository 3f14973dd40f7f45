package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"guiche/internal/blob"
)

// Released returns a channel that is received from when holds have ended.
func (s *Store) Released() <-chan struct{} { return s.holds.wake }

// TakeReleased returns some of the blobs whose last hold has ended since they were asked
// about. The caller hands each of them to Settle or to AskAgain.
func (s *Store) TakeReleased(limit int) []blob.Ref {
	s.holds.mu.Lock()
	defer s.holds.mu.Unlock()
	var taken []blob.Ref
	for ref := range s.holds.ended {
		if len(taken) == limit {
			break
		}
		taken = append(taken, ref)
		delete(s.holds.ended, ref)
	}
	return taken
}

// Settle forgets blobs of which it is known that rows name them, or that are gone. One
// that was held again meanwhile is asked about again when that hold ends.
func (s *Store) Settle(refs ...blob.Ref) {
	s.holds.mu.Lock()
	defer s.holds.mu.Unlock()
	for _, ref := range refs {
		_, marked := s.holds.marked[ref]
		if _, again := s.holds.ended[ref]; again || !marked || s.holds.count[ref] > 0 {
			continue
		}
		delete(s.holds.marked, ref)
		_ = os.Remove(s.holds.marker(ref)) // one that stays is asked about once more, by the next process
	}
}

// AskAgain keeps blobs for a later TakeReleased.
func (s *Store) AskAgain(refs ...blob.Ref) {
	s.holds.mu.Lock()
	defer s.holds.mu.Unlock()
	for _, ref := range refs {
		s.holds.ended[ref] = struct{}{}
	}
}

// Adopt takes over what processes that are dead held, to be asked about, and removes what
// they had not finished.
func (s *Store) Adopt() error {
	if err := s.holds.adopt(s.clean); err != nil {
		return fmt.Errorf("blob: adopt: %w", err)
	}
	return nil
}

// Older calls each with the blobs that were last stored before a time, some at a time.
func (s *Store) Older(ctx context.Context, before time.Time, limit int, each func([]blob.Ref) error) error {
	folders, err := fs.ReadDir(s.root.FS(), ".")
	if err != nil {
		return fmt.Errorf("blob: list: %w", err)
	}
	for _, folder := range folders {
		if len(folder.Name()) != 2 {
			continue
		}
		if err := s.olderIn(ctx, folder.Name(), before, limit, each); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) olderIn(ctx context.Context, folder string, before time.Time, limit int, each func([]blob.Ref) error) error {
	f, err := s.root.Open(folder)
	if err != nil {
		return fmt.Errorf("blob: list: %w", err)
	}
	defer func() { _ = f.Close() }() // it was only read
	for ctx.Err() == nil {
		entries, err := f.ReadDir(limit)
		if old := olderOf(entries, before); len(old) > 0 {
			if err := each(old); err != nil {
				return err
			}
		}
		if err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return fmt.Errorf("blob: list: %w", err)
		}
	}
	return ctx.Err()
}

// olderOf picks the blobs that were last stored before a time.
func olderOf(entries []fs.DirEntry, before time.Time) (old []blob.Ref) {
	for _, entry := range entries {
		if _, err := fileName(blob.Ref(entry.Name())); err != nil {
			continue
		}
		if info, err := entry.Info(); err == nil && info.ModTime().Before(before) {
			old = append(old, blob.Ref(entry.Name()))
		}
	}
	return old
}
