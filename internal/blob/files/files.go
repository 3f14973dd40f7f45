// Package files keeps blobs as files of one folder: blobs/ab/abcdef…, readable by
// the program's user alone.
package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"guiche/internal/atomicfile"
	"guiche/internal/blob"
	"guiche/internal/diskspace"
	"guiche/internal/problem"
)

// Options says where the files are.
type Options struct {
	Dir   string           // parent of the folder "blobs"; missing folders are created with mode 0700
	Clock func() time.Time // for the files' times; nil means time.Now
	Disk  *diskspace.Disk  // what Room asks; nil refuses nothing
}

// Store satisfies blob.Store. It is safe for concurrent use, also by several
// processes.
type Store struct {
	root   *os.Root // no name leads out of the folder
	clock  func() time.Time
	holds  *holds
	always *hold // of what is stored without a hold; it never ends

	disk *diskspace.Disk

	unsynced chan struct{} // files are in place that are not on disk

	mu     sync.Mutex
	synced map[string]bool // folders of blobs whose names are on disk
}

const (
	folderMode fs.FileMode = 0o700
	fileMode   fs.FileMode = 0o600
)

// Open opens the store. Adopt takes over what processes left behind that ended.
func Open(o Options) (*Store, error) {
	path := filepath.Join(o.Dir, "blobs")
	for _, folder := range []string{path, filepath.Join(path, unfinished)} {
		if err := atomicfile.EnsureFolder(folder, folderMode); err != nil {
			return nil, fmt.Errorf("blob: create folder: %w", err)
		}
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, fmt.Errorf("blob: open folder: %w", err)
	}
	s := &Store{root: root, clock: o.Clock, disk: o.Disk, unsynced: make(chan struct{}, 1), synced: map[string]bool{}}
	if s.clock == nil {
		s.clock = time.Now
	}
	if s.holds, err = openHolds(filepath.Join(path, holdsFolder)); err != nil {
		return nil, errors.Join(fmt.Errorf("blob: open holds: %w", err), root.Close())
	}
	s.always = &hold{holds: s.holds, refs: map[blob.Ref]struct{}{}}
	return s, nil
}

// Close closes the folder; blobs that are open stay readable.
func (s *Store) Close() error { return errors.Join(s.holds.close(), s.root.Close()) }

// Open implements blob.Store. Reading from start to end checks the content: damaged
// bytes end with blob.ErrDamaged.
func (s *Store) Open(_ context.Context, ref blob.Ref) (io.ReadSeekCloser, error) {
	f, err := s.File(ref)
	if err != nil {
		return nil, err
	}
	r, err := checked(f, ref)
	if err != nil {
		return nil, errors.Join(storeError("open", err), f.Close())
	}
	return r, nil
}

// File opens the file of a blob as it is, unchecked.
func (s *Store) File(ref blob.Ref) (*os.File, error) {
	name, err := fileName(ref)
	if err != nil {
		return nil, err
	}
	f, err := s.root.Open(name)
	if err != nil {
		return nil, storeError("open", err)
	}
	return f, nil
}

// checked is a file whose content is checked while it is read.
func checked(f *os.File, ref blob.Ref) (io.ReadSeekCloser, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	return blob.Checked(f, ref, info.Size())
}

// Stat implements blob.Store.
func (s *Store) Stat(_ context.Context, ref blob.Ref) (blob.Info, error) {
	name, err := fileName(ref)
	if err != nil {
		return blob.Info{}, err
	}
	info, err := s.root.Stat(name)
	if err != nil {
		return blob.Info{}, storeError("stat", err)
	}
	return blob.Info{Ref: ref, Size: info.Size()}, nil
}

// Delete implements blob.Store.
func (s *Store) Delete(_ context.Context, ref blob.Ref) error {
	return s.DeleteAnd(ref, func() error { return nil })
}

// DeleteAnd is Delete with one step more, which is taken while nobody begins to hold the blob.
func (s *Store) DeleteAnd(ref blob.Ref, also func() error) error {
	if err := ref.Check(); err != nil {
		return err
	}
	return s.holds.whileFree(ref, func() error {
		if err := s.Drop(ref); err != nil {
			return err
		}
		return also()
	})
}

// Drop removes a blob's file whoever holds it: its bytes are kept elsewhere.
func (s *Store) Drop(ref blob.Ref) error {
	name, err := fileName(ref)
	if err != nil {
		return err
	}
	if err := s.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("blob: delete: %w", err)
	}
	return nil
}

// fileName returns the name of a blob's file, or an error when ref is not a Ref.
func fileName(ref blob.Ref) (string, error) {
	if err := ref.Check(); err != nil {
		return "", err
	}
	return folderOf(ref) + "/" + string(ref), nil
}

// folderOf spreads the files over 256 folders.
func folderOf(ref blob.Ref) string { return string(ref[:2]) }

// storeError turns a missing file, and one that cannot be opened now, into the error that
// the person is shown.
func storeError(doing string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return problem.Wrap(problem.NotFound, "O arquivo não está guardado.", err)
	}
	if isExhausted(err) {
		return problem.NewBusy(err)
	}
	return fmt.Errorf("blob: %s: %w", doing, err)
}
