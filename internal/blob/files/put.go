package files

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"guiche/internal/atomicfile"
	"guiche/internal/blob"
	"guiche/internal/problem"
)

const (
	// unfinished is the folder of files that are still being written, each with its
	// process's name before a dot. No Ref begins with the folder's name, so none of them
	// can be opened.
	unfinished = "tmp"
	// abandoned is the age at which one without a process's name cannot be in use any more.
	abandoned = 24 * time.Hour
)

// Put implements blob.Store. Memory stays bounded whatever the size. Bytes that
// are there already are written again: that renews their time and repairs a
// damaged file.
//
// Under a batch (see blob.Batch) small blobs do not wait for the disk.
func (s *Store) Put(ctx context.Context, r io.Reader) (blob.Info, error) {
	s.disk.MakeRoom()
	if batch := blob.BatchOf(ctx); batch != nil {
		content, rest, err := small(ctx, r)
		if err == nil && rest == nil {
			info, done, putErr := s.putUnsynced(ctx, content, batch)
			if done {
				return info, nil
			}
			err, rest = putErr, content.Reader()
		}
		if err != nil {
			return blob.Info{}, fmt.Errorf("blob: put: %w", err)
		}
		r = rest
	}
	return s.putSynced(ctx, blob.Until(ctx, r))
}

// tempName is a new name for a file that is still being written.
func (s *Store) tempName() string { return unfinished + "/" + s.holds.process() + "." + rand.Text() }

// putSynced stores a blob and returns when it is on disk.
func (s *Store) putSynced(ctx context.Context, r io.Reader) (blob.Info, error) {
	temp := s.tempName()
	info, err := s.write(ctx, temp, r)
	if err == nil { // held before it has its name: a removal of the same bytes ends first, or not at all
		err = s.holdOf(ctx).add(info.Ref)
	}
	if err == nil {
		err = s.publish(ctx, temp, info.Ref)
	}
	if err != nil {
		if removeErr := s.root.Remove(temp); removeErr != nil && !errors.Is(removeErr, fs.ErrNotExist) {
			err = errors.Join(err, removeErr)
		}
		if refusal := s.passing(err); refusal != nil && !problem.Passing(err) { // noticed only when it is synced
			err = refusal
		}
		return blob.Info{}, fmt.Errorf("blob: put: %w", err)
	}
	return info, nil
}

// write writes and syncs a new file.
func (s *Store) write(ctx context.Context, name string, r io.Reader) (blob.Info, error) {
	var f *os.File
	err := s.inSpace(ctx, func() (err error) {
		f, err = s.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
		return err
	})
	if err != nil {
		return blob.Info{}, err
	}
	digest := sha256.New()
	size, err := io.Copy(io.MultiWriter(spaceWriter{ctx, s, f}, digest), r)
	if err == nil {
		err = s.root.Chtimes(name, time.Time{}, s.clock())
	}
	if err == nil {
		err = f.Sync()
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return blob.Info{}, err
	}
	return blob.Info{Ref: blob.Ref(hex.EncodeToString(digest.Sum(nil))), Size: size}, nil
}

// publish gives a finished file its name and syncs the folders.
func (s *Store) publish(ctx context.Context, temp string, ref blob.Ref) error {
	folder := folderOf(ref)
	err := s.inSpace(ctx, func() error {
		if err := s.ensureFolder(folder); err != nil {
			return err
		}
		return s.root.Rename(temp, folder+"/"+string(ref))
	})
	if err != nil {
		return err
	}
	return s.inSpace(ctx, func() error { return s.syncFolder(folder) })
}

// ensureFolder makes a folder of blobs whose name survives a power cut, also where
// somebody else made it a moment ago and has not synced it yet, or was killed before.
func (s *Store) ensureFolder(name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.synced[name] {
		return nil
	}
	if err := s.root.Mkdir(name, folderMode); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if err := s.syncFolder("."); err != nil {
		return err
	}
	s.synced[name] = true
	return nil
}

// syncFolder makes the file's name survive a power cut.
func (s *Store) syncFolder(name string) error {
	f, err := s.root.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(atomicfile.SyncFolder(f), f.Close())
}

// clean removes the unfinished files of processes that are dead. alive are the names of the
// others; what has no process's name is abandoned after a day.
func (s *Store) clean(alive map[string]bool) error {
	entries, err := fs.ReadDir(s.root.FS(), unfinished)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		process, _, named := strings.Cut(entry.Name(), ".")
		info, err := entry.Info()
		if err != nil || alive[process] || !named && s.clock().Sub(info.ModTime()) < abandoned {
			continue // finished in the meantime, or in use
		}
		if err := s.root.Remove(unfinished + "/" + entry.Name()); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
